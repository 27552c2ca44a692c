package photon.simulation.parts;

import com.google.protobuf.ByteString;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import photon.core.id.CommitToken;
import photon.core.id.EventId;
import photon.core.id.Packed;
import photon.core.rpc.SessionHandler;
import photon.proto.v1.CommitRequest;
import photon.proto.v1.CommitResponse;
import photon.proto.v1.Outcome;

/** A registry server's commits, with somebody who hears of what it turns away at the door. */
final class WatchedCommits implements SessionHandler<CommitRequest, CommitResponse> {
    private final SessionHandler<CommitRequest, CommitResponse> service;
    private final RegistryHost.TurnedAway turnedAway;

    WatchedCommits(
            SessionHandler<CommitRequest, CommitResponse> service,
            RegistryHost.TurnedAway turnedAway) {
        this.service = service;
        this.turnedAway = turnedAway;
    }

    @Override
    public Session<CommitRequest> opened(Consumer<CommitResponse> out) {
        Map<Long, CommitRequest> asked = new HashMap<>();
        Session<CommitRequest> session =
                service.opened(
                        response -> {
                            CommitRequest request = asked.remove(response.getRequest());
                            if (request != null) {
                                look(request, response.getOutcomes());
                            }
                            out.accept(response);
                        });
        return new Session<>() {
            @Override
            public void received(CommitRequest request) {
                asked.put(request.getRequest(), request);
                session.received(request);
            }

            @Override
            public void closed() {
                session.closed();
            }
        };
    }

    private void look(CommitRequest request, ByteString outcomes) {
        boolean any = false;
        for (int i = 0; i < outcomes.size(); i++) {
            any |= outcomes.byteAt(i) == Outcome.ID_IN_FUTURE_VALUE;
        }
        if (!any) {
            return;
        }
        List<EventId> ids = Packed.ids(request.getIds());
        List<CommitToken> tokens = Packed.tokens(request.getTokens());
        for (int i = 0; i < ids.size() && i < outcomes.size(); i++) {
            if (outcomes.byteAt(i) == Outcome.ID_IN_FUTURE_VALUE) {
                turnedAway.inFuture(ids.get(i), tokens.get(i));
            }
        }
    }
}

package photon.simulation.parts;

import com.google.protobuf.ByteString;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import photon.core.id.EventId;
import photon.core.rpc.SessionHandler;
import photon.joiner.rules.OutOfTime;
import photon.proto.v1.JoinItem;
import photon.proto.v1.JoinRequest;
import photon.proto.v1.JoinResponse;
import photon.proto.v1.JoinResult;

/** A joiner's service, with somebody who hears of what is answered JOINED just before it is. */
final class WatchedAnswers implements SessionHandler<JoinRequest, JoinResponse> {
    private final SessionHandler<JoinRequest, JoinResponse> service;
    private final Consumer<List<EventId>> joined;
    private final Consumer<List<EventId>> tooOld;

    WatchedAnswers(
            SessionHandler<JoinRequest, JoinResponse> service,
            Consumer<List<EventId>> joined,
            Consumer<List<EventId>> tooOld) {
        this.service = service;
        this.joined = joined;
        this.tooOld = tooOld;
    }

    @Override
    public Session<JoinRequest> opened(Consumer<JoinResponse> out) {
        Map<Long, EventId> asked = new HashMap<>();
        Session<JoinRequest> session =
                service.opened(
                        response -> {
                            tell(asked, response);
                            out.accept(response);
                        });
        return new Session<>() {
            @Override
            public void received(JoinRequest request) {
                for (JoinItem item : request.getItemsList()) {
                    ByteString id = item.getEvent().getId();
                    if (id.size() == EventId.BYTES && id.byteAt(0) >= 0) {
                        asked.put(item.getNumber(), EventId.read(id));
                    }
                }
                session.received(request);
            }

            @Override
            public void closed() {
                session.closed();
            }
        };
    }

    private void tell(Map<Long, EventId> asked, JoinResponse response) {
        List<EventId> written = new ArrayList<>();
        List<EventId> refused = new ArrayList<>();
        for (JoinResult result : response.getResultsList()) {
            EventId id = asked.remove(result.getNumber());
            if (id != null && result.getStatus() == JoinResult.Status.JOINED) {
                written.add(id);
            } else if (id != null && result.getStatus() == JoinResult.Status.UPGRADED) {
                written.add(id.upgrade());
            } else if (id != null
                    && result.getStatus() == JoinResult.Status.ID_TOO_OLD
                    && result.getReason().startsWith(OutOfTime.BELOW)) {
                refused.add(id);
            }
        }
        if (!written.isEmpty()) {
            joined.accept(written);
        }
        if (!refused.isEmpty()) {
            tooOld.accept(refused);
        }
    }
}

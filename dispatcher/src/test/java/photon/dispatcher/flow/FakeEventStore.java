package photon.dispatcher.flow;

import photon.core.loop.EventLoop;
import photon.core.rpc.Caller;
import photon.dispatcher.rules.FrontierGate;
import photon.proto.v1.FrontierRequest;
import photon.proto.v1.FrontierResponse;

/** Says how far it has read, as a test sets it. */
final class FakeEventStore implements Caller<FrontierRequest, FrontierResponse> {
    private final EventLoop loop;
    long unreadMicros = FrontierGate.OPEN;
    boolean broken;
    int asked;

    FakeEventStore(EventLoop loop) {
        this.loop = loop;
    }

    @Override
    public void call(FrontierRequest request, Reply<FrontierResponse> reply) {
        asked++;
        if (broken) {
            loop.execute(() -> reply.broken("no connection"));
            return;
        }
        FrontierResponse.Builder answer = FrontierResponse.newBuilder();
        if (unreadMicros != FrontierGate.OPEN) {
            answer.setUnreadMicros(unreadMicros);
        }
        loop.execute(() -> reply.answered(answer.build()));
    }

    @Override
    public void close() {}
}

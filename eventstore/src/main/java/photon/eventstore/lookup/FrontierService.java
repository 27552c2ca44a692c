package photon.eventstore.lookup;

import java.util.function.Consumer;
import java.util.function.Supplier;
import photon.core.rpc.Handler;
import photon.eventstore.tail.TailProgress;
import photon.proto.v1.FrontierRequest;
import photon.proto.v1.FrontierResponse;

/** Says how far the primary logs are read. Thread-safe. */
public final class FrontierService implements Handler<FrontierRequest, FrontierResponse> {
    private final Supplier<TailProgress> progress;

    /**
     * @param progress thread-safe
     */
    public FrontierService(Supplier<TailProgress> progress) {
        this.progress = progress;
    }

    @Override
    public void handle(FrontierRequest request, Consumer<FrontierResponse> respond) {
        long unreadMicros = progress.get().unreadMicros();
        FrontierResponse.Builder answer = FrontierResponse.newBuilder();
        if (unreadMicros != TailProgress.ALL_READ) {
            answer.setUnreadMicros(unreadMicros);
        }
        respond.accept(answer.build());
    }
}

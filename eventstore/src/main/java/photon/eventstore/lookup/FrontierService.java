package photon.eventstore.lookup;

import java.util.function.Consumer;
import java.util.function.Supplier;
import photon.core.rpc.Handler;
import photon.eventstore.tail.TailProgress;
import photon.proto.v1.FrontierRequest;
import photon.proto.v1.FrontierResponse;
import photon.storage.tail.LiveReading;

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
        TailProgress now = progress.get();
        FrontierResponse.Builder answer = FrontierResponse.newBuilder();
        now.unread().ifPresent(answer::setUnreadMicros);
        if (now.live().isPresent()) {
            LiveReading live = now.live().get();
            answer.setLiveMicros(live.fromMicros());
            live.unread().ifPresent(answer::setLiveUnreadMicros);
        }
        respond.accept(answer.build());
    }
}

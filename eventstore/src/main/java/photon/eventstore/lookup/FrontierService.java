package photon.eventstore.lookup;

import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.function.Supplier;
import photon.core.rpc.Handler;
import photon.proto.v1.FrontierRequest;
import photon.proto.v1.FrontierResponse;

/** Says how far the primary logs are read. Thread-safe. */
public final class FrontierService implements Handler<FrontierRequest, FrontierResponse> {
    private final Supplier<OptionalLong> unreadMicros;

    /**
     * @param unreadMicros from which time on primary events are probably not read yet, Unix
     *     microseconds; empty: all are read. Thread-safe
     */
    public FrontierService(Supplier<OptionalLong> unreadMicros) {
        this.unreadMicros = unreadMicros;
    }

    @Override
    public void handle(FrontierRequest request, Consumer<FrontierResponse> respond) {
        FrontierResponse.Builder answer = FrontierResponse.newBuilder();
        unreadMicros.get().ifPresent(answer::setUnreadMicros);
        respond.accept(answer.build());
    }
}

package photon.server.health;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import photon.proto.v1.DescribeServerResponse;

/** Asks a registry server of this process how it is. Owned by the monitor's loop. */
public final class RegistryProbe {
    private final Supplier<CompletableFuture<DescribeServerResponse>> describe;
    private final Executor loop;
    private final LongSupplier nanoTime;
    private final RegistryState state = new RegistryState();

    /**
     * @param describe asks the server what it is now
     * @param loop the monitor's
     */
    public RegistryProbe(
            Supplier<CompletableFuture<DescribeServerResponse>> describe,
            Executor loop,
            LongSupplier nanoTime) {
        this.describe = describe;
        this.loop = loop;
        this.nanoTime = nanoTime;
    }

    /** What is looked at. A server that does not answer itself for long is stuck. */
    public DaemonChecks checks() {
        return new DaemonChecks(
                List.of(this::ask),
                state.checks(),
                List.of(Conditions.unstuck("answers", "the registry server", state::askedNanos)));
    }

    private void ask(long nowNanos) {
        if (state.isWaiting()) {
            return;
        }
        state.asked(nowNanos);
        describe.get()
                .whenCompleteAsync(
                        (answer, failure) -> {
                            if (failure == null) {
                                state.answered(answer, nanoTime.getAsLong());
                            } else {
                                state.failed();
                            }
                        },
                        loop);
    }
}

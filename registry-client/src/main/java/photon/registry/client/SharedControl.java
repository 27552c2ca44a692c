package photon.registry.client;

import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import photon.core.id.EventId;
import photon.core.id.Incarnation;
import photon.core.loop.EventLoop;
import photon.registry.api.ControlClient;

/** Another one's commands from any thread: each is begun in its loop. */
final class SharedControl implements ControlClient {
    private final EventLoop loop;
    private final ControlClient control;

    SharedControl(EventLoop loop, ControlClient control) {
        this.loop = loop;
        this.control = control;
    }

    private <T> CompletableFuture<T> inLoop(Supplier<CompletableFuture<T>> command) {
        CompletableFuture<T> future = new CompletableFuture<>();
        loop.execute(
                () ->
                        command.get()
                                .whenComplete(
                                        (answer, failure) -> {
                                            if (failure == null) {
                                                future.complete(answer);
                                            } else {
                                                future.completeExceptionally(failure);
                                            }
                                        }));
        return future;
    }

    @Override
    public CompletableFuture<Pipeline> openPipeline(
            String name, UUID uuid, String identityFingerprint, int shards, Duration retention) {
        return inLoop(
                () -> control.openPipeline(name, uuid, identityFingerprint, shards, retention));
    }

    @Override
    public CompletableFuture<Incarnation> register(Registration registration) {
        return inLoop(() -> control.register(registration));
    }

    @Override
    public CompletableFuture<List<IncarnationInfo>> incarnations(UUID pipeline, String slotPrefix) {
        return inLoop(() -> control.incarnations(pipeline, slotPrefix));
    }

    @Override
    public CompletableFuture<List<Fenced>> fence(UUID pipeline, Incarnation incarnation) {
        return inLoop(() -> control.fence(pipeline, incarnation));
    }

    @Override
    public CompletableFuture<SilentFence> fenceSilent(
            UUID pipeline, Incarnation incarnation, Silence seen) {
        return inLoop(() -> control.fenceSilent(pipeline, incarnation, seen));
    }

    @Override
    public CompletableFuture<ScanPage> scan(
            UUID pipeline,
            Fenced group,
            Incarnation incarnation,
            @Nullable EventId after,
            int limit) {
        return inLoop(() -> control.scan(pipeline, group, incarnation, after, limit));
    }

    @Override
    public CompletableFuture<IncarnationState> closeClean(UUID pipeline, Incarnation incarnation) {
        return inLoop(() -> control.closeClean(pipeline, incarnation));
    }

    @Override
    public CompletableFuture<IncarnationState> markRepaired(
            UUID pipeline, Incarnation incarnation, Repair repair) {
        return inLoop(() -> control.markRepaired(pipeline, incarnation, repair));
    }

    @Override
    public CompletableFuture<Renewed> renew(
            UUID pipeline, Incarnation incarnation, long holdMicros, Duration within) {
        return inLoop(() -> control.renew(pipeline, incarnation, holdMicros, within));
    }

    /** Nothing: it is closed by whoever it is of. */
    @Override
    public void close() {}
}

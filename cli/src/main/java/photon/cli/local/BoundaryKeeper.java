package photon.cli.local;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import photon.cli.roles.Admission;
import photon.cli.roles.Environment;
import photon.core.config.PipelineConfig;
import photon.core.loop.ThreadLoop;
import photon.idregistry.api.RegistryClient;
import photon.idregistry.client.GrpcRegistry;
import photon.idregistry.client.RegistryConnection;

/**
 * Moves the boundary of a local run's shards, at start and every minute, to the clock's earliest
 * bound minus the retention. All parts share one clock here; a registry of several machines will
 * let a majority of their clocks decide.
 */
final class BoundaryKeeper implements AutoCloseable {
    private static final Duration EVERY = Duration.ofMinutes(1);

    private final ThreadLoop loop;
    private final Environment environment;
    private final Admission admission;
    private final long retentionMicros;
    private final CompletableFuture<RegistryConnection> connection = new CompletableFuture<>();

    private BoundaryKeeper(
            ThreadLoop loop, Environment environment, Admission admission, Duration retention) {
        this.loop = loop;
        this.environment = environment;
        this.admission = admission;
        this.retentionMicros = TimeUnit.NANOSECONDS.toMicros(retention.toNanos());
    }

    /**
     * Returns when every shard has moved: nothing older is joined afterwards. Does nothing where
     * the retention is unlimited.
     *
     * @throws TimeoutException if the registry does not answer so long
     */
    static BoundaryKeeper start(
            PipelineConfig config, Admission admission, Environment environment, Duration patience)
            throws TimeoutException {
        ThreadLoop loop = new ThreadLoop("boundary", 16, environment.bugs());
        BoundaryKeeper keeper =
                new BoundaryKeeper(
                        loop, environment, admission, config.retention().orElse(Duration.ZERO));
        if (config.retention().isPresent()) {
            CompletableFuture<Boolean> moved = new CompletableFuture<>();
            loop.execute(
                    () -> {
                        RegistryConnection registry =
                                GrpcRegistry.connect(
                                        loop,
                                        admission.servers(),
                                        config.pipeline(),
                                        environment.rpcs(),
                                        environment.random());
                        keeper.connection.complete(registry);
                        keeper.advance(registry, registry.registry(admission.description()))
                                .thenRun(() -> moved.complete(true));
                    });
            try {
                moved.get(patience.toMillis(), TimeUnit.MILLISECONDS);
            } catch (TimeoutException e) {
                keeper.close();
                throw e;
            } catch (InterruptedException | ExecutionException e) {
                keeper.close();
                throw new IllegalStateException("Interrupted while the boundary was moved", e);
            }
        }
        return keeper;
    }

    private CompletableFuture<Void> advance(RegistryConnection registry, RegistryClient client) {
        long boundary = environment.clock().now().earliestMicros() - retentionMicros;
        List<CompletableFuture<Long>> moving =
                client.shards().stream()
                        .map(
                                shard ->
                                        registry.control()
                                                .advanceBoundary(
                                                        admission.pipeline(), shard, boundary))
                        .toList();
        loop.schedule(EVERY, () -> advance(registry, client));
        return CompletableFuture.allOf(moving.toArray(CompletableFuture[]::new));
    }

    @Override
    public void close() {
        CompletableFuture<Boolean> closed = new CompletableFuture<>();
        loop.execute(
                () -> {
                    if (connection.isDone()) {
                        connection.join().close();
                    }
                    closed.complete(true);
                });
        closed.join();
        loop.close();
    }
}

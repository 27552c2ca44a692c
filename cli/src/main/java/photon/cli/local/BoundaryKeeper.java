package photon.cli.local;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
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

    /** Does nothing where the retention is unlimited. */
    static BoundaryKeeper start(
            PipelineConfig config, Admission admission, Environment environment) {
        ThreadLoop loop = new ThreadLoop("boundary", 16, environment.bugs());
        BoundaryKeeper keeper =
                new BoundaryKeeper(
                        loop, environment, admission, config.retention().orElse(Duration.ZERO));
        if (config.retention().isPresent()) {
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
                        keeper.advance(registry, registry.registry(admission.description()));
                    });
        }
        return keeper;
    }

    private void advance(RegistryConnection registry, RegistryClient client) {
        long boundary = environment.clock().now().earliestMicros() - retentionMicros;
        for (RegistryClient.Shard shard : client.shards()) {
            registry.control().advanceBoundary(admission.pipeline(), shard, boundary);
        }
        loop.schedule(EVERY, () -> advance(registry, client));
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

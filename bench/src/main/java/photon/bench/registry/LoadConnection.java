package photon.bench.registry;

import java.security.SecureRandom;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import photon.core.error.BugHandler;
import photon.core.error.FailedException;
import photon.core.id.Incarnation;
import photon.core.rpc.HostPort;
import photon.registry.api.ControlClient;
import photon.registry.api.IdRegistry;
import photon.registry.client.GrpcIdRegistry;

/** One client of the registry, as a program has it. Thread-safe. */
final class LoadConnection implements AutoCloseable {
    static final String PIPELINE = "bench";

    private static final String SLOT = "bench/load";
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final int OUTSTANDING_MAX = 1 << 23;

    private final GrpcIdRegistry connection;

    private LoadConnection(GrpcIdRegistry connection) {
        this.connection = connection;
    }

    /**
     * Contacts nobody yet.
     *
     * @param servers nearest first
     */
    static LoadConnection to(List<HostPort> servers) {
        // The load bounds itself, and may not wait in the client's thread.
        IdRegistry.Options options =
                IdRegistry.Options.DEFAULTS.with(OUTSTANDING_MAX, IdRegistry.WhenFull.REFUSE);
        return new LoadConnection(
                GrpcIdRegistry.connect(servers, PIPELINE, options, BugHandler.stopProcess()));
    }

    /** Opens the pipeline, and registers who commits. Waits for a majority of the registry. */
    Incarnation register(int shards) {
        ControlClient control = connection.control();
        String fingerprint = "bench";
        ControlClient.Pipeline pipeline =
                await(
                        control.openPipeline(PIPELINE, UUID.randomUUID(), fingerprint, shards),
                        PATIENCE);
        byte[] nonce = new byte[16];
        new SecureRandom().nextBytes(nonce);
        String hex = HexFormat.of().formatHex(nonce);
        Incarnation registered =
                await(
                        control.register(
                                new ControlClient.Registration(
                                        pipeline.uuid(),
                                        SLOT,
                                        hex,
                                        "127.0.0.1:0",
                                        ProcessHandle.current().pid(),
                                        0,
                                        fingerprint,
                                        hex)),
                        PATIENCE);
        // It publishes nothing: no boundary shall wait for it.
        await(control.renew(pipeline.uuid(), registered, Long.MAX_VALUE), PATIENCE);
        return registered;
    }

    /** The ids of the pipeline, which must be open. */
    IdRegistry registry() {
        return await(connection.registry(), PATIENCE);
    }

    /**
     * @throws FailedException if it is not done so long, or fails
     */
    static <T> T await(CompletableFuture<T> future, Duration bound) {
        try {
            return future.get(bound.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new FailedException("interrupted while waiting for the registry");
        } catch (ExecutionException e) {
            throw new FailedException("the registry's client failed: " + e.getCause());
        } catch (TimeoutException e) {
            throw new FailedException(
                    "no answer from the registry within %s s".formatted(bound.toSeconds()));
        }
    }

    @Override
    public void close() {
        connection.close();
    }
}

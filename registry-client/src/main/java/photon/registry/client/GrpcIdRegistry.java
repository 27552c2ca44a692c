package photon.registry.client;

import com.google.common.util.concurrent.Uninterruptibles;
import java.security.SecureRandom;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import photon.core.error.BugHandler;
import photon.core.loop.EventLoop;
import photon.core.loop.ThreadLoop;
import photon.core.rpc.HostPort;
import photon.core.rpc.ProcessRpcs;
import photon.core.rpc.RpcSecurity;
import photon.registry.api.ControlClient;
import photon.registry.api.IdRegistry;
import photon.registry.api.RegistryUnavailableException;

/**
 * A process' way to the ids of one pipeline: a thread and connections of its own. Thread-safe.
 *
 * <pre>{@code
 * try (GrpcIdRegistry connection =
 *         GrpcIdRegistry.connect(servers, "orders", IdRegistry.Options.DEFAULTS, bugs)) {
 *     IdRegistry registry = connection.registry().get(30, TimeUnit.SECONDS);
 *     ...
 * }
 * }</pre>
 */
public final class GrpcIdRegistry implements AutoCloseable {
    private static final int OFFERS_MAX = 1_024;
    private static final long CLOSE_SECONDS = 10;

    private final EventLoop loop;
    private final IdRegistry.Options options;
    private final RegistryConnection connection;
    private final CompletableFuture<IdRegistry> registry = new CompletableFuture<>();
    private volatile boolean closed;

    private GrpcIdRegistry(
            EventLoop loop,
            List<HostPort> servers,
            String pipeline,
            IdRegistry.Options options,
            RpcSecurity security) {
        this.loop = loop;
        this.options = options;
        this.connection =
                GrpcRegistry.connect(
                        loop,
                        servers,
                        pipeline,
                        new ProcessRpcs(security),
                        new SplittableRandom(new SecureRandom().nextLong()));
    }

    /** The same, without TLS. */
    public static GrpcIdRegistry connect(
            List<HostPort> servers, String pipeline, IdRegistry.Options options, BugHandler bugs) {
        return connect(servers, pipeline, options, RpcSecurity.PLAINTEXT, bugs);
    }

    /**
     * Contacts nobody yet.
     *
     * @param servers of the registry, nearest first
     * @param pipeline its name
     * @param security how servers are reached
     * @param bugs told of what must not happen: what it gave up may never be answered
     */
    public static GrpcIdRegistry connect(
            List<HostPort> servers,
            String pipeline,
            IdRegistry.Options options,
            RpcSecurity security,
            BugHandler bugs) {
        ThreadLoop loop = new ThreadLoop("id-registry-client", OFFERS_MAX, bugs);
        GrpcIdRegistry made = new GrpcIdRegistry(loop, servers, pipeline, options, security);
        loop.execute(
                () ->
                        made.connection
                                .describe()
                                .thenAccept(
                                        known ->
                                                made.registry.complete(
                                                        made.connection.shared(known, options))));
        return made;
    }

    /**
     * Completes as soon as a server knows the pipeline: open it first, if nobody has. Closed with
     * this; fails with {@link RegistryUnavailableException} if that is before it is known.
     */
    public CompletableFuture<IdRegistry> registry() {
        return registry.copy();
    }

    /**
     * Pipelines and incarnations. Usable at once, and from any thread; futures are completed in the
     * client's own.
     */
    public ControlClient control() {
        return new SharedControl(loop, connection.control());
    }

    /** Closes the registry with its drain, then the connections. Safe to call twice. */
    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        registry.completeExceptionally(new RegistryUnavailableException("The client is closed"));
        try {
            if (!registry.isCompletedExceptionally()) {
                registry.join().close(options.drain());
            }
        } finally {
            closeConnection();
        }
    }

    /** Also for a thread that is interrupted: what waits in the loop is told before it ends. */
    private void closeConnection() {
        CountDownLatch done = new CountDownLatch(1);
        loop.execute(
                () -> {
                    connection.close();
                    done.countDown();
                });
        boolean closedInTime =
                Uninterruptibles.awaitUninterruptibly(done, CLOSE_SECONDS, TimeUnit.SECONDS);
        loop.close();
        if (!closedInTime) {
            throw new IllegalStateException("The loop of a registry client does not end");
        }
    }
}

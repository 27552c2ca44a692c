package photon.registry.admin;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import photon.core.error.BugHandler;
import photon.core.error.Failures;
import photon.core.loop.ThreadLoop;
import photon.core.rpc.HostPort;
import photon.core.rpc.ProcessRpcs;
import photon.core.rpc.RpcSecurity;
import photon.registry.client.GrpcRegistry;
import photon.registry.client.RegistryConnection;

/** One change of a registry, from outside: asked until the control group has decided. */
public final class ControlSession {
    private static final int QUEUED_MAX = 1_024;

    private final List<HostPort> servers;
    private final Duration patience;
    private final RpcSecurity security;

    /**
     * @param patience how long to wait for the control group
     * @param security how servers are reached
     */
    public ControlSession(List<HostPort> servers, Duration patience, RpcSecurity security) {
        this.security = security;
        this.servers = List.copyOf(servers);
        this.patience = patience;
    }

    /**
     * Asks, and waits for the answer.
     *
     * @throws TimeoutException if nothing was heard so long: it may be done all the same, or be
     *     done yet
     */
    public <T> T ask(Function<RegistryConnection, CompletableFuture<T>> question)
            throws TimeoutException {
        ThreadLoop loop = new ThreadLoop("control", QUEUED_MAX, BugHandler.stopProcess());
        CompletableFuture<RegistryConnection> connected = new CompletableFuture<>();
        CompletableFuture<T> answer = new CompletableFuture<>();
        try {
            loop.execute(
                    () -> {
                        RegistryConnection made =
                                GrpcRegistry.connect(
                                        loop,
                                        servers,
                                        "",
                                        new ProcessRpcs(security),
                                        new SplittableRandom(),
                                        actor());
                        connected.complete(made);
                        question.apply(made)
                                .whenComplete(
                                        (value, failure) -> {
                                            if (failure == null) {
                                                answer.complete(value);
                                            } else {
                                                answer.completeExceptionally(failure);
                                            }
                                        });
                    });
            return answer.get(patience.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while waiting for the registry", e);
        } catch (ExecutionException e) {
            throw Failures.unchecked(e);
        } finally {
            CompletableFuture<Boolean> closed = new CompletableFuture<>();
            loop.execute(
                    () -> {
                        connected.whenComplete(
                                (connection, failure) -> {
                                    if (connection != null) {
                                        connection.close();
                                    }
                                });
                        closed.complete(true);
                    });
            closed.join();
            loop.close();
        }
    }

    /** Whose doing it is, for the registry's audit. */
    public static String actor() {
        String host;
        try {
            host = InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            host = "unknown-host";
        }
        return System.getProperty("user.name", "unknown") + "@" + host;
    }
}

package photon.registry.admin;

import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import photon.core.error.BugHandler;
import photon.core.loop.ThreadLoop;
import photon.core.rpc.HostPort;
import photon.core.rpc.ProcessRpcs;
import photon.core.rpc.RpcSecurity;
import photon.registry.api.RegistryUnavailableException;
import photon.registry.api.ReshardClient;
import photon.registry.api.ReshardClient.Begun;
import photon.registry.api.ReshardClient.Reshard;
import photon.registry.api.ReshardClient.Result;
import photon.registry.client.GrpcRegistry;
import photon.registry.client.RegistryConnection;

/** Asks the control group's leader for reshards, and waits for its answers. */
public final class ReshardOperator implements AutoCloseable {
    private static final int QUEUED_MAX = 1_024;

    private final ThreadLoop loop;
    private final RegistryConnection connection;

    /**
     * Contacts nobody yet.
     *
     * @param pipeline its name
     * @param security how servers are reached
     */
    public ReshardOperator(List<HostPort> servers, String pipeline, RpcSecurity security) {
        loop = new ThreadLoop("reshard", QUEUED_MAX, BugHandler.stopProcess());
        CompletableFuture<RegistryConnection> made = new CompletableFuture<>();
        loop.execute(
                () ->
                        made.complete(
                                GrpcRegistry.connect(
                                        loop,
                                        servers,
                                        pipeline,
                                        new ProcessRpcs(security),
                                        RandomGenerator.getDefault(),
                                        ControlSession.actor())));
        connection = made.join();
    }

    /**
     * Begins it, or finds what was begun with its nonce.
     *
     * @throws RegistryUnavailableException if nobody answers in time: it may be begun for all that
     */
    public Begun begin(Reshard wanted, Duration patience) {
        return ask(reshards -> reshards.begin(wanted), patience);
    }

    /**
     * Waits until it is decided.
     *
     * @throws RegistryUnavailableException if it is not in time
     */
    public Result await(UUID pipeline, long attempt, Duration patience) {
        return ask(reshards -> reshards.await(pipeline, attempt), patience);
    }

    /**
     * Asks for an abort.
     *
     * @throws RegistryUnavailableException if nobody answers in time
     */
    public Result cancel(UUID pipeline, long attempt, Duration patience) {
        return ask(reshards -> reshards.cancel(pipeline, attempt), patience);
    }

    private <T> T ask(Function<ReshardClient, CompletableFuture<T>> question, Duration patience) {
        CompletableFuture<T> answer = new CompletableFuture<>();
        loop.execute(() -> question.apply(connection.reshards()).thenAccept(answer::complete));
        try {
            return answer.orTimeout(patience.toMillis(), TimeUnit.MILLISECONDS).join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof TimeoutException) {
                throw new RegistryUnavailableException(
                        "no leader of the control group answered within "
                                + patience.toMillis()
                                + " ms");
            }
            throw e;
        }
    }

    @Override
    public void close() {
        CompletableFuture<Boolean> closed = new CompletableFuture<>();
        loop.execute(
                () -> {
                    connection.close();
                    closed.complete(true);
                });
        closed.join();
        loop.close();
    }
}

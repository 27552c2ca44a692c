package photon.testbed.chaos;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import photon.core.error.BugHandler;
import photon.core.loop.ThreadLoop;
import photon.core.rpc.HostPort;
import photon.core.rpc.ProcessRpcs;
import photon.registry.api.IdRegistry;
import photon.registry.client.GrpcRegistryTransport;
import photon.registry.client.PipelineDescription;
import photon.registry.client.RegistryConnection;
import photon.registry.client.RegistryTransport;

/** One client of the registry, as a program has it, through the links. Thread-safe. */
final class Connection implements AutoCloseable {
    private static final int QUEUED_MAX = 1 << 16;
    private static final int OUTSTANDING_MAX = 1 << 18;
    private static final Duration DRAIN = Duration.ofSeconds(1);

    private final ThreadLoop loop;
    private final RegistryTransport transport;
    private final RegistryConnection connection;

    /** The servers' own names lead through the links. */
    private record Linked(RegistryTransport inner, ChaosLayout layout)
            implements RegistryTransport {
        @Override
        public Server at(HostPort server) {
            return inner.at(layout.forClients(server));
        }

        @Override
        public void close() {
            inner.close();
        }
    }

    /** Contacts nobody yet. */
    Connection(String name, ChaosLayout layout, Random random, BugHandler bugs) {
        loop = new ThreadLoop(name, QUEUED_MAX, bugs);
        List<HostPort> servers = new ArrayList<>(layout.services());
        Collections.shuffle(servers, random);
        transport = new Linked(new GrpcRegistryTransport(loop, new ProcessRpcs()), layout);
        Random own = new Random(random.nextLong());
        connection =
                new RegistryConnection(
                        loop, transport, servers, ChaosLayout.PIPELINE, own, "chaos@" + name);
    }

    /**
     * Asks in the loop and waits.
     *
     * @throws ChaosAction.TroubleException if there is no answer in time
     */
    <T> T ask(
            String what,
            Duration patience,
            Function<RegistryConnection, CompletableFuture<T>> question)
            throws InterruptedException {
        CompletableFuture<T> answer = new CompletableFuture<>();
        loop.execute(
                () ->
                        question.apply(connection)
                                .whenComplete(
                                        (value, failure) -> {
                                            if (failure == null) {
                                                answer.complete(value);
                                            } else {
                                                answer.completeExceptionally(failure);
                                            }
                                        }));
        try {
            return answer.get(patience.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            throw new ChaosAction.TroubleException(
                    "No answer within %d s: %s".formatted(patience.toSeconds(), what));
        } catch (ExecutionException e) {
            throw new ChaosAction.TroubleException(what + " failed: " + e.getCause());
        }
    }

    /** The ids of the pipeline, which must be open. */
    IdRegistry registry(Duration patience) throws InterruptedException {
        // The load bounds itself, and may not wait in the client's thread.
        IdRegistry.Options options =
                IdRegistry.Options.DEFAULTS.with(OUTSTANDING_MAX, IdRegistry.WhenFull.REFUSE);
        return ask(
                "what the pipeline is",
                patience,
                known -> known.describe().thenApply(d -> known.shared(d, options)));
    }

    PipelineDescription describe(Duration patience) throws InterruptedException {
        return ask("what the pipeline is", patience, RegistryConnection::describe);
    }

    ThreadLoop loop() {
        return loop;
    }

    RegistryTransport transport() {
        return transport;
    }

    /** What waits for an answer gets none. Close what {@link #registry} gave before. */
    @Override
    public void close() {
        CompletableFuture<Boolean> closed = new CompletableFuture<>();
        loop.execute(
                () -> {
                    connection.close();
                    closed.complete(true);
                });
        closed.completeOnTimeout(false, DRAIN.toMillis(), TimeUnit.MILLISECONDS).join();
        loop.close();
    }
}

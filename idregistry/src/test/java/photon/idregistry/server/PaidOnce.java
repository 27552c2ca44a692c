package photon.idregistry.server;

import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import photon.core.error.BugHandler;
import photon.core.id.CommitToken;
import photon.core.id.EventId;
import photon.core.id.Incarnation;
import photon.core.rpc.HostPort;
import photon.registry.api.CommitOutcome;
import photon.registry.api.CommitOutcome.Decided;
import photon.registry.api.CommitOutcome.NotSubmitted;
import photon.registry.api.ControlClient;
import photon.registry.api.IdRegistry;
import photon.registry.api.RegistryClient.CommitResult;
import photon.registry.client.GrpcIdRegistry;

/** The example of docs/registry-client.md. */
// Docs begin
/** Pays each order at most once, however many of these run. Thread-safe. */
final class PaidOnce implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private final GrpcIdRegistry connection;
    private final IdRegistry registry;
    private final Incarnation me;
    private final Executor payments;
    private final AtomicLong lastSequence = new AtomicLong();

    /**
     * @param slot this payer's own name, the same after each restart: a new life fences the old
     * @param nonce 32 hex digits, random, new at each start
     */
    PaidOnce(List<HostPort> servers, String slot, String nonce, Executor payments)
            throws Exception {
        this.payments = payments;
        connection =
                GrpcIdRegistry.connect(
                        servers, "orders", IdRegistry.Options.DEFAULTS, BugHandler.stopProcess());
        ControlClient control = connection.control();
        ControlClient.Pipeline pipeline =
                control.openPipeline("orders", UUID.randomUUID(), "orders-1", 1)
                        .get(60, TimeUnit.SECONDS);
        ControlClient.Registration life =
                new ControlClient.Registration(
                        pipeline.uuid(),
                        slot,
                        nonce,
                        "payer.example:7000",
                        ProcessHandle.current().pid(),
                        0,
                        "orders-1",
                        slot);
        me = control.register(life).get(60, TimeUnit.SECONDS);
        registry = connection.registry().get(60, TimeUnit.SECONDS);
    }

    /** Completes with true if it was this call that paid. */
    CompletableFuture<Boolean> pay(EventId order, Runnable payment) {
        CommitToken attempt = CommitToken.of(me, lastSequence.incrementAndGet());
        return ask(order, attempt, payment);
    }

    private CompletableFuture<Boolean> ask(EventId order, CommitToken attempt, Runnable payment) {
        return registry.commit(order, attempt, PATIENCE)
                .thenComposeAsync(outcome -> act(outcome, order, attempt, payment), payments);
    }

    private CompletableFuture<Boolean> act(
            CommitOutcome outcome, EventId order, CommitToken attempt, Runnable payment) {
        if (outcome.isAccepted()) {
            payment.run();
            return CompletableFuture.completedFuture(true);
        }
        if (outcome instanceof Decided decided) {
            if (decided.result() == CommitResult.FENCED) {
                throw new IllegalStateException("A newer life of this payer has begun: stop");
            }
            return CompletableFuture.completedFuture(false);
        }
        if (outcome.equals(new NotSubmitted(NotSubmitted.Why.CLOSED))) {
            throw new IllegalStateException("Not asked: this payer is closed");
        }
        // Unknown: it may be ours already. The same attempt asks again, never a new one.
        return ask(order, attempt, payment);
    }

    @Override
    public void close() {
        connection.close(); // answers what is under way first, for 10 s at most
    }
}
// Docs end

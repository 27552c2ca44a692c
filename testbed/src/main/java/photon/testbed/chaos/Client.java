package photon.testbed.chaos;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import photon.core.id.CommitToken;
import photon.core.id.EventId;
import photon.core.id.Incarnation;
import photon.registry.api.CommitBatch;
import photon.registry.api.CommitOutcome;
import photon.registry.api.CommitOutcomes;
import photon.registry.api.IdBatch;
import photon.registry.api.IdRegistry;
import photon.registry.api.LookupAnswers;
import photon.registry.api.RegistryClient.Commit;
import photon.registry.api.RegistryClient.CommitResult;
import photon.testbed.history.Operation;

/**
 * One of those who commit: asks each attempt again with its own token until the answer is definite,
 * and writes down what was answered. Thread-safe.
 */
final class Client {
    private static final Duration LOOKUP_TIMEOUT = Duration.ofSeconds(5);

    private final IdRegistry registry;
    private final History history;
    private final Duration timeout;

    /** Hears of ids that were accepted. */
    private final Consumer<Commit> accepted;

    private final AtomicLong sequence = new AtomicLong();

    /** Attempts without a definite answer, under way or to be asked again. */
    private final AtomicLong open = new AtomicLong();

    private final ConcurrentLinkedQueue<Commit> again = new ConcurrentLinkedQueue<>();
    private final AtomicLong unknown = new AtomicLong();
    private volatile Incarnation incarnation;

    /**
     * @param timeout of a commit: after it the outcome is unknown, and asked for anew
     */
    Client(
            IdRegistry registry,
            Incarnation incarnation,
            History history,
            Duration timeout,
            Consumer<Commit> accepted) {
        this.registry = registry;
        this.incarnation = incarnation;
        this.history = history;
        this.timeout = timeout;
        this.accepted = accepted;
    }

    Incarnation incarnation() {
        return incarnation;
    }

    /** New attempts are this one's. */
    void startOver(Incarnation next) {
        incarnation = next;
    }

    private CommitToken nextToken() {
        return CommitToken.of(incarnation, sequence.incrementAndGet());
    }

    /** New attempts at these ids. */
    void attempt(List<EventId> ids) {
        if (!ids.isEmpty()) {
            open.addAndGet(ids.size());
            commit(ids.stream().map(id -> new Commit(id, nextToken())).toList());
        }
    }

    /** What had no definite answer. */
    void askAgain(int most) {
        List<Commit> batch = new ArrayList<>();
        for (Commit one = again.poll(); one != null; one = again.poll()) {
            batch.add(one);
            if (batch.size() == most) {
                break;
            }
        }
        if (!batch.isEmpty()) {
            commit(batch);
        }
    }

    long open() {
        return open.get();
    }

    /** How often an attempt had no definite answer in time. */
    long unknown() {
        return unknown.get();
    }

    private void commit(List<Commit> batch) {
        CommitBatch.Builder packed = CommitBatch.builder(batch.size());
        batch.forEach(commit -> packed.add(commit.id(), commit.token()));
        long start = System.nanoTime();
        registry.commit(packed.build(), timeout)
                .thenAccept(outcomes -> answered(batch, outcomes, start));
    }

    private void answered(List<Commit> batch, CommitOutcomes outcomes, long start) {
        long end = System.nanoTime();
        List<Operation> answers = new ArrayList<>(batch.size());
        for (int i = 0; i < batch.size(); i++) {
            Commit commit = batch.get(i);
            if (outcomes.isAccepted(i)) {
                answers.add(operation(commit, Operation.Result.ACCEPTED, null, start, end));
                accepted.accept(commit);
                open.decrementAndGet();
            } else {
                judge(commit, outcomes.get(i), start, end, answers);
            }
        }
        history.add(answers);
    }

    private void judge(
            Commit commit, CommitOutcome outcome, long start, long end, List<Operation> answers) {
        if (outcome instanceof CommitOutcome.Decided decided) {
            if (decided.askedAgain()) {
                // An earlier copy may be carried out yet.
                answers.add(unknown(commit, start));
            }
            if (decided.result() == CommitResult.ID_IN_FUTURE) {
                again.add(commit);
                return;
            }
            answers.add(operation(commit, result(decided), decided.holder(), start, end));
            open.decrementAndGet();
        } else {
            if (outcome instanceof CommitOutcome.Unknown) {
                answers.add(unknown(commit, start));
                unknown.incrementAndGet();
            }
            again.add(commit);
        }
    }

    private static Operation.Result result(CommitOutcome.Decided decided) {
        return switch (decided.result()) {
            case ACCEPTED -> Operation.Result.ACCEPTED;
            case TAKEN -> Operation.Result.TAKEN;
            case FENCED -> Operation.Result.FENCED;
            case ID_TOO_OLD -> Operation.Result.TOO_OLD;
            case ID_IN_FUTURE, CANCELLED ->
                    throw new IllegalArgumentException(
                            "Expected a definite answer to a commit that is not cancelled, but got "
                                    + decided.result());
        };
    }

    private static Operation operation(
            Commit commit,
            Operation.Result result,
            @Nullable CommitToken holder,
            long start,
            long end) {
        return new Operation(
                commit.id(), Operation.Kind.COMMIT, commit.token(), result, holder, start, end);
    }

    private static Operation unknown(Commit commit, long start) {
        return operation(commit, Operation.Result.UNKNOWN, null, start, Operation.NEVER);
    }

    /** What gets no answer did nothing. */
    void lookUp(List<EventId> ids, IdRegistry.Freshness freshness) {
        long start = System.nanoTime();
        registry.lookup(IdBatch.of(ids), freshness, LOOKUP_TIMEOUT)
                .whenComplete(
                        (answers, failure) -> {
                            if (failure == null) {
                                lookedUp(ids, freshness, answers, start);
                            }
                        });
    }

    private void lookedUp(
            List<EventId> ids, IdRegistry.Freshness freshness, LookupAnswers answers, long start) {
        long end = System.nanoTime();
        List<Operation> found = new ArrayList<>(ids.size());
        for (int i = 0; i < ids.size(); i++) {
            found.add(
                    new Operation(
                            ids.get(i),
                            freshness == IdRegistry.Freshness.LINEARIZABLE
                                    ? Operation.Kind.LOOKUP
                                    : Operation.Kind.STALE_LOOKUP,
                            null,
                            switch (answers.state(i)) {
                                case ABSENT -> Operation.Result.ABSENT;
                                case HELD -> Operation.Result.HELD;
                                case TOO_OLD -> Operation.Result.TOO_OLD;
                            },
                            answers.holder(i),
                            start,
                            end));
        }
        history.add(found);
    }
}

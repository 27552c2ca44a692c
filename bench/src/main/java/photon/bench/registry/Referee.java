package photon.bench.registry;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;
import photon.registry.api.CommitOutcome;
import photon.registry.api.RegistryClient.CommitResult;

/**
 * Judges every answer to a commit: an id that one caller wants is accepted; of two that race for
 * one, exactly one is, and the other hears the winner's token. Thread-safe.
 */
final class Referee {
    private static final int TOLD_MAX = 10;

    /** A contested number that one caller commits, and another is still to. */
    private record Challenge(long number, Object from) {}

    private final BenchIds ids;

    private final ConcurrentLinkedQueue<Challenge> challenges = new ConcurrentLinkedQueue<>();

    /** Contested numbers whose first answer was heard: whether it was accepted. */
    private final Map<Long, Boolean> halfDecided = new ConcurrentHashMap<>();

    private final LongAdder offered = new LongAdder();
    private final LongAdder contested = new LongAdder();
    private final LongAdder accepted = new LongAdder();
    private final LongAdder taken = new LongAdder();
    private final LongAdder wrong = new LongAdder();
    private final List<String> told = new ArrayList<>();

    Referee(BenchIds ids) {
        this.ids = ids;
    }

    /** So many numbers that callers are about to commit, each for the first time. */
    void offer(int numbers) {
        offered.add(numbers);
    }

    /** One of these, which somebody else is to commit too. */
    void challenge(long number, Object caller) {
        contested.increment();
        challenges.add(new Challenge(number, caller));
    }

    /** A number that another caller commits just now: commit it with the rival's token. */
    @Nullable Long challenge(Object caller) {
        Challenge challenge = challenges.poll();
        if (challenge == null) {
            return null;
        }
        if (challenge.from() == caller) {
            challenges.add(challenge);
            return null;
        }
        return challenge.number();
    }

    /** True if every contested number was tried by both. */
    boolean allChallenged() {
        return challenges.isEmpty();
    }

    /** So many attempts were accepted. */
    void accepted(int attempts) {
        accepted.add(attempts);
    }

    /** What is to be said of an attempt that was not accepted, or was one of two. */
    void judge(long attempt, CommitOutcome.Decided outcome) {
        long number = attempt >>> 1;
        boolean isContested = ids.isContested(number);
        if (outcome.result() == CommitResult.TAKEN && isContested) {
            taken.increment();
            if (!ids.token(attempt ^ 1).equals(outcome.holder())) {
                wrong(
                        "%s by %s is held by %s"
                                .formatted(ids.id(number), ids.token(attempt), outcome.holder()));
            }
        } else if (!outcome.isAccepted()) {
            wrong(
                    "%s by %s was answered %s"
                            .formatted(ids.id(number), ids.token(attempt), outcome));
        }
        if (isContested) {
            Boolean other = halfDecided.putIfAbsent(number, outcome.isAccepted());
            if (other != null) {
                halfDecided.remove(number);
                if (other == outcome.isAccepted()) {
                    wrong(
                            "%s was accepted by %s of the two who raced for it"
                                    .formatted(ids.id(number), other ? "both" : "none"));
                }
            }
        }
    }

    /** A wrong answer, of whatever kind; the first ones are kept for the report. */
    synchronized void wrong(String what) {
        wrong.increment();
        if (told.size() < TOLD_MAX) {
            told.add(what);
        }
    }

    synchronized List<String> told() {
        return List.copyOf(told);
    }

    /** Different ids that callers were given to commit. */
    long distinctIds() {
        return offered.sum();
    }

    long contested() {
        return contested.sum();
    }

    long accepted() {
        return accepted.sum();
    }

    /** Answers that another token holds the id. */
    long taken() {
        return taken.sum();
    }

    long wrong() {
        return wrong.sum();
    }

    /** When nothing is under way any more: each id was accepted once. */
    boolean isRight() {
        return wrong() == 0 && accepted() == distinctIds() && halfDecided.isEmpty();
    }
}

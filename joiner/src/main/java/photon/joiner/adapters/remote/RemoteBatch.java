package photon.joiner.adapters.remote;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import photon.joiner.adapters.AdapterDecision;

/** Pairs that one thread waits for. Thread-safe. */
final class RemoteBatch {
    private final @Nullable AdapterDecision[] decisions;
    private final CountDownLatch left;
    private String trouble = "";
    private boolean notAsked;
    private long answersBefore;
    private long decidedBefore;
    private boolean silent;

    RemoteBatch(int pairs) {
        decisions = new AdapterDecision[pairs];
        left = new CountDownLatch(pairs);
    }

    synchronized void decide(int index, AdapterDecision decision) {
        decisions[index] = decision;
        left.countDown();
    }

    /** What has no decision yet gets none. */
    synchronized void fail(String why) {
        trouble = why;
        while (left.getCount() > 0) {
            left.countDown();
        }
    }

    /** No adapter has seen any of them. */
    synchronized void notAsked(String why) {
        notAsked = true;
        fail(why);
    }

    /** False: not all are decided, nor has it failed. */
    boolean await(Duration timeout) throws InterruptedException {
        return left.await(timeout.toNanos(), TimeUnit.NANOSECONDS);
    }

    synchronized long unanswered() {
        return Arrays.stream(decisions).filter(decision -> decision == null).count();
    }

    /** Why some have no decision; empty: it has not failed. */
    synchronized String trouble() {
        return trouble;
    }

    /**
     * It is asked for.
     *
     * @param answers of the session until now
     */
    synchronized void asked(long answers) {
        answersBefore = answers;
    }

    /**
     * Whether there is something new since the last look, or since it was asked for: decisions of
     * its own, or, while it has none, answers of the session.
     */
    synchronized boolean look(long answers) {
        long decided = decisions.length - unanswered();
        silent = decided == 0 && answers == answersBefore;
        boolean goesOn = decided == 0 ? !silent : decided != decidedBefore;
        answersBefore = answers;
        decidedBefore = decided;
        return goesOn;
    }

    /** As of the last look: it has no decision, and the session no answer. */
    synchronized boolean isSilent() {
        return silent;
    }

    /** Of all pairs, in order. */
    synchronized List<AdapterDecision> decisions() {
        List<AdapterDecision> all = new ArrayList<>(decisions.length);
        for (AdapterDecision decision : decisions) {
            all.add(decision != null ? decision : undecided());
        }
        return all;
    }

    /** One that was asked may have met its end by this very pair: that counts. */
    private AdapterDecision undecided() {
        return notAsked
                ? new AdapterDecision.NotAsked(trouble)
                : new AdapterDecision.Retry(trouble);
    }
}

package photon.testbed.chaos;

import java.time.Duration;
import java.util.List;
import java.util.UUID;

/**
 * What actions work on.
 *
 * @param operator a connection of their own
 * @param pipeline the pipeline's UUID
 */
record ChaosTarget(
        ChaosReplicas replicas,
        ReplicaLinks links,
        Connection operator,
        UUID pipeline,
        History history,
        List<Joiner> joiners,
        boolean only) {
    private static final Duration COMMITS_WITHIN = Duration.ofMinutes(4);
    private static final long LOOK_EVERY_MILLIS = 5;

    /**
     * One that commits, as the control group knows it.
     *
     * @param slotName by which it registers
     * @param lately what it was given
     */
    record Joiner(String slotName, Client client, ChaosLoad.Lately lately) {}

    /** Something that is to become true. */
    interface Condition {
        boolean holds();
    }

    static void await(String what, Condition condition) throws InterruptedException {
        long end = System.nanoTime() + COMMITS_WITHIN.toNanos();
        while (!condition.holds()) {
            if (System.nanoTime() - end > 0) {
                throw new ChaosAction.TroubleException(
                        "Expected %s within %d s".formatted(what, COMMITS_WITHIN.toSeconds()));
            }
            Thread.sleep(LOOK_EVERY_MILLIS);
        }
    }

    /** Waits until a commit more than now is accepted. */
    void awaitCommits(String after) throws InterruptedException {
        long before = history.accepted();
        await("a commit to be accepted after " + after, () -> history.accepted() > before);
    }
}

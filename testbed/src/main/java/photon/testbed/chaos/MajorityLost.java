package photon.testbed.chaos;

import java.io.IOException;
import java.util.List;

/**
 * Three of five are gone, killed or stopped: nothing may be committed until one of them is back,
 * and then it must go on.
 */
record MajorityLost(ChaosTarget site) implements ChaosAction {
    private static final long HOLD_MILLIS = 4_000;

    /** Something was wrong that no time mends. */
    static final class ForbiddenException extends RuntimeException {
        ForbiddenException(String message) {
            super(message);
        }
    }

    @Override
    public ActionKind kind() {
        return ActionKind.MAJORITY_LOST;
    }

    @Override
    public String carryOut(Schedule.Planned planned, Moment moment)
            throws IOException, InterruptedException {
        int pick = planned.pick();
        ChaosReplicas replicas = site.replicas();
        int leader = replicas.anyLeader(pick);
        List<Integer> victims =
                List.of(
                        leader,
                        (leader + 1 + pick % 2) % replicas.size(),
                        (leader + 3 + pick / 2 % 2) % replicas.size());
        boolean kills = pick / 4 % 2 == 0;
        moment.tell((kills ? "killed " : "stopped ") + victims);
        long without;
        if (kills) {
            replicas.kill(victims);
            without = commitsWithoutMajority();
            moment.undone();
            replicas.start(victims);
        } else {
            try {
                for (int victim : victims) {
                    replicas.pause(victim);
                }
                without = commitsWithoutMajority();
            } finally {
                for (int victim : victims) {
                    replicas.goOn(victim);
                }
            }
            moment.undone();
        }
        if (without > 0) {
            throw new ForbiddenException(
                    "Expected no commit to be asked for and accepted while %s of %d replicas were away, but %d were"
                            .formatted(victims, replicas.size(), without));
        }
        site.awaitCommits("a majority was away");
        return "done";
    }

    /** Answers to what was asked before may be on their way for as long as they like. */
    private long commitsWithoutMajority() throws InterruptedException {
        long gone = System.nanoTime();
        Thread.sleep(HOLD_MILLIS);
        return site.history().acceptedAskedSince(gone);
    }
}

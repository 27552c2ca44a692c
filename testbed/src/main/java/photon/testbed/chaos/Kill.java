package photon.testbed.chaos;

import java.io.IOException;
import java.util.List;

/** {@code kill -9} of one replica or two, and started again after a while. */
record Kill(ActionKind kind, ChaosTarget site) implements ChaosAction {
    /** Alone, it shall be over before the start takes the processors. */
    private static final long HOLD_MILLIS_MIN_ONLY = 4_000;

    @Override
    public String carryOut(Schedule.Planned planned, Moment moment)
            throws IOException, InterruptedException {
        ChaosReplicas replicas = site.replicas();
        List<Integer> victims = victims(planned.pick());
        moment.tell("replicas " + victims);
        replicas.kill(victims);
        Thread.sleep(Math.max(planned.hold().toMillis(), site.only() ? HOLD_MILLIS_MIN_ONLY : 0));
        moment.undone();
        replicas.start(victims);
        return "done";
    }

    private List<Integer> victims(int pick) throws InterruptedException {
        ChaosReplicas replicas = site.replicas();
        if (kind == ActionKind.KILL_FOLLOWER) {
            return List.of(replicas.follower());
        }
        int leader = site.only() ? replicas.leader(pick) : replicas.anyLeader(pick);
        return kind == ActionKind.KILL_TWO
                ? List.of(leader, replicas.other(leader, pick))
                : List.of(leader);
    }
}

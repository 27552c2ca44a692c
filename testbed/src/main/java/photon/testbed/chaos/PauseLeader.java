package photon.testbed.chaos;

import java.io.IOException;

/** A leader that hangs as a machine does, and goes on as if nothing had been. */
record PauseLeader(ChaosTarget site) implements ChaosAction {
    private static final long MILLIS_MIN = 1_500;

    @Override
    public ActionKind kind() {
        return ActionKind.PAUSE_LEADER;
    }

    @Override
    public String carryOut(Schedule.Planned planned, Moment moment)
            throws IOException, InterruptedException {
        int leader = site.replicas().anyLeader(planned.pick());
        moment.tell("replica " + leader);
        site.replicas().pause(leader);
        try {
            Thread.sleep(Math.max(MILLIS_MIN, planned.hold().toMillis()));
        } finally {
            site.replicas().goOn(leader);
        }
        moment.undone();
        site.awaitCommits("a pause");
        return "done";
    }
}

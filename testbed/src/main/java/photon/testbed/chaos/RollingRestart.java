package photon.testbed.chaos;

import java.io.IOException;
import java.util.List;

/** All replicas in turn, as for another version: SIGTERM, start, and the next when it serves. */
record RollingRestart(ChaosTarget site) implements ChaosAction {
    @Override
    public ActionKind kind() {
        return ActionKind.ROLLING_RESTART;
    }

    @Override
    public String carryOut(Schedule.Planned planned, Moment moment)
            throws IOException, InterruptedException {
        ChaosReplicas replicas = site.replicas();
        moment.tell("all replicas");
        for (int i = 0; i < replicas.size(); i++) {
            int replica = (planned.pick() + i) % replicas.size();
            replicas.stop(replica);
            replicas.start(List.of(replica));
            site.awaitCommits("a restart");
        }
        moment.undone();
        return "done";
    }
}

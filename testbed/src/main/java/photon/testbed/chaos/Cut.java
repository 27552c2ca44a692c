package photon.testbed.chaos;

import java.util.ArrayList;
import java.util.List;

/** Replicas that do not reach each other, or are not reached by clients. */
record Cut(ActionKind kind, ChaosTarget site) implements ChaosAction {
    private static final long MILLIS_MIN = 1_500;

    @Override
    public String carryOut(Schedule.Planned planned, Moment moment) throws InterruptedException {
        int pick = planned.pick();
        int leader = site.replicas().anyLeader(pick);
        List<Integer> side = new ArrayList<>(List.of(leader));
        if (kind == ActionKind.SPLIT) {
            side.add(site.replicas().other(leader, pick));
        }
        moment.tell("replicas " + side);
        try {
            cut(side, pick);
            Thread.sleep(Math.max(MILLIS_MIN, planned.hold().toMillis()));
        } finally {
            site.links().mend(pick % 2 == 0);
        }
        moment.undone();
        site.awaitCommits("a cut");
        return "done";
    }

    private void cut(List<Integer> side, int pick) {
        ReplicaLinks links = site.links();
        boolean hears = pick % 3 == 0;
        for (int replica : side) {
            if (kind != ActionKind.CUT_ONE_WAY) {
                links.cut(ReplicaLinks.CLIENTS, replica);
            }
            for (int other = 0; other < site.replicas().size(); other++) {
                if (kind == ActionKind.CUT_FROM_CLIENTS || side.contains(other)) {
                    continue;
                }
                if (kind != ActionKind.CUT_ONE_WAY || hears) {
                    links.cut(replica, other);
                }
                if (kind != ActionKind.CUT_ONE_WAY || !hears) {
                    links.cut(other, replica);
                }
            }
        }
    }
}

package photon.testbed.chaos;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** Who does what can happen: one for each kind. */
final class Happenings {
    private Happenings() {}

    static Map<Kind, Happening> of(Site site) {
        ReshardHappening.Turn turn = new ReshardHappening.Turn();
        List<Happening> all =
                List.of(
                        new Kill(Kind.KILL_LEADER, site),
                        new Kill(Kind.KILL_FOLLOWER, site),
                        new Kill(Kind.KILL_TWO, site),
                        new PauseLeader(site),
                        new Cut(Kind.CUT_OFF, site),
                        new Cut(Kind.CUT_ONE_WAY, site),
                        new Cut(Kind.CUT_FROM_CLIENTS, site),
                        new Cut(Kind.SPLIT, site),
                        new MajorityLost(site),
                        new RollingRestart(site),
                        new ReplaceMember(site),
                        new ReshardHappening(Kind.RESHARD, site, turn),
                        new ReshardHappening(Kind.RESHARD_CANCEL, site, turn),
                        new Boundary(site),
                        new StartOver(site));
        Map<Kind, Happening> byKind = new EnumMap<>(Kind.class);
        all.forEach(happening -> byKind.put(happening.kind(), happening));
        return byKind;
    }
}

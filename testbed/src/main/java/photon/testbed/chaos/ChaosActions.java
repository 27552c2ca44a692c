package photon.testbed.chaos;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** Who does what can happen: one for each kind. */
final class ChaosActions {
    private ChaosActions() {}

    static Map<Kind, ChaosAction> of(ChaosTarget site) {
        ReshardAction.Turn turn = new ReshardAction.Turn();
        List<ChaosAction> all =
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
                        new ReshardAction(Kind.RESHARD, site, turn),
                        new ReshardAction(Kind.RESHARD_CANCEL, site, turn),
                        new Boundary(site),
                        new StartOver(site));
        Map<Kind, ChaosAction> byKind = new EnumMap<>(Kind.class);
        all.forEach(action -> byKind.put(action.kind(), action));
        return byKind;
    }
}

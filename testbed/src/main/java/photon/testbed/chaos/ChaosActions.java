package photon.testbed.chaos;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** Who does what can happen: one for each kind. */
final class ChaosActions {
    private ChaosActions() {}

    static Map<ActionKind, ChaosAction> of(ChaosTarget site) {
        ReshardAction.Turn turn = new ReshardAction.Turn();
        List<ChaosAction> all =
                List.of(
                        new Kill(ActionKind.KILL_LEADER, site),
                        new Kill(ActionKind.KILL_FOLLOWER, site),
                        new Kill(ActionKind.KILL_TWO, site),
                        new PauseLeader(site),
                        new Cut(ActionKind.CUT_OFF, site),
                        new Cut(ActionKind.CUT_ONE_WAY, site),
                        new Cut(ActionKind.CUT_FROM_CLIENTS, site),
                        new Cut(ActionKind.SPLIT, site),
                        new MajorityLost(site),
                        new RollingRestart(site),
                        new ReplaceMember(site),
                        new ReshardAction(ActionKind.RESHARD, site, turn),
                        new ReshardAction(ActionKind.RESHARD_CANCEL, site, turn),
                        new Boundary(site),
                        new StartOver(site));
        Map<ActionKind, ChaosAction> byKind = new EnumMap<>(ActionKind.class);
        all.forEach(action -> byKind.put(action.kind(), action));
        return byKind;
    }
}

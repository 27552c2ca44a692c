package photon.simulation.faults;

import java.util.EnumSet;
import photon.simulation.faults.Victim.Role;

/** Leaders that change, replicas that lag, logs that are slow, shard maps that change. */
final class RegistryFaults {
    private final Tools tools;

    RegistryFaults(Tools tools) {
        this.tools = tools;
    }

    void carryOut(FaultKind kind) {
        switch (kind) {
            case LEADER_CHANGE -> {
                tools.happened(kind, "");
                tools.scene.changeLeader();
            }
            case LAGGING_REPLICA -> {
                Victim server = tools.any(EnumSet.of(Role.REGISTRY));
                tools.happened(kind, server.name());
                tools.scene.lag(server, tools.seconds(5, 180));
            }
            case SLOW_COMMITS -> {
                tools.happened(kind, "");
                tools.scene.slowRegistryDisks(tools.seconds(10, 90));
            }
            case LAGGING_CONTROL -> laggingControl(kind);
            case RESHARD -> {
                tools.happened(kind, "");
                tools.scene.reshard(1);
            }
            case RESHARD_RACE -> {
                tools.happened(kind, "");
                tools.scene.reshard(2 + tools.random.nextInt(2));
            }
            default -> throw new IllegalArgumentException("Not of the registry: " + kind);
        }
    }

    /**
     * Followers of the control group know of a new map late, and come to lead the shards of it; now
     * and then with incarnations that were fenced before.
     */
    private void laggingControl(FaultKind kind) {
        tools.happened(kind, "");
        tools.scene.lagInControl(tools.seconds(10, 60));
        tools.after(tools.seconds(0, 2), () -> tools.scene.reshard(1));
        int changes = 1 + tools.random.nextInt(6);
        for (int i = 0; i < changes; i++) {
            tools.after(tools.seconds(1, 20), tools.scene::changeLeaders);
        }
    }
}

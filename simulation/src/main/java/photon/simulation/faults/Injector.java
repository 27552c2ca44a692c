package photon.simulation.faults;

import java.util.Map;

/** Carries out the faults of a plan, and counts what really happened. */
public final class Injector {
    private final Scene scene;
    private final Triggers triggers;
    private final Tools tools;
    private final ProcessFaults processes;
    private final LinkFaults links;
    private final MachineFaults machines;
    private final RegistryFaults registry;
    private final StagedFaults staged;
    private final SilenceFaults silence;

    public Injector(Scene scene, Triggers triggers) {
        this.scene = scene;
        this.triggers = triggers;
        this.tools = new Tools(scene, scene.timeline().random().split(), triggers);
        this.processes = new ProcessFaults(tools);
        this.links = new LinkFaults(tools);
        this.machines = new MachineFaults(tools);
        this.registry = new RegistryFaults(tools);
        this.staged = new StagedFaults(tools);
        this.silence = new SilenceFaults(tools);
    }

    /** Puts the plan into the timeline. */
    public void schedule(FaultPlan plan) {
        for (FaultPlan.Planned planned : plan.faults()) {
            scene.timeline()
                    .at(
                            planned.atNanos(),
                            () -> {
                                if (!tools.over()) {
                                    carryOut(planned.kind());
                                }
                            });
        }
    }

    /** Nothing of the plan happens any more, nothing waits for its step. */
    public void stop() {
        tools.stop();
        triggers.disarm();
    }

    /** How often each kind has happened, those that never did left out. */
    public Map<FaultKind, Integer> done() {
        return tools.done();
    }

    private void carryOut(FaultKind kind) {
        switch (kind) {
            case KILL,
                    KILL_AT_POINT,
                    KILL_IN_FILE_OPERATION,
                    RESTART,
                    POWER_LOSS,
                    POWER_LOSS_IN_STEP,
                    OUTAGE,
                    PAUSE,
                    ZOMBIE,
                    ZOMBIE_AT_POINT,
                    ZOMBIE_IN_FILE_OPERATION,
                    REGISTRY_KILL,
                    REGISTRY_PAUSE,
                    LEADER_CHANGE_IN_STEP ->
                    processes.carryOut(kind);
            case PARTITION,
                    ONE_WAY_PARTITION,
                    DATACENTER_CUT_OFF,
                    SLOW_LINK,
                    LOSSY_LINK,
                    REPEATING_LINK,
                    LATE_CALLS ->
                    links.carryOut(kind);
            case DISK_FULL,
                    DISK_ERRORS,
                    DISK_SLOW,
                    FILES_AWAY,
                    CLOCK_JUMP,
                    CLOCK_DRIFT,
                    CLOCK_UNSYNCHRONISED ->
                    machines.carryOut(kind);
            case LEADER_CHANGE,
                    LAGGING_REPLICA,
                    SLOW_COMMITS,
                    LAGGING_CONTROL,
                    RESHARD,
                    RESHARD_RACE ->
                    registry.carryOut(kind);
            case DEATH_AND_CLOSE,
                    LATE_OWNER,
                    LATE_WRITER,
                    LATE_COPIES,
                    LOGS_GONE,
                    LOGS_AWAY,
                    STATE_LOST,
                    FILE_LOST,
                    RESHARD_ASLEEP,
                    BOUNDARY_LEAPS ->
                    staged.carryOut(kind);
            case SLOT_GONE, LATE_FENCE, REGISTRY_AWAY -> silence.carryOut(kind);
        }
    }
}

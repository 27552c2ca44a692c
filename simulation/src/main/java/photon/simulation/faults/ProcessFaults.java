package photon.simulation.faults;

import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import photon.core.crash.CrashPoint;
import photon.simulation.faults.Victim.Role;
import photon.simulation.kernel.Life;
import photon.storage.files.MemoryFileStore.Operation;

/** Processes that end, stand still, or are taken for dead, at any moment or within a step. */
final class ProcessFaults {
    private static final CrashPoint[] POINTS = CrashPoint.values();
    static final Set<CrashPoint> BETWEEN_COMMIT_AND_ANSWER =
            EnumSet.range(CrashPoint.COMMIT_SENT, CrashPoint.WORK_LOG_FLUSHED);
    private static final List<Operation> CHANGES =
            List.of(Operation.values()).stream().filter(Operation::changes).toList();

    private final Tools tools;

    ProcessFaults(Tools tools) {
        this.tools = tools;
    }

    void carryOut(FaultKind kind) {
        switch (kind) {
            case KILL -> kill(kind, tools.any(EnumSet.range(Role.EVENT_STORE, Role.VERIFIER)));
            case REGISTRY_KILL -> kill(kind, tools.any(EnumSet.of(Role.REGISTRY)));
            case KILL_AT_POINT -> atPoint(kind, EnumSet.allOf(CrashPoint.class), Tools::killed);
            case KILL_IN_FILE_OPERATION -> inOperation(kind, Tools::killed);
            case RESTART -> restart(kind);
            case POWER_LOSS -> {
                String datacenter = tools.anyDatacenter();
                tools.happened(kind, datacenter);
                tools.scene.losePower(datacenter);
            }
            case POWER_LOSS_IN_STEP ->
                    inStep(kind, EnumSet.allOf(CrashPoint.class), this::darkened);
            case OUTAGE -> {
                String datacenter = tools.anyDatacenter();
                tools.happened(kind, datacenter);
                tools.scene.outage(datacenter, tools.seconds(20, 240));
            }
            case PAUSE -> pause(kind, tools.any(EnumSet.range(Role.EVENT_STORE, Role.VERIFIER)));
            case REGISTRY_PAUSE -> pause(kind, tools.any(EnumSet.of(Role.REGISTRY)));
            case ZOMBIE -> zombie(kind);
            case ZOMBIE_AT_POINT ->
                    atPoint(
                            kind,
                            tools.random.nextBoolean()
                                    ? EnumSet.of(CrashPoint.COMMIT_ACCEPTED)
                                    : BETWEEN_COMMIT_AND_ANSWER,
                            this::sleep);
            case ZOMBIE_IN_FILE_OPERATION -> inOperation(kind, this::sleep);
            case LEADER_CHANGE_IN_STEP ->
                    atPoint(
                            kind,
                            EnumSet.of(CrashPoint.COMMIT_SENT, CrashPoint.COMMIT_ACCEPTED),
                            (at, life) -> changeLeadersSoon());
            default -> throw new IllegalArgumentException("Not of a process: " + kind);
        }
    }

    private void kill(FaultKind kind, Victim victim) {
        Life life = victim.life();
        if (life != null && life.alive()) {
            tools.happened(kind, victim.name());
            life.end("killed");
        }
    }

    private void restart(FaultKind kind) {
        if (tools.random.nextBoolean()) {
            atPoint(kind, BETWEEN_COMMIT_AND_ANSWER, (at, life) -> at.restart());
            return;
        }
        Victim victim = tools.any(EnumSet.of(Role.DISPATCHER, Role.JOINER, Role.VERIFIER));
        tools.happened(kind, victim.name());
        victim.restart();
    }

    private void pause(FaultKind kind, Victim victim) {
        Life life = victim.life();
        if (life != null && life.alive()) {
            tools.happened(kind, victim.name());
            life.pause(tools.seconds(1, 90));
        }
    }

    private void zombie(FaultKind kind) {
        Victim victim = tools.anyWithSteps();
        Life life = victim.life();
        if (life != null && life.alive()) {
            tools.happened(kind, victim.name());
            life.pause(asleep());
            replaceSoon(victim);
        }
    }

    /** It wakes when its successor has just come, or when all that it had begun is repaired. */
    private Duration asleep() {
        return tools.random.nextInt(3) == 0 ? tools.seconds(1, 15) : tools.seconds(10, 150);
    }

    private void replaceSoon(Victim victim) {
        tools.scene.timeline().after(tools.seconds(0, 10), victim::replace);
    }

    private interface InStep {
        void hit(Victim at, Life life);
    }

    private void sleep(Victim at, Life life) {
        life.pause(asleep());
        replaceSoon(at);
        life.awaitPause();
    }

    /** The life's whole datacenter ends within the task that runs. */
    private void darkened(Victim at, Life life) {
        tools.scene.losePower(at.datacenter());
        life.checkAlive();
    }

    /** While what was just sent is on its way, or in a log and not yet committed. */
    private void changeLeadersSoon() {
        tools.scene
                .timeline()
                .after(
                        Duration.ofNanos(tools.random.nextLong(8_000_000)),
                        tools.scene::changeLeaders);
    }

    private void inStep(FaultKind kind, Set<CrashPoint> among, InStep step) {
        if (tools.random.nextBoolean()) {
            atPoint(kind, among, step);
        } else {
            inOperation(kind, step);
        }
    }

    private void atPoint(FaultKind kind, Set<CrashPoint> among, InStep step) {
        CrashPoint point = POINTS[tools.random.nextInt(POINTS.length)];
        while (!among.contains(point)) {
            point = POINTS[tools.random.nextInt(POINTS.length)];
        }
        Victim victim =
                tools.any(
                        EnumSet.of(
                                switch (point) {
                                    case JOURNAL_WRITTEN, CHECKPOINT_WRITTEN -> Role.DISPATCHER;
                                    case REPAIRING -> Role.VERIFIER;
                                    default -> Role.JOINER;
                                }));
        CrashPoint where = point;
        tools.triggers.atPoint(
                victim.name(),
                point,
                1 + tools.random.nextInt(6),
                life -> {
                    tools.happened(kind, victim.name() + " at " + where);
                    step.hit(victim, life);
                });
    }

    private void inOperation(FaultKind kind, InStep step) {
        Victim victim = tools.anyWithSteps();
        boolean any = tools.random.nextInt(3) == 0;
        // Before a sync most is at stake.
        Operation operation =
                tools.random.nextInt(4) == 0
                        ? Operation.SYNC
                        : CHANGES.get(tools.random.nextInt(CHANGES.size()));
        tools.triggers.atOperation(
                victim.name(),
                any ? null : operation,
                1 + tools.random.nextInt(any ? 60 : 5),
                life -> {
                    tools.happened(
                            kind, victim.name() + " in " + (any ? "any operation" : operation));
                    step.hit(victim, life);
                });
    }
}

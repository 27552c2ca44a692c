package photon.simulation.faults;

import java.time.Duration;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;
import photon.core.crash.CrashPoint;
import photon.simulation.faults.Victim.Role;
import photon.simulation.kernel.HostClock;
import photon.simulation.kernel.Life;
import photon.simulation.network.Links;
import photon.storage.files.MemoryFileStore.Operation;

/** Carries out the faults of a plan, and counts what really happened. */
public final class Injector {
    private static final CrashPoint[] POINTS = CrashPoint.values();
    private static final Set<CrashPoint> BETWEEN_COMMIT_AND_ANSWER =
            EnumSet.range(CrashPoint.COMMIT_SENT, CrashPoint.WORK_LOG_FLUSHED);
    private static final List<Operation> CHANGES =
            List.of(Operation.values()).stream().filter(Operation::changes).toList();

    private final Scene scene;
    private final RandomGenerator random;
    private final Triggers triggers;
    private final Map<FaultKind, Integer> done = new EnumMap<>(FaultKind.class);
    private boolean over;

    public Injector(Scene scene, Triggers triggers) {
        this.scene = scene;
        this.random = scene.timeline().random().split();
        this.triggers = triggers;
    }

    /** Puts the plan into the timeline. */
    public void schedule(FaultPlan plan) {
        for (FaultPlan.Planned planned : plan.faults()) {
            scene.timeline()
                    .at(
                            planned.atNanos(),
                            () -> {
                                if (!over) {
                                    carryOut(planned.kind());
                                }
                            });
        }
    }

    /** Nothing of the plan happens any more, nothing waits for its step. */
    public void stop() {
        over = true;
        triggers.disarm();
    }

    /** How often each kind has happened, those that never did left out. */
    public Map<FaultKind, Integer> done() {
        return done;
    }

    private void happened(FaultKind kind, String what) {
        done.merge(kind, 1, Integer::sum);
        scene.timeline().trace().add("world", "FAULT %s %s", kind, what);
    }

    private void carryOut(FaultKind kind) {
        switch (kind) {
            case KILL -> kill(kind, any(EnumSet.range(Role.EVENT_STORE, Role.VERIFIER)));
            case REGISTRY_KILL -> kill(kind, any(EnumSet.of(Role.REGISTRY)));
            case KILL_AT_POINT -> atPoint(kind, EnumSet.allOf(CrashPoint.class), this::killed);
            case KILL_IN_FILE_OPERATION -> inOperation(kind, this::killed);
            case RESTART -> restart(kind);
            case POWER_LOSS -> {
                String datacenter = anyDatacenter();
                happened(kind, datacenter);
                scene.losePower(datacenter);
            }
            case POWER_LOSS_IN_STEP ->
                    inStep(kind, EnumSet.allOf(CrashPoint.class), this::darkened);
            case OUTAGE -> {
                String datacenter = anyDatacenter();
                happened(kind, datacenter);
                scene.outage(datacenter, seconds(20, 240));
            }
            case DEATH_AND_CLOSE -> deathAndClose(kind);
            case PAUSE -> pause(kind, any(EnumSet.range(Role.EVENT_STORE, Role.VERIFIER)));
            case REGISTRY_PAUSE -> pause(kind, any(EnumSet.of(Role.REGISTRY)));
            case ZOMBIE -> zombie(kind);
            case ZOMBIE_AT_POINT ->
                    atPoint(
                            kind,
                            random.nextBoolean()
                                    ? EnumSet.of(CrashPoint.COMMIT_ACCEPTED)
                                    : BETWEEN_COMMIT_AND_ANSWER,
                            this::sleep);
            case ZOMBIE_IN_FILE_OPERATION -> inOperation(kind, (at, life) -> sleep(at, life));
            case PARTITION, ONE_WAY_PARTITION, DATACENTER_CUT_OFF -> cut(kind);
            case SLOW_LINK -> links(kind, Links.Kind.SLOW, 0.1 + 5 * random.nextDouble());
            case LOSSY_LINK -> links(kind, Links.Kind.LOSSY, 0.05 + 0.6 * random.nextDouble());
            case REPEATING_LINK -> links(kind, Links.Kind.REPEATING, 0.2 + random.nextDouble());
            case LATE_CALLS -> links(kind, Links.Kind.LATE, 0.02 + 0.3 * random.nextDouble());
            case DISK_FULL, DISK_ERRORS, DISK_SLOW -> disk(kind);
            case FILES_AWAY -> {
                Victim verifier = any(EnumSet.of(Role.VERIFIER));
                happened(kind, verifier.name());
                scene.hideFiles(verifier, seconds(5, 120));
            }
            case CLOCK_JUMP, CLOCK_DRIFT -> clock(kind);
            case LEADER_CHANGE -> {
                happened(kind, "");
                scene.changeLeader();
            }
            case LEADER_CHANGE_IN_STEP ->
                    atPoint(
                            kind,
                            EnumSet.of(CrashPoint.COMMIT_SENT, CrashPoint.COMMIT_ACCEPTED),
                            (at, life) -> changeLeadersSoon());
            case LAGGING_REPLICA -> {
                Victim server = any(EnumSet.of(Role.REGISTRY));
                happened(kind, server.name());
                scene.lag(server, seconds(5, 180));
            }
            case RESHARD -> {
                happened(kind, "");
                scene.reshard(1);
            }
            case RESHARD_RACE -> {
                happened(kind, "");
                scene.reshard(2 + random.nextInt(2));
            }
        }
    }

    // ---- whom, and how long

    private Victim any(Set<Role> roles) {
        List<Victim> some = scene.victims().stream().filter(v -> roles.contains(v.role())).toList();
        return some.get(random.nextInt(some.size()));
    }

    /** Those whose steps are worth stopping in; joiners most of all. */
    private Victim anyWithSteps() {
        return random.nextInt(2) == 0
                ? any(EnumSet.of(Role.JOINER))
                : any(EnumSet.of(Role.DISPATCHER, Role.JOINER, Role.VERIFIER));
    }

    private String anyDatacenter() {
        List<String> all = scene.datacenters();
        return all.get(random.nextInt(all.size()));
    }

    private Duration seconds(int least, int most) {
        return Duration.ofMillis(least * 1_000L + random.nextLong((most - least) * 1_000L));
    }

    // ---- processes

    private void kill(FaultKind kind, Victim victim) {
        Life life = victim.life();
        if (life != null && life.alive()) {
            happened(kind, victim.name());
            life.end("killed");
        }
    }

    private void restart(FaultKind kind) {
        if (random.nextBoolean()) {
            atPoint(kind, BETWEEN_COMMIT_AND_ANSWER, (at, life) -> at.restart());
            return;
        }
        Victim victim = any(EnumSet.of(Role.DISPATCHER, Role.JOINER, Role.VERIFIER));
        happened(kind, victim.name());
        victim.restart();
    }

    private void deathAndClose(FaultKind kind) {
        Victim dies = any(EnumSet.of(Role.JOINER));
        Victim closes = any(EnumSet.of(Role.JOINER));
        Predicate<String> all = h -> true;
        scene.links().trouble(Links.Kind.REPEATING, all, all, 0.8, seconds(20, 60));
        triggers.atPoint(
                dies.name(),
                CrashPoint.COMMIT_ACCEPTED,
                1 + random.nextInt(3),
                life -> {
                    happened(kind, dies.name() + " dies, " + closes.name() + " closes");
                    scene.timeline().after(seconds(0, 20), closes::restart);
                    killed(dies, life);
                });
    }

    private void pause(FaultKind kind, Victim victim) {
        Life life = victim.life();
        if (life != null && life.alive()) {
            happened(kind, victim.name());
            life.pause(seconds(1, 90));
        }
    }

    private void zombie(FaultKind kind) {
        Victim victim = anyWithSteps();
        Life life = victim.life();
        if (life != null && life.alive()) {
            happened(kind, victim.name());
            life.pause(asleep());
            replaceSoon(victim);
        }
    }

    /** It wakes when its successor has just come, or when all that it had begun is repaired. */
    private Duration asleep() {
        return random.nextInt(3) == 0 ? seconds(1, 15) : seconds(10, 150);
    }

    private void replaceSoon(Victim victim) {
        scene.timeline().after(seconds(0, 10), victim::replace);
    }

    private interface InStep {
        void hit(Victim at, Life life);
    }

    /** The life ends within the task that runs: what that still does has no effect. */
    private void killed(Victim at, Life life) {
        life.end("killed in a step of " + at.role());
        life.checkAlive();
    }

    private void sleep(Victim at, Life life) {
        life.pause(asleep());
        replaceSoon(at);
        life.awaitPause();
    }

    /** The life's whole datacenter ends within the task that runs. */
    private void darkened(Victim at, Life life) {
        scene.losePower(at.datacenter());
        life.checkAlive();
    }

    /** While what was just sent is on its way, or in a log and not yet committed. */
    private void changeLeadersSoon() {
        scene.timeline().after(Duration.ofNanos(random.nextLong(8_000_000)), scene::changeLeaders);
    }

    private void inStep(FaultKind kind, Set<CrashPoint> among, InStep step) {
        if (random.nextBoolean()) {
            atPoint(kind, among, step);
        } else {
            inOperation(kind, step);
        }
    }

    private void atPoint(FaultKind kind, Set<CrashPoint> among, InStep step) {
        CrashPoint point = POINTS[random.nextInt(POINTS.length)];
        while (!among.contains(point)) {
            point = POINTS[random.nextInt(POINTS.length)];
        }
        Victim victim =
                any(
                        EnumSet.of(
                                switch (point) {
                                    case JOURNAL_WRITTEN, CHECKPOINT_WRITTEN -> Role.DISPATCHER;
                                    case REPAIRING -> Role.VERIFIER;
                                    default -> Role.JOINER;
                                }));
        CrashPoint where = point;
        triggers.atPoint(
                victim.name(),
                point,
                1 + random.nextInt(6),
                life -> {
                    happened(kind, victim.name() + " at " + where);
                    step.hit(victim, life);
                });
    }

    private void inOperation(FaultKind kind, InStep step) {
        Victim victim = anyWithSteps();
        boolean any = random.nextInt(3) == 0;
        // Before a sync most is at stake.
        Operation operation =
                random.nextInt(4) == 0
                        ? Operation.SYNC
                        : CHANGES.get(random.nextInt(CHANGES.size()));
        triggers.atOperation(
                victim.name(),
                any ? null : operation,
                1 + random.nextInt(any ? 60 : 5),
                life -> {
                    happened(kind, victim.name() + " in " + (any ? "any operation" : operation));
                    step.hit(victim, life);
                });
    }

    // ---- links

    private void cut(FaultKind kind) {
        Duration length = seconds(2, 120);
        if (kind == FaultKind.DATACENTER_CUT_OFF) {
            String datacenter = anyDatacenter();
            Predicate<String> there = in(datacenter);
            happened(kind, datacenter);
            cut(there, there.negate(), length);
            cut(there.negate(), there, length);
            return;
        }
        Victim victim = any(EnumSet.allOf(Role.class));
        Predicate<String> host = victim.host()::equals;
        boolean out = random.nextBoolean();
        happened(kind, victim.name());
        if (kind == FaultKind.PARTITION || out) {
            cut(host, h -> true, length);
        }
        if (kind == FaultKind.PARTITION || !out) {
            cut(h -> true, host, length);
        }
    }

    private Predicate<String> in(String datacenter) {
        List<String> hosts =
                scene.victims().stream()
                        .filter(v -> v.datacenter().equals(datacenter))
                        .map(Victim::host)
                        .toList();
        return hosts::contains;
    }

    private void cut(Predicate<String> from, Predicate<String> to, Duration length) {
        scene.links().trouble(Links.Kind.CUT, from, to, 1, length);
    }

    private void links(FaultKind kind, Links.Kind trouble, double share) {
        Victim victim = any(EnumSet.allOf(Role.class));
        Predicate<String> all = h -> true;
        Predicate<String> host = random.nextInt(3) == 0 ? all : victim.host()::equals;
        Duration length = seconds(5, 120);
        happened(kind, victim.name());
        scene.links().trouble(trouble, host, all, share, length);
        scene.links().trouble(trouble, all, host, share, length);
    }

    // ---- disks and clocks

    private void disk(FaultKind kind) {
        String datacenter = anyDatacenter();
        Duration length = seconds(1, 60);
        happened(kind, datacenter);
        switch (kind) {
            case DISK_FULL -> scene.disk(datacenter).full(random.nextInt(20_000), length);
            case DISK_SLOW ->
                    scene.disk(datacenter)
                            .slow(
                                    EnumSet.copyOf(CHANGES),
                                    0.02 + 0.1 * random.nextDouble(),
                                    Duration.ofSeconds(3),
                                    length);
            default -> {
                Set<Operation> failing = EnumSet.noneOf(Operation.class);
                boolean one = random.nextInt(3) == 0;
                if (one) {
                    failing.add(CHANGES.get(random.nextInt(CHANGES.size())));
                }
                for (Operation operation : Operation.values()) {
                    if (!one && random.nextInt(3) == 0) {
                        failing.add(operation);
                    }
                }
                scene.disk(datacenter).fail(failing, 0.01 + 0.2 * random.nextDouble(), length);
            }
        }
    }

    private void clock(FaultKind kind) {
        List<HostClock> clocks = scene.clocks();
        // Of the boundary's keeper, often: everyone believes that clock.
        int chosen = random.nextInt(3) == 0 ? scene.keepersClock() : random.nextInt(clocks.size());
        HostClock clock = clocks.get(chosen);
        if (kind == FaultKind.CLOCK_JUMP) {
            long micros = random.nextLong(-3_600_000_000L, 3_600_000_000L);
            happened(kind, "of machine " + chosen + " by " + micros / 1_000_000 + " s");
            clock.jump(micros);
        } else {
            long drift = random.nextLong(-2_000, 2_000);
            happened(kind, "of machine " + chosen + " by " + drift + " ppm");
            clock.drift(drift);
        }
    }
}

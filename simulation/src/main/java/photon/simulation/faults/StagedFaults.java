package photon.simulation.faults;

import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import photon.core.crash.CrashPoint;
import photon.simulation.faults.Victim.Role;
import photon.simulation.kernel.Life;
import photon.simulation.network.SimulatedLinks;
import photon.storage.files.MemoryFileStore.Operation;

/**
 * Faults of several steps that chance alone would hardly bring in this order. Each step waits for a
 * process to come to a certain point, so whether and when all of it happens is the world's affair.
 */
final class StagedFaults {
    private final Tools tools;

    /** Datacenters some of whose logs were away for less than a repair looks for them. */
    private final Set<String> awayShortly = new TreeSet<>();

    StagedFaults(Tools tools) {
        this.tools = tools;
    }

    void carryOut(FaultKind kind) {
        switch (kind) {
            case DEATH_AND_CLOSE -> deathAndClose(kind);
            case LATE_OWNER -> lateOwner(kind);
            case LATE_WRITER -> lateWriter(kind);
            case LATE_COPIES -> lateCopies(kind);
            case RESHARD_ASLEEP -> reshardAsleep(kind);
            case BOUNDARY_LEAPS -> boundaryLeaps(kind);
            case LOGS_GONE -> logsGone(kind);
            case LOGS_AWAY -> logsAway(kind);
            case STATE_LOST -> stateLost(kind);
            case FILE_LOST -> fileLost(kind);
            default -> throw new IllegalArgumentException("Not of several steps: " + kind);
        }
    }

    private void deathAndClose(FaultKind kind) {
        Victim dies = tools.any(EnumSet.of(Role.JOINER));
        Victim closes = tools.any(EnumSet.of(Role.JOINER));
        Predicate<String> all = h -> true;
        tools.scene
                .links()
                .trouble(SimulatedLinks.Kind.REPEATING, all, all, 0.8, tools.seconds(20, 60));
        dying(
                dies,
                life -> {
                    tools.happened(kind, dies.name() + " dies, " + closes.name() + " closes");
                    tools.after(tools.seconds(0, 20), closes::restart);
                });
    }

    /** The joiner dies with ids that it holds and has not written; first this happens. */
    private void dying(Victim joiner, Triggers.Action first) {
        tools.triggers.atPoint(
                joiner.name(),
                CrashPoint.COMMIT_ACCEPTED,
                1 + tools.random.nextInt(3),
                life -> {
                    first.hit(life);
                    Tools.killed(joiner, life);
                });
    }

    private void lateOwner(FaultKind kind) {
        String datacenter = tools.anyDatacenter();
        Victim dispatcher = tools.in(datacenter, Role.DISPATCHER);
        dying(
                tools.in(datacenter, Role.JOINER),
                dead ->
                        tools.triggers.atCall(
                                dispatcher.name(),
                                tools.scene.repairRowsMethod(),
                                called ->
                                        tools.triggers.atOperation(
                                                dispatcher.name(),
                                                Operation.WRITE,
                                                "/journal",
                                                life ->
                                                        fallAsleepAsOwner(
                                                                kind, dispatcher, life))));
    }

    /** Not for longer than the verifier waits for its answer. */
    private void fallAsleepAsOwner(FaultKind kind, Victim dispatcher, Life life) {
        tools.happened(kind, dispatcher.name());
        life.pause(tools.seconds(8, 26));
        tools.after(tools.seconds(0, 4), dispatcher::replace);
        life.awaitPause();
    }

    private void lateWriter(FaultKind kind) {
        String datacenter = tools.anyDatacenter();
        Victim joiner = tools.in(datacenter, Role.JOINER);
        Victim verifier = tools.in(datacenter, Role.VERIFIER);
        tools.triggers.atPoint(
                joiner.name(),
                CrashPoint.COMMIT_ACCEPTED,
                2 + tools.random.nextInt(6),
                life -> {
                    Slumber slumber = new Slumber(tools, life, tools.seconds(60, 90));
                    tools.after(tools.seconds(0, 4), joiner::replace);
                    tools.triggers.atPoint(
                            verifier.name(),
                            CrashPoint.PUBLISHING,
                            1 + tools.random.nextInt(2),
                            sealing -> {
                                tools.happened(kind, joiner.name());
                                slumber.end();
                                Tools.killed(verifier, sealing);
                            });
                });
    }

    private void lateCopies(FaultKind kind) {
        Victim loses = tools.any(EnumSet.of(Role.JOINER));
        Victim closes = tools.any(EnumSet.of(Role.JOINER));
        while (closes.equals(loses)) {
            closes = tools.any(EnumSet.of(Role.JOINER));
        }
        Victim closing = closes;
        Scene.Held held = tools.scene.holdCommits(closing, 0.7, tools.seconds(10, 30));
        boolean lives = tools.random.nextBoolean();
        Victim verifier = tools.in(loses.datacenter(), Role.VERIFIER);
        dying(
                loses,
                life -> {
                    tools.happened(
                            kind,
                            loses.name()
                                    + " loses, "
                                    + closing.name()
                                    + (lives ? " lives" : " closes"));
                    Life repairing = verifier.life();
                    if (repairing != null) {
                        repairing.pause(tools.seconds(25, 45));
                    }
                    if (!lives) {
                        tools.after(
                                tools.seconds(7, 20),
                                () -> closing.closeFor(tools.seconds(60, 120)));
                    }
                    tools.scene.afterRemovals(loses, held::releaseSome);
                });
    }

    private void reshardAsleep(FaultKind kind) {
        Victim joiner = tools.any(EnumSet.of(Role.JOINER));
        Duration asleep = tools.seconds(12, 27);
        tools.scene.reshardUnheard(
                asleep,
                () ->
                        tools.triggers.atPoint(
                                joiner.name(),
                                CrashPoint.COMMIT_SENT,
                                1 + tools.random.nextInt(4),
                                life -> {
                                    tools.happened(kind, joiner.name() + " sleeps, too");
                                    life.pause(asleep.plus(tools.seconds(2, 20)));
                                    tools.after(tools.seconds(0, 3), joiner::replace);
                                }));
    }

    /**
     * A joiner has ids that it has not written: it is not answered, or dies and is not repaired for
     * long. Until it has, or is, the boundary waits; then it comes on, in steps.
     */
    private void boundaryLeaps(FaultKind kind) {
        Victim joiner = tools.any(EnumSet.of(Role.JOINER));
        Duration ahead = Duration.ofMillis(tools.random.nextInt(-20_000, 5_000));
        Duration unheard = tools.seconds(62, 90);
        Duration length = unheard.plus(tools.seconds(120, 240));
        if (tools.random.nextBoolean()) {
            dying(
                    joiner,
                    life -> {
                        tools.happened(kind, joiner.name() + " dies and is not repaired");
                        Life repairing = tools.in(joiner.datacenter(), Role.VERIFIER).life();
                        if (repairing != null) {
                            repairing.pause(unheard.plus(tools.seconds(0, 60)));
                        }
                        tools.scene.leapBoundary(ahead, length);
                    });
            return;
        }
        tools.happened(kind, joiner.name() + " is not answered");
        tools.scene.leapBoundary(ahead, length);
        List<String> servers =
                tools.scene.victims().stream()
                        .filter(victim -> victim.role() == Role.REGISTRY)
                        .map(Victim::host)
                        .toList();
        tools.scene
                .links()
                .trouble(
                        SimulatedLinks.Kind.CUT,
                        servers::contains,
                        joiner.host()::equals,
                        1,
                        unheard);
    }

    /** With repair rows that were just answered for, or at any moment. */
    private void stateLost(FaultKind kind) {
        String datacenter = tools.anyDatacenter();
        Duration undeclared = tools.seconds(1, 100);
        Duration later = tools.random.nextBoolean() ? Duration.ZERO : tools.seconds(0, 20);
        if (tools.random.nextInt(4) == 0) {
            loseState(kind, datacenter, undeclared);
            return;
        }
        Victim dispatcher = tools.in(datacenter, Role.DISPATCHER);
        dying(
                tools.in(datacenter, Role.JOINER),
                dead ->
                        tools.triggers.atCall(
                                dispatcher.name(),
                                tools.scene.repairRowsMethod(),
                                called ->
                                        tools.after(
                                                later.plusMillis(tools.random.nextInt(200)),
                                                () -> loseState(kind, datacenter, undeclared))));
    }

    private void fileLost(FaultKind kind) {
        String datacenter = tools.anyDatacenter();
        if (tools.scene.loseFile(datacenter, tools.random.nextLong(), tools.seconds(1, 60))) {
            tools.happened(kind, datacenter);
        }
    }

    private void loseState(FaultKind kind, String datacenter, Duration undeclared) {
        if (tools.scene.loseDispatcherState(datacenter, undeclared)) {
            tools.happened(kind, datacenter);
        }
    }

    private void logsGone(FaultKind kind) {
        String datacenter = tools.anyDatacenter();
        Victim verifier = tools.in(datacenter, Role.VERIFIER);
        dying(
                tools.in(datacenter, Role.JOINER),
                life -> {
                    tools.happened(kind, datacenter);
                    Life repairing = verifier.life();
                    if (repairing != null) {
                        repairing.pause(tools.seconds(40, 90));
                    }
                    tools.after(
                            tools.seconds(20, 40),
                            () -> tools.scene.putForeignLogsAway(datacenter));
                });
    }

    /**
     * Where a file that is away may be taken for one that was removed, some files may be away for
     * less than a repair looks for them only, and once: nothing but the time speaks for them.
     */
    private void logsAway(FaultKind kind) {
        String datacenter = tools.anyDatacenter();
        Victim verifier = tools.in(datacenter, Role.VERIFIER);
        boolean shortly =
                tools.random.nextBoolean()
                        && tools.scene.logsMayGo()
                        && awayShortly.add(datacenter);
        boolean directory = tools.random.nextBoolean() || (tools.scene.logsMayGo() && !shortly);
        int oneIn = 1 + tools.random.nextInt(2);
        Duration longer = tools.scene.giveUpAfter().plus(tools.seconds(5, 90));
        Duration most = tools.scene.giveUpAfter().minusSeconds(1);
        dying(
                tools.in(datacenter, Role.JOINER),
                life -> {
                    tools.happened(
                            kind, datacenter + (shortly ? ", shortly" : directory ? ", all" : ""));
                    if (shortly) {
                        tools.scene.hideForeignLogs(verifier, oneIn, most);
                    } else if (directory) {
                        tools.scene.hideForeignDirectory(verifier, longer);
                    } else {
                        tools.scene.hideForeignLogs(verifier, oneIn, longer);
                    }
                });
    }
}

package photon.simulation.faults;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/**
 * When which kind of fault happens. What exactly it hits is drawn when it happens.
 *
 * @param faults in order of their time
 */
public record FaultPlan(List<Planned> faults) {
    private static final int FAULTS_MIN = 12;
    private static final int FAULTS_SPREAD = 24;
    private static final int LOST_FILES_ONE_IN = 4;

    /** Kinds that make one kind of history together. */
    private static final List<Set<FaultKind>> THEMES =
            List.of(
                    // Who sleeps, and what comes late, meets what was repaired meanwhile.
                    EnumSet.of(
                            FaultKind.ZOMBIE,
                            FaultKind.ZOMBIE_AT_POINT,
                            FaultKind.ZOMBIE_IN_FILE_OPERATION,
                            FaultKind.LATE_WRITER,
                            FaultKind.LATE_FENCE,
                            FaultKind.LATE_CALLS,
                            FaultKind.REPEATING_LINK),
                    // What was written and not synced.
                    EnumSet.of(
                            FaultKind.POWER_LOSS,
                            FaultKind.POWER_LOSS_IN_STEP,
                            FaultKind.KILL_IN_FILE_OPERATION,
                            FaultKind.KILL_AT_POINT,
                            FaultKind.DISK_SLOW),
                    // What was asked and not answered.
                    EnumSet.of(
                            FaultKind.LEADER_CHANGE,
                            FaultKind.LEADER_CHANGE_IN_STEP,
                            FaultKind.SLOW_COMMITS,
                            FaultKind.LATE_CALLS,
                            FaultKind.REPEATING_LINK,
                            FaultKind.DEATH_AND_CLOSE,
                            FaultKind.LATE_COPIES,
                            FaultKind.PARTITION,
                            FaultKind.REGISTRY_PAUSE),
                    // Who is silent, and who only cannot be heard.
                    EnumSet.of(
                            FaultKind.SLOT_GONE,
                            FaultKind.LATE_FENCE,
                            FaultKind.REGISTRY_AWAY,
                            FaultKind.PAUSE,
                            FaultKind.CLOCK_JUMP,
                            FaultKind.LATE_CALLS,
                            FaultKind.DATACENTER_CUT_OFF,
                            FaultKind.KILL),
                    // Maps that change over joiners that die.
                    EnumSet.of(
                            FaultKind.RESHARD,
                            FaultKind.RESHARD_RACE,
                            FaultKind.RESHARD_ASLEEP,
                            FaultKind.LEADER_CHANGE,
                            FaultKind.LATE_CALLS,
                            FaultKind.KILL_AT_POINT,
                            FaultKind.ZOMBIE_AT_POINT,
                            FaultKind.RESTART,
                            FaultKind.LAGGING_REPLICA,
                            FaultKind.LAGGING_CONTROL,
                            FaultKind.REGISTRY_KILL),
                    // Repairs that are disturbed.
                    EnumSet.of(
                            FaultKind.KILL_AT_POINT,
                            FaultKind.KILL_IN_FILE_OPERATION,
                            FaultKind.ZOMBIE_IN_FILE_OPERATION,
                            FaultKind.LAGGING_REPLICA,
                            FaultKind.LATE_CALLS,
                            FaultKind.FILES_AWAY,
                            FaultKind.LATE_OWNER,
                            FaultKind.LATE_WRITER,
                            FaultKind.LOGS_GONE,
                            FaultKind.LOGS_AWAY,
                            FaultKind.SLOT_GONE,
                            FaultKind.STATE_LOST,
                            FaultKind.DISK_ERRORS,
                            FaultKind.DISK_SLOW));

    /**
     * @param atNanos since the world's start
     */
    public record Planned(long atNanos, FaultKind kind) {}

    /**
     * Draws a plan. A world has a few of the kinds only, each as often as it was drawn: a world
     * with much of one trouble finds what a little of everything does not. Half have a theme. Every
     * other one has a few changes of the shard map, whatever else it has.
     *
     * @param busyNanos moments at which something comes: much of what breaks, breaks then
     * @param boundaryMoves the boundary shall pass ids
     * @param logsMayGo logs may be gone for good
     */
    public static FaultPlan draw(
            RandomGenerator random,
            long fromNanos,
            long untilNanos,
            List<Long> busyNanos,
            boolean boundaryMoves,
            boolean logsMayGo) {
        List<FaultKind> kinds =
                random.nextBoolean()
                        ? of(random, THEMES.get(random.nextInt(THEMES.size())), 0.8)
                        : of(
                                random,
                                EnumSet.complementOf(EnumSet.of(FaultKind.FILE_LOST)),
                                0.15 + 0.85 * random.nextDouble());
        int count = FAULTS_MIN + random.nextInt(FAULTS_SPREAD);
        List<Planned> planned = new ArrayList<>();
        long at = fromNanos;
        for (int i = 0; i < count; i++) {
            // Faults come in company: what breaks a system is seldom one thing alone.
            at =
                    switch (random.nextInt(4)) {
                        case 0 -> at + random.nextLong(8_000_000_000L);
                        case 1 -> at + random.nextLong(40_000_000_000L);
                        case 2 ->
                                busyNanos.get(random.nextInt(busyNanos.size()))
                                        + random.nextLong(-1_000_000_000L, 3_000_000_000L);
                        default -> random.nextLong(fromNanos, untilNanos);
                    };
            at = Math.max(fromNanos, Math.min(at, untilNanos));
            FaultKind kind = kinds.get(random.nextInt(kinds.size()));
            if (kind == FaultKind.LOGS_GONE && !logsMayGo) {
                kind = FaultKind.LOGS_AWAY;
            }
            planned.add(new Planned(at, kind));
        }
        if (random.nextBoolean()) {
            int reshards = 1 + random.nextInt(3);
            for (int i = 0; i < reshards; i++) {
                FaultKind kind = random.nextBoolean() ? FaultKind.RESHARD : FaultKind.RESHARD_RACE;
                planned.add(new Planned(random.nextLong(fromNanos, untilNanos), kind));
            }
        }
        if (boundaryMoves) {
            int leapsMax = 1 + random.nextInt(3);
            for (int i = 0; i < leapsMax; i++) {
                long leaps = random.nextLong(fromNanos, untilNanos);
                planned.add(new Planned(leaps, FaultKind.BOUNDARY_LEAPS));
            }
        }
        if (!boundaryMoves && !logsMayGo) {
            addLostFiles(planned, fromNanos, untilNanos);
        }
        planned.sort(Comparator.comparingLong(Planned::atNanos));
        return new FaultPlan(List.copyOf(planned));
    }

    /** In some worlds; drawn apart, so that the others are as they were without this kind. */
    private static void addLostFiles(List<Planned> planned, long fromNanos, long untilNanos) {
        SplittableRandom own = new SplittableRandom(planned.get(0).atNanos());
        if (own.nextInt(LOST_FILES_ONE_IN) == 0) {
            int files = 1 + own.nextInt(3);
            for (int i = 0; i < files; i++) {
                planned.add(new Planned(own.nextLong(fromNanos, untilNanos), FaultKind.FILE_LOST));
            }
        }
    }

    /** Some of these, each as often as it weighs. */
    private static List<FaultKind> of(RandomGenerator random, Set<FaultKind> among, double share) {
        List<FaultKind> kinds = new ArrayList<>();
        while (kinds.isEmpty()) {
            for (FaultKind kind : among) {
                if (random.nextDouble() < share) {
                    int weight = kind.weight() * (1 + random.nextInt(4));
                    kinds.addAll(Collections.nCopies(weight, kind));
                }
            }
        }
        return kinds;
    }
}

package photon.simulation.run;

import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.BooleanSupplier;
import photon.dispatcher.state.DispatcherStatus;
import photon.simulation.checks.Checkers;
import photon.simulation.checks.Fate;
import photon.simulation.checks.GroundTruth;
import photon.simulation.checks.InvariantViolation;
import photon.simulation.kernel.Timeline;
import photon.simulation.parts.JoinerHost;
import photon.simulation.parts.SimulatedDatacenter;
import photon.simulation.raft.SimulatedCluster;

/** The end of a world: nothing is wrong any more, and everything must come right by itself. */
final class QuietPhase {
    /**
     * All that is left must be done within so long once nothing is wrong any more and everything is
     * read, and nobody is restarted: what a live joiner has lost must show. A hesitant adapter's
     * own delays come on top.
     */
    private static final Duration QUIET_MAX = Duration.ofMinutes(5);

    /**
     * So long at most: a dispatcher that may hold few events reads slowly where it waits for
     * others, the slower where two share what they may hold, and what was compressed may come
     * twice.
     */
    private static final Duration READING_MAX = Duration.ofHours(2);

    /** So long after the last line it is known to those who read the logs. */
    private static final Duration SETTLE = Duration.ofSeconds(30);

    /** No incarnation was fenced for so long: two processes do not fence each other for ever. */
    private static final Duration STEADY = Duration.ofSeconds(60);

    /** From an event's deadline until it is decided to have no primary event, with its back-off. */
    private static final Duration DECIDING = Duration.ofSeconds(90);

    /** How often the quiet phase is asked whether it is over. */
    private static final Duration QUIET_LOOK = Duration.ofSeconds(5);

    /** Runs the world on until then; false once something is violated. */
    @FunctionalInterface
    interface Running {
        boolean until(long nanos);
    }

    private final Timeline timeline;
    private final Running running;
    private final GroundTruth truth;
    private final List<SimulatedDatacenter> datacenters;
    private final SimulatedCluster cluster;
    private final Checkers checkers;
    private final Verdicts verdicts;
    private final WorldSettings settings;
    private final BooleanSupplier retirementDone;
    private int ended;
    private long lastEndedNanos;

    /**
     * @param retirementDone a datacenter that is to be retired is
     */
    QuietPhase(
            Timeline timeline,
            Running running,
            GroundTruth truth,
            List<SimulatedDatacenter> datacenters,
            SimulatedCluster cluster,
            Checkers checkers,
            Verdicts verdicts,
            WorldSettings settings,
            BooleanSupplier retirementDone) {
        this.timeline = timeline;
        this.running = running;
        this.truth = truth;
        this.datacenters = List.copyOf(datacenters);
        this.cluster = cluster;
        this.checkers = checkers;
        this.verdicts = verdicts;
        this.settings = settings;
        this.retirementDone = retirementDone;
    }

    /**
     * @param inputEndsNanos when the last line comes
     */
    void run(long inputEndsNanos) {
        long from = Math.max(Math.max(inputEndsNanos, timeline.nowNanos()), decidedNanos());
        boolean done = comesRight(from, QUIET_MAX.plus(settings.hesitation()));
        if (verdicts.clean() && !done) {
            datacenters.forEach(
                    datacenter ->
                            timeline.trace()
                                    .add(
                                            datacenter.name(),
                                            "is not at rest: %s, %s",
                                            datacenter.dispatcherStatus(),
                                            datacenter.joiners().stream()
                                                    .map(JoinerHost::status)
                                                    .toList()));
            new LiveLosses(truth, checkers, cluster).find().forEach(this::lost);
        }
        if (verdicts.clean()) {
            verdicts.note(checkers.quiet());
            cluster.compareStates();
        }
        if (verdicts.clean() && !done) {
            verdicts.violated(
                    new InvariantViolation(
                            "I2",
                            "all is joined, but it does not come to rest; the last of "
                                    + ended
                                    + " incarnations that were not closed clean has ended "
                                    + Duration.ofNanos(timeline.nowNanos() - lastEndedNanos)
                                    + " ago",
                            List.of()));
        }
    }

    /**
     * Until then an event may wait for its primary event that is left out or rejected without one.
     * What is joined without one is waited for in any case.
     */
    private long decidedNanos() {
        long lastMicros =
                truth.identities().stream()
                        .filter(i -> i.fate() == Fate.SKIPPED || i.fate() == Fate.REJECTED)
                        .mapToLong(i -> i.id().micros())
                        .max()
                        .orElse(Timeline.START_MICROS);
        long sinceStart = (lastMicros - Timeline.START_MICROS) * 1_000;
        return settings.unmatched()
                .map(rule -> sinceStart + rule.after().plus(DECIDING).toNanos())
                .orElse(Long.MIN_VALUE);
    }

    private void lost(LiveLosses.Loss loss) {
        verdicts.violated(
                new InvariantViolation(
                        "I2",
                        loss.id()
                                + " is held by the live joiner's "
                                + loss.token()
                                + ", which has not written it",
                        List.of(loss.id())));
    }

    /**
     * Goes on until all is done and nobody starts over any more.
     *
     * @return false if it is not so in this time
     */
    private boolean comesRight(long fromNanos, Duration max) {
        CommittedRegistry registry = new CommittedRegistry(cluster);
        ended = registry.endedUncleanly();
        lastEndedNanos = timeline.nowNanos();
        long latest = fromNanos + READING_MAX.toNanos();
        long end = fromNanos + max.toNanos();
        long read = read();
        while (running.until(timeline.nowNanos() + QUIET_LOOK.toNanos())) {
            long now = timeline.nowNanos();
            int endedNow = registry.endedUncleanly();
            if (endedNow != ended) {
                ended = endedNow;
                lastEndedNanos = now;
            }
            if (read() != read) {
                read = read();
                end = Math.max(end, now + max.toNanos());
            }
            if (now >= fromNanos + SETTLE.toNanos()
                    && now - lastEndedNanos >= STEADY.toNanos()
                    && idle()
                    && checkers.mayBeDone()) {
                return true;
            }
            long writtenOff = writeOffAllowedNanos(registry) + max.toNanos();
            if (now >= Math.min(Math.max(end, writtenOff), latest)) {
                break;
            }
        }
        return false;
    }

    /**
     * Until then a repair must take it that a log is away, since a dispatcher's state was lost:
     * that is dated by the registry's latest clock, which may have leapt.
     */
    private long writeOffAllowedNanos(CommittedRegistry registry) {
        OptionalLong lostMicros = registry.lastStateLossMicros();
        return lostMicros.isEmpty()
                ? 0
                : (lostMicros.getAsLong() - Timeline.START_MICROS) * 1_000
                        + settings.retention().toNanos();
    }

    /** Lines that the dispatchers have read; changes for other reasons, too. */
    private long read() {
        long read = 0;
        for (SimulatedDatacenter datacenter : datacenters) {
            DispatcherStatus status = datacenter.dispatcherStatus();
            read += status == null ? -1 : status.eventsRead() + status.badRecords();
        }
        return read;
    }

    /** Nothing is on its way any more but what waits for its primary event. */
    private boolean idle() {
        if (!retirementDone.getAsBoolean()) {
            return false;
        }
        for (SimulatedDatacenter datacenter : datacenters) {
            if (datacenter.isClosed()) {
                continue;
            }
            DispatcherStatus status = datacenter.dispatcherStatus();
            if (status == null
                    || !status.caughtUp()
                    || status.unsettled() > 0
                    || datacenter.inputs().waiting() > 0) {
                return false;
            }
        }
        return cluster.settled();
    }
}

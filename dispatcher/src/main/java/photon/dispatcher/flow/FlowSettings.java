package photon.dispatcher.flow;

import java.time.Duration;
import java.util.random.RandomGenerator;
import photon.core.config.PipelineConfig;
import photon.core.time.Backoff;
import photon.core.time.IntervalClock;
import photon.core.trace.AttemptTracer;
import photon.dispatcher.rules.RetryPolicy;
import photon.dispatcher.rules.SenderPace;
import photon.dispatcher.rules.Stagger;

/**
 * What a {@link Flow} is given to decide with.
 *
 * @param flows of the process at most: each has its part of what bounds memory
 * @param positionsMovedMax {@link photon.dispatcher.rules.KeptPositions#MOVED_MAX}, or less so that
 *     few files show what many do
 * @param tracer told of attempts, in the main loop
 */
public record FlowSettings(
        IntervalClock clock,
        RandomGenerator random,
        Stagger stagger,
        PipelineConfig.Limits limits,
        int flows,
        Duration checkpointEvery,
        int positionsMovedMax,
        AttemptTracer tracer) {

    /** What an event in flight may take on average; where they are larger fewer are in flight. */
    private static final long EVENT_BYTES = 8 << 10;

    /** An event may be as large. */
    private static final long HELD_BYTES_MIN = 8 << 20;

    private static final Duration PAUSE_MIN = Duration.ofMillis(100);
    private static final Duration PAUSE_MAX = Duration.ofSeconds(5);

    RetryPolicy retryPolicy() {
        Backoff backoff = new Backoff(limits.retryBackoffMin(), limits.retryBackoffMax(), random);
        return new RetryPolicy(backoff, limits.retriesMax(), this::latestMillis);
    }

    private long latestMillis() {
        return clock.state().synchronised() ? clock.now().latestMicros() / 1_000 : Long.MAX_VALUE;
    }

    SenderPace pace() {
        return new SenderPace(new Backoff(PAUSE_MIN, PAUSE_MAX, random));
    }

    /** Rows of the journal have a quarter of the way to the joiner, so that neither holds up. */
    int rowsInFlightMax() {
        return Math.max(1, eventsInFlightMax() / 4);
    }

    int liveInFlightMax() {
        return Math.max(1, eventsInFlightMax() - rowsInFlightMax());
    }

    private int eventsInFlightMax() {
        return Math.max(1, limits.eventsInFlightMax() / flows);
    }

    /** Primary events whose arrival the event store is asked to tell of. */
    int awaitedMax() {
        return Math.max(1, WakeUps.AWAITED_MAX / flows);
    }

    /** Events that were joined without their primary event, and are watched for it. */
    int watchedMax() {
        return Math.max(1, Settler.WATCHED_MAX / flows);
    }

    int heldEventsMax() {
        return Math.max(1, limits.heldEventsMax() / flows);
    }

    /** Weight of events that are held. */
    long heldBytesMax() {
        return Math.max(HELD_BYTES_MIN, HoldQueue.WEIGHT_MAX / flows);
    }

    /** Weight of live events that are ready or in flight. */
    long liveBytesMax() {
        return liveInFlightMax() * EVENT_BYTES;
    }

    long rowBytesMax() {
        return rowsInFlightMax() * EVENT_BYTES;
    }

    int rangesMax() {
        return 2 * Intake.POLL_RECORDS_MAX + heldEventsMax() + 4 * eventsInFlightMax();
    }
}

package photon.core.time;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The operating system's clock, with the bound of its error that chronyd measures. It counts as
 * synchronised only while chronyd says so, a moment ago. Thread-safe.
 */
public final class ChronyClock implements IntervalClock, AutoCloseable {
    /** What chronyd says is asked so often. */
    private static final Duration READ_EVERY = Duration.ofSeconds(4);

    /** An older answer says nothing any more: chronyd may be gone. */
    static final Duration READING_AGE_MAX = Duration.ofSeconds(30);

    /** While nothing better is known. Says how wide the interval is, not that it is right. */
    public static final Duration BOUND_WITHOUT = Duration.ofMillis(250);

    private static final Logger LOG = LoggerFactory.getLogger(ChronyClock.class);

    private final IntervalClock system;
    private final LongSupplier nanoTime;
    private final Chronyc chronyc;
    private volatile Reading last = new Reading(null, 0, "chronyd has not been asked yet");
    private volatile @Nullable ScheduledExecutorService reading;

    /**
     * @param tracking the last answer; null: there was none
     * @param atNanos when it was asked for
     * @param trouble of the last question; empty: it was answered
     */
    private record Reading(@Nullable ChronyTracking tracking, long atNanos, String trouble) {}

    /**
     * @param system the operating system's clock, without a bound of its own
     * @param nanoTime monotonic
     */
    ChronyClock(IntervalClock system, LongSupplier nanoTime, Chronyc chronyc) {
        this.system = system;
        this.nanoTime = nanoTime;
        this.chronyc = chronyc;
    }

    /** Asks now, which may take as long as chronyc does, and from now on in a thread of its own. */
    public static ChronyClock start(Chronyc chronyc) {
        ChronyClock clock =
                new ChronyClock(new SystemClock(Duration.ZERO), System::nanoTime, chronyc);
        clock.read();
        ScheduledExecutorService thread =
                Executors.newSingleThreadScheduledExecutor(
                        task -> {
                            Thread made = new Thread(task, "clock-chrony");
                            made.setDaemon(true);
                            return made;
                        });
        clock.reading = thread;
        var unused =
                thread.scheduleWithFixedDelay(
                        clock::read,
                        READ_EVERY.toMillis(),
                        READ_EVERY.toMillis(),
                        TimeUnit.MILLISECONDS);
        return clock;
    }

    /** Asks chronyd once. */
    void read() {
        long asked = nanoTime.getAsLong();
        try {
            ChronyTracking tracking = ChronyTracking.parse(chronyc.tracking());
            heard(new Reading(tracking, asked, ""));
        } catch (IOException | RuntimeException e) {
            Reading before = last;
            heard(new Reading(before.tracking(), before.atNanos(), String.valueOf(e.getMessage())));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void heard(Reading now) {
        Reading before = last;
        last = now;
        if (!now.trouble().isEmpty() && before.trouble().isEmpty()) {
            LOG.warn("The clock's error is not known any more: {}", now.trouble());
        } else if (now.trouble().isEmpty() && !before.trouble().isEmpty()) {
            LOG.info("chronyd tells the clock's error: {}", now.tracking());
        }
    }

    @Override
    public Interval now() {
        long bound = state().boundMicros();
        Interval exact = system.now();
        return new Interval(exact.earliestMicros() - bound, exact.latestMicros() + bound);
    }

    @Override
    public ClockState state() {
        Reading now = last;
        ChronyTracking tracking = now.tracking();
        if (tracking == null) {
            return notSynchronised(0, now.trouble());
        }
        long age = Math.max(0, nanoTime.getAsLong() - now.atNanos());
        long bound = tracking.boundMicros(age);
        if (age > READING_AGE_MAX.toNanos()) {
            return notSynchronised(
                    bound,
                    "chronyd has not answered for %d s%s"
                            .formatted(
                                    TimeUnit.NANOSECONDS.toSeconds(age),
                                    now.trouble().isEmpty() ? "" : ": " + now.trouble()));
        }
        if (!tracking.synchronised()) {
            return notSynchronised(
                    bound,
                    "chronyd says: %s, stratum %d".formatted(tracking.leap(), tracking.stratum()));
        }
        return new ClockState(ClockState.Source.CHRONY, true, bound, "");
    }

    private static ClockState notSynchronised(long boundMicros, String trouble) {
        return new ClockState(
                ClockState.Source.CHRONY,
                false,
                Math.max(boundMicros, TimeUnit.NANOSECONDS.toMicros(BOUND_WITHOUT.toNanos())),
                trouble.isEmpty() ? "chronyd has not answered" : trouble);
    }

    /** Asks no more: it is not synchronised soon after. Safe to call twice. */
    @Override
    public void close() {
        ScheduledExecutorService thread = reading;
        if (thread != null) {
            thread.shutdownNow();
        }
    }
}

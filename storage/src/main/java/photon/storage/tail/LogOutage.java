package photon.storage.tail;

import java.io.IOException;
import java.time.Duration;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import photon.core.error.IoText;

/**
 * Whether a stream's logs can be read: since when not, why, and how soon to try again. Logs one
 * line when that begins, one when it ends, and one now and then between. Written by one loop, read
 * by any thread.
 */
public final class LogOutage {
    private static final Logger log = LoggerFactory.getLogger(LogOutage.class);

    /** How soon a file system that has failed is asked again, at first and in the end. */
    public static final Duration RETRY_MIN = Duration.ofSeconds(1);

    public static final Duration RETRY_MAX = Duration.ofSeconds(10);
    private static final Duration REMINDER = Duration.ofMinutes(10);

    private final String which;
    private Duration delay = RETRY_MIN;
    private long toldNanos;
    private volatile @Nullable State state;

    private record State(long sinceNanos, String trouble) {}

    /**
     * @param which stream, such as {@code foreign}
     */
    public LogOutage(String which) {
        this.which = which;
    }

    /**
     * A poll failed: nothing was read.
     *
     * @return how long to wait before the next
     */
    public Duration failed(IOException why, long nanoTime) {
        noted(nanoTime, IoText.of(why), nanoTime);
        Duration now = delay;
        Duration next = delay.multipliedBy(2);
        delay = next.compareTo(RETRY_MAX) < 0 ? next : RETRY_MAX;
        return now;
    }

    /** A poll came to its end: all files were read as far as they could be, or some stall. */
    public void polled(TailBatch batch, long nanoTime) {
        delay = RETRY_MIN;
        if (batch.stall().isPresent()) {
            TailBatch.Stall stall = batch.stall().get();
            noted(
                    stall.sinceNanos(),
                    "%s %s cannot be read: %s"
                            .formatted(
                                    stall.files(),
                                    stall.files() == 1 ? "log" : "logs",
                                    stall.reason()),
                    nanoTime);
            return;
        }
        State before = state;
        if (before != null) {
            state = null;
            log.info(
                    "The {} logs can be read again, after {} s",
                    which,
                    Duration.ofNanos(nanoTime - before.sinceNanos()).toSeconds());
        }
    }

    private void noted(long sinceNanos, String trouble, long nanoTime) {
        State before = state;
        state = new State(before == null ? sinceNanos : before.sinceNanos(), trouble);
        if (before == null || nanoTime - toldNanos >= REMINDER.toNanos()) {
            toldNanos = nanoTime;
            log.warn(
                    "The {} logs cannot be read, and are asked for again until they can: {}",
                    which,
                    trouble);
        }
    }

    /** Since when; empty: they can be read, as far as is known. */
    public OptionalLong sinceNanos() {
        State now = state;
        return now == null ? OptionalLong.empty() : OptionalLong.of(now.sinceNanos());
    }

    /** Why they cannot be read; empty: they can. */
    public String trouble() {
        State now = state;
        return now == null ? "" : now.trouble();
    }
}

package photon.joiner.task;

import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import photon.joiner.rules.Attempt;

/** Tells people of events whose time the registry does not take, at most once a minute each way. */
final class OutOfTimeLog {
    private static final Logger LOG = LoggerFactory.getLogger(OutOfTimeLog.class);
    private static final long PAUSE_NANOS = TimeUnit.MINUTES.toNanos(1);

    private final String what;
    private long count;
    private boolean told;
    private long toldNanos;

    /**
     * @param what such as {@code too old}
     */
    OutOfTimeLog(String what) {
        this.what = what;
    }

    void add(Attempt attempt, String reason, long nowNanos) {
        count++;
        if (!told || nowNanos - toldNanos >= PAUSE_NANOS) {
            LOG.warn(
                    "{} events were {}, the last of them {}: {}",
                    count,
                    what,
                    attempt.event().getIdText(),
                    reason);
            told = true;
            toldNanos = nowNanos;
            count = 0;
        }
    }
}

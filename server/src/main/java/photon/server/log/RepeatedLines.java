package photon.server.log;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.filter.Filter;
import ch.qos.logback.core.spi.FilterReply;
import java.util.LinkedHashMap;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import photon.core.rpc.RpcSecurity;

/**
 * Lets at most {@value #LINES_MAX} lines of one event through in a minute, so that a trouble that
 * comes again and again fills no disk. An event is what one place in the code logs: its logger and
 * its message without the values in it. When a minute is over and the event comes again, one line
 * more tells how many were left out. The log of what people change is complete, and has bounds of
 * its own. Named in the appender's configuration. Thread-safe.
 */
public final class RepeatedLines extends Filter<ILoggingEvent> {
    static final int LINES_MAX = 100;

    private static final long MINUTE_MILLIS = 60_000;

    /** Events that are counted at a time: those that come no more make room. */
    private static final int EVENTS_MAX = 1_000;

    private static final Logger log = LoggerFactory.getLogger(RepeatedLines.class);

    private record Event(String logger, String message) {}

    private static final class Minute {
        long beganMillis;
        int lines;
        long leftOut;
    }

    private final Map<Event, Minute> minutes =
            new LinkedHashMap<>(16, 0.75f, true) {
                private static final long serialVersionUID = 1;

                @Override
                protected boolean removeEldestEntry(Map.Entry<Event, Minute> eldest) {
                    return size() > EVENTS_MAX;
                }
            };

    @Override
    public FilterReply decide(ILoggingEvent line) {
        if (line.getLoggerName().equals(RpcSecurity.AUDIT_LOG)) {
            return FilterReply.NEUTRAL;
        }
        String message = String.valueOf(line.getMessage());
        long leftOut = 0;
        synchronized (minutes) {
            Minute minute =
                    minutes.computeIfAbsent(
                            new Event(line.getLoggerName(), message), event -> new Minute());
            long age = line.getTimeStamp() - minute.beganMillis;
            if (age >= MINUTE_MILLIS || age < 0) {
                minute.beganMillis = line.getTimeStamp();
                leftOut = minute.leftOut;
                minute.lines = 0;
                minute.leftOut = 0;
            }
            if (minute.lines == LINES_MAX) {
                minute.leftOut++;
                return FilterReply.DENY;
            }
            minute.lines++;
        }
        if (leftOut > 0) {
            log.warn(
                    "Left out {} lines like the next one: no more than {} of one kind are logged in a minute",
                    leftOut,
                    LINES_MAX);
        }
        return FilterReply.NEUTRAL;
    }
}

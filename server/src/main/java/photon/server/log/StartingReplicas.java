package photon.server.log;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.core.filter.Filter;
import ch.qos.logback.core.spi.FilterReply;

/**
 * Keeps Ratis' errors about requests that come while a replica starts out of the log: hundreds at
 * each start, each with a stack, though the leader only asks again. Named in {@code logback.xml}.
 * Thread-safe.
 */
public final class StartingReplicas extends Filter<ILoggingEvent> {
    private static final String STARTING =
            "org.apache.ratis.protocol.exceptions.ServerNotReadyException";

    @Override
    public FilterReply decide(ILoggingEvent event) {
        IThrowableProxy thrown = event.getThrowableProxy();
        return thrown != null && STARTING.equals(thrown.getClassName())
                ? FilterReply.DENY
                : FilterReply.NEUTRAL;
    }
}

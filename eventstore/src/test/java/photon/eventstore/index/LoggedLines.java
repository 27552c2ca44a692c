package photon.eventstore.index;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.util.List;
import org.slf4j.LoggerFactory;

/** What a class logs until this is closed. */
final class LoggedLines implements AutoCloseable {
    private final Logger logger;
    private final ListAppender<ILoggingEvent> appender = new ListAppender<>();

    LoggedLines(Class<?> by) {
        this.logger = (Logger) LoggerFactory.getLogger(by);
        appender.start();
        logger.setLevel(Level.INFO);
        logger.addAppender(appender);
    }

    List<String> of(Level level) {
        return List.copyOf(appender.list).stream()
                .filter(line -> line.getLevel() == level)
                .map(ILoggingEvent::getFormattedMessage)
                .toList();
    }

    @Override
    public void close() {
        logger.detachAppender(appender);
        logger.setLevel(null);
    }
}

package photon.storage.files;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.util.List;
import org.slf4j.LoggerFactory;

/** What the classes of a package warn of until this is closed. */
public final class LoggedWarnings implements AutoCloseable {
    private final Logger logger;
    private final ListAppender<ILoggingEvent> appender = new ListAppender<>();

    public LoggedWarnings(Class<?> ofPackage) {
        this.logger = (Logger) LoggerFactory.getLogger(ofPackage.getPackageName());
        appender.start();
        logger.addAppender(appender);
    }

    /** Texts, the oldest first. */
    public List<String> texts() {
        return List.copyOf(appender.list).stream()
                .filter(line -> line.getLevel() == Level.WARN)
                .map(ILoggingEvent::getFormattedMessage)
                .toList();
    }

    @Override
    public void close() {
        logger.detachAppender(appender);
    }
}

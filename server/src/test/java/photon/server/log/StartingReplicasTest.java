package photon.server.log;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.joran.JoranConfigurator;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.LoggingEvent;
import ch.qos.logback.core.Appender;
import ch.qos.logback.core.spi.FilterReply;
import org.apache.ratis.protocol.exceptions.GroupMismatchException;
import org.apache.ratis.protocol.exceptions.ServerNotReadyException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** With the configuration that users get: which of Ratis' errors they see. */
class StartingReplicasTest {
    private final LoggerContext context = new LoggerContext();
    private Appender<ILoggingEvent> appender;

    @BeforeEach
    void configure() throws Exception {
        JoranConfigurator configurator = new JoranConfigurator();
        configurator.setContext(context);
        configurator.doConfigure(StartingReplicas.class.getResource("/logback.xml"));
        appender = context.getLogger(Logger.ROOT_LOGGER_NAME).getAppender("STDERR");
    }

    @AfterEach
    void close() {
        context.stop();
    }

    private FilterReply decide(@Nullable Throwable thrown) {
        Logger ratis = context.getLogger("org.apache.ratis.server.RaftServer$Division");
        return appender.getFilterChainDecision(
                new LoggingEvent("", ratis, Level.ERROR, "Failed appendEntries", thrown, null));
    }

    @Test
    void aReplicaThatStartsIsNoNews() {
        assertThat(decide(new ServerNotReadyException("STARTING"))).isEqualTo(FilterReply.DENY);
    }

    @Test
    void everythingElseIs() {
        assertThat(decide(null)).isEqualTo(FilterReply.NEUTRAL);
        assertThat(decide(new GroupMismatchException("none"))).isEqualTo(FilterReply.NEUTRAL);
        assertThat(decide(new IllegalStateException(new ServerNotReadyException("cause"))))
                .isEqualTo(FilterReply.NEUTRAL);
    }
}

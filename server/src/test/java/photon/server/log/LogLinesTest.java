package photon.server.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.joran.JoranConfigurator;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.LoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.read.ListAppender;
import ch.qos.logback.core.spi.FilterReply;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.slf4j.LoggerFactory;
import photon.core.error.ConfigException;
import photon.core.rpc.RpcSecurity;

/** What the log of a process is: its settings, its lines in JSON, and how often one comes. */
class LogLinesTest {
    private static final long NOON = Instant.parse("2026-05-01T12:00:00Z").toEpochMilli();
    private static final int MAX = RepeatedLines.LINES_MAX;

    private final LoggerContext context = new LoggerContext();
    private final RepeatedLines filter = new RepeatedLines();
    private final ListAppender<ILoggingEvent> told = new ListAppender<>();
    private final Logger own = (Logger) LoggerFactory.getLogger(RepeatedLines.class);

    @BeforeEach
    void listen() {
        told.start();
        own.setAdditive(false);
        own.addAppender(told);
    }

    @AfterEach
    void close() {
        own.detachAppender(told);
        own.setAdditive(true);
        context.stop();
    }

    private LoggingEvent line(
            long millis, String message, @Nullable Throwable thrown, Object... values) {
        LoggingEvent line =
                new LoggingEvent(
                        "", context.getLogger("photon.Part"), Level.WARN, message, thrown, values);
        line.setInstant(Instant.ofEpochMilli(millis));
        return line;
    }

    @Test
    void theLogOfWhatPeopleChangeIsComplete() {
        Logger audit = context.getLogger(RpcSecurity.AUDIT_LOG);
        for (int i = 0; i < 2 * MAX; i++) {
            LoggingEvent line =
                    new LoggingEvent(
                            "", audit, Level.INFO, "{} calls {}", null, new Object[] {i, i});
            line.setInstant(Instant.ofEpochMilli(NOON));
            assertThat(filter.decide(line)).isEqualTo(FilterReply.NEUTRAL);
        }
    }

    /** With the configuration that users get. */
    @ParameterizedTest
    @CsvSource({"WARN, WARN", "OFF, OFF", "DEBUG, DEBUG"})
    void whatPeopleChangeIsLoggedWhateverTheLevelIs(String setting, String others)
            throws Exception {
        context.putProperty("PHOTON_LOG", setting);
        JoranConfigurator configurator = new JoranConfigurator();
        configurator.setContext(context);
        configurator.doConfigure(RepeatedLines.class.getResource("/logback.xml"));
        assertThat(context.getLogger(RpcSecurity.AUDIT_LOG).getEffectiveLevel())
                .isEqualTo(Level.INFO);
        assertThat(context.getLogger("photon.core.Part").getEffectiveLevel())
                .isEqualTo(Level.valueOf(others));
    }

    private int passing(int lines, long millis, String message) {
        int passed = 0;
        for (int i = 0; i < lines; i++) {
            if (filter.decide(line(millis, message, null, i)) == FilterReply.NEUTRAL) {
                passed++;
            }
        }
        return passed;
    }

    @Test
    void oneKindOfLineComesSoOftenInAMinuteAndThenItsNumberIsTold() {
        assertThat(passing(MAX + 7, NOON, "{} is away")).isEqualTo(MAX);
        assertThat(passing(1, NOON, "another {}")).isEqualTo(1);
        assertThat(passing(3, NOON + 59_999, "{} is away")).isZero();
        assertThat(told.list).isEmpty();
        assertThat(passing(1, NOON + 60_000, "{} is away")).isEqualTo(1);
        assertThat(told.list)
                .extracting(ILoggingEvent::getFormattedMessage)
                .singleElement()
                .asString()
                .startsWith("Left out 10 lines like the next one");
        assertThat(passing(MAX, NOON + 60_001, "{} is away")).isEqualTo(MAX - 1);
    }

    @Test
    void aClockThatIsSetBackSilencesNothing() {
        assertThat(passing(MAX + 1, NOON, "{} is away")).isEqualTo(MAX);
        assertThat(passing(1, NOON - 3_600_000, "{} is away")).isEqualTo(1);
    }

    @Test
    void aLineOfJsonHasItsKindAndItsText() throws Exception {
        byte[] encoded =
                new JsonLogEncoder()
                        .encode(line(NOON, "{} is \"away\"\n", new IllegalStateException("x"), 7));
        String text = new String(encoded, java.nio.charset.StandardCharsets.UTF_8);
        assertThat(text).endsWith("\n");
        assertThat(text.strip()).doesNotContain("\n");
        JsonNode json = new ObjectMapper().readTree(text);
        assertThat(json.get("time").asText()).isEqualTo("2026-05-01T12:00:00Z");
        assertThat(json.get("level").asText()).isEqualTo("WARN");
        assertThat(json.get("logger").asText()).isEqualTo("photon.Part");
        assertThat(json.get("event").asText()).isEqualTo("{} is \"away\"\n");
        assertThat(json.get("message").asText()).isEqualTo("7 is \"away\"\n");
        assertThat(json.get("stack").asText())
                .startsWith("java.lang.IllegalStateException: x")
                .contains("LogLinesTest");
    }

    /** With the configuration that users get. */
    @Test
    void dataMakesNoLineOfTextAndReachesNoTerminal() throws Exception {
        JoranConfigurator configurator = new JoranConfigurator();
        configurator.setContext(context);
        configurator.doConfigure(LogLinesTest.class.getResource("/logback.xml"));
        var appender =
                (ConsoleAppender<ILoggingEvent>)
                        context.getLogger(Logger.ROOT_LOGGER_NAME).getAppender("STDERR");
        Exception cause = new IllegalStateException("c\n2026 ERROR Part: forged");
        Exception thrown = new IllegalStateException("t\u001b[2J\n2026 ERROR", cause);
        byte[] encoded =
                appender.getEncoder()
                        .encode(line(NOON, "{} is away", thrown, "a\nb\u001b[31m\u009b"));
        List<String> lines =
                new String(encoded, java.nio.charset.StandardCharsets.UTF_8).lines().toList();
        assertThat(lines.get(0)).endsWith(" WARN  Part: a?b?[31m? is away");
        assertThat(lines.get(1)).isEqualTo("java.lang.IllegalStateException: t?[2J?2026 ERROR");
        assertThat(lines)
                .filteredOn(one -> !one.startsWith("\tat ") && !one.startsWith("\t... "))
                .hasSize(3)
                .last()
                .isEqualTo("Caused by: java.lang.IllegalStateException: c?2026 ERROR Part: forged");
        byte[] plain = appender.getEncoder().encode(line(NOON, "{} is away", null, "r0"));
        assertThat(new String(plain, java.nio.charset.StandardCharsets.UTF_8))
                .endsWith(" WARN  Part: r0 is away\n");
    }

    @Test
    void withoutSettingsItIsText() {
        assertThat(LogSettings.of(Map.of()).json()).isFalse();
        assertThat(LogSettings.of(Map.of("PHOTON_LOG", "info")).json()).isFalse();
        assertThat(LogSettings.of(Map.of("PHOTON_LOG_FORMAT", "json")).json()).isTrue();
    }

    @ParameterizedTest
    @CsvSource({
        "PHOTON_LOG_FORMAT, JSON, PHOTON_LOG_FORMAT is 'JSON': expected text or json",
        "PHOTON_LOG, LOUD, 'PHOTON_LOG is ''LOUD'': expected one of OFF, ERROR, WARN, INFO, DEBUG, TRACE'"
    })
    void aWrongSettingIsRefused(String variable, String value, String message) {
        assertThatThrownBy(() -> LogSettings.of(Map.of(variable, value)))
                .isInstanceOf(ConfigException.class)
                .hasMessage(message);
    }
}

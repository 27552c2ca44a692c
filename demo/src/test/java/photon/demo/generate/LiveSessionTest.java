package photon.demo.generate;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import photon.demo.generate.GeneratorSettings.Format;
import photon.demo.generate.model.LoadShape;
import photon.storage.files.HadoopFileStore;

/** A live run under a clock that the test moves. */
class LiveSessionTest {
    private static final long START = 1_800_000_000_000_000L;
    private static final long STEP_MICROS = 5_000;

    @TempDir Path directory;
    private long now = START;
    private long nanos;
    private final Map<String, Long> joinable = new HashMap<>();
    private LiveSession session;

    @BeforeEach
    void begin() throws IOException {
        begin(0.3);
    }

    private void begin(double lateFiles) throws IOException {
        GeneratorSettings settings =
                new GeneratorSettings(
                        new LoadShape(
                                3,
                                3,
                                1_000,
                                0,
                                1,
                                Duration.ofMillis(200),
                                1.9,
                                0.05,
                                0.05,
                                0.1,
                                Duration.ofMillis(50),
                                Duration.ZERO),
                        Format.FRAMED,
                        1_000_000,
                        lateFiles,
                        Duration.ofSeconds(2),
                        64 << 10,
                        Duration.ofHours(1),
                        false);
        Path into = directory.resolve("late-" + lateFiles);
        LogSession logs =
                new LogSession(
                        into,
                        settings,
                        now,
                        LogStore.of(new HadoopFileStore()),
                        Runnable::run,
                        (id, text, micros) -> {
                            assertThat(id).hasToString(text);
                            assertThat(joinable.put(text, micros)).as(text).isNull();
                        });
        session = new LiveSession(logs, () -> now, now, nanos);
    }

    private void run(Duration time) throws IOException {
        for (long left = time.toMillis() * 1_000; left > 0; left -= STEP_MICROS) {
            now += STEP_MICROS;
            nanos += STEP_MICROS * 1_000;
            session.step(nanos);
        }
    }

    @Test
    void whatIsToldJoinableStandsWholeInTheLogs() throws IOException {
        Set<String> before = new HashSet<>();
        for (int i = 0; i < 10; i++) {
            run(Duration.ofMillis(500));
            Set<String> inLogs = new HashSet<>();
            // The late ones are in a directory that this does not read.
            GeneratedLogs.read(directory.resolve("late-0.3"))
                    .pairs(true)
                    .forEach(pair -> inLogs.add(pair.substring(0, pair.indexOf('\t'))));
            assertThat(joinable.keySet()).isEqualTo(inLogs).containsAll(before);
            before = Set.copyOf(inLogs);
        }
        assertThat(before).hasSizeGreaterThan(1_000);
        Answer answer = session.finish();
        assertThat(answer.lateFiles()).isPositive();
        assertThat(answer.loggedBeforePrimary()).isPositive();
        assertThat(answer.joinable()).isEqualTo(joinable.size()).isGreaterThan(before.size() - 1L);
        GeneratedLogs logs = GeneratedLogs.read(directory.resolve("late-0.3"));
        assertThat(logs.pairs(true)).hasSize((int) answer.joinable());
        assertThat(logs.pairs(false)).hasSize((int) answer.orphans());
    }

    @Test
    void theRateIsThatAskedForAndForeignIdsTellWhenTheyWereLogged() throws IOException {
        begin(0);
        run(Duration.ofSeconds(20));
        assertThat(session.records()).isBetween(17_000L, 22_500L);
        session.finish();
        int atOnce = 0;
        for (Map.Entry<String, Long> pair : joinable.entrySet()) {
            long logged = Long.parseLong(pair.getKey().substring(0, pair.getKey().indexOf('/')));
            assertThat(pair.getValue()).isGreaterThanOrEqualTo(logged - 1_000);
            atOnce += pair.getValue() - logged <= 1_000 ? 1 : 0;
        }
        assertThat(atOnce).isGreaterThan(joinable.size() * 8 / 10); // the others came early
    }

    @Test
    void aPauseIsNotMadeUpForAndAWallClockThatGoesBackRepeatsNoId() throws IOException {
        run(Duration.ofSeconds(2));
        long before = session.records();
        nanos += TimeUnit.HOURS.toNanos(3);
        now -= 30_000_000;
        session.step(nanos);
        assertThat(session.records() - before).isBetween(500L, 2_000L);
        run(Duration.ofSeconds(2));
        Answer answer = session.finish();
        GeneratedLogs logs = GeneratedLogs.read(directory.resolve("late-0.3"));
        assertThat(logs.primaries.size() + logs.primaryByForeign.size())
                .as("each event has an id of its own")
                .isEqualTo((int) answer.events());
    }
}

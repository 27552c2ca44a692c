package photon.eventstore.tail;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import photon.core.config.FormatConfig;
import photon.core.config.IdConfig;
import photon.core.config.StreamConfig;
import photon.core.config.TimestampConfig;
import photon.core.time.IntervalClock;
import photon.storage.files.MemoryFileStore;
import photon.storage.tail.FilePosition;
import photon.storage.tail.LogTail;

class PrimaryLogTest {
    private static final long NOW_MILLIS = Duration.ofDays(100).toMillis();

    private final MemoryFileStore files = new MemoryFileStore();

    private static FilePosition position(String key, int daysAgo) {
        long modified = NOW_MILLIS - Duration.ofDays(daysAgo).toMillis();
        return new FilePosition("/logs/" + key, key, 0, "", 5, modified);
    }

    private static final StreamConfig STREAM =
            new StreamConfig(
                    List.of("/logs/*.log"),
                    new FormatConfig.Csv(false, ',', List.of("t", "id"), "#"),
                    Map.of(),
                    Map.of(),
                    new IdConfig.User(List.of("id")),
                    Optional.of(new TimestampConfig.Numeric("t", TimestampConfig.Unit.MICROS)),
                    Optional.empty());

    @Test
    void positionsOfLongAbsentFilesThatAreAWeekOldAreForgotten() throws IOException {
        files.createDirectories("/logs");
        long micros = TimeUnit.MILLISECONDS.toMicros(NOW_MILLIS);
        IntervalClock clock = () -> new IntervalClock.Interval(micros, micros);
        List<FilePosition> earlier = List.of(position("old", 8), position("young", 6));
        LogTail tail = new LogTail(files, STREAM, earlier, Duration.ofSeconds(1), clock);
        PrimaryLog log = PrimaryLog.of(tail, clock, Optional.empty(), () -> Long.MIN_VALUE);
        log.poll(10, 0);
        assertThat(log.forget(0)).isEmpty();
        assertThat(log.files()).isEqualTo(2);
        assertThat(log.forget(Duration.ofHours(2).toNanos())).containsExactly("old");
        assertThat(log.files()).isEqualTo(1);
    }

    @Test
    void anEventIsTakenForNoNewerOneOnlyWhereTheClockAndTheRegistryAgree() {
        long micros = TimeUnit.MILLISECONDS.toMicros(NOW_MILLIS);
        long day = TimeUnit.DAYS.toMicros(1);
        IntervalClock clock = () -> new IntervalClock.Interval(micros - 5, micros + 5);
        assertThat(latest(clock, Optional.of(Duration.ofDays(1)), micros - day - 9))
                .as("the clock is right")
                .isEqualTo(micros + 5);
        assertThat(latest(clock, Optional.of(Duration.ofDays(1)), micros + 2 * day))
                .as("the clock is three days behind")
                .isEqualTo(micros + 3 * day);
        assertThat(latest(clock, Optional.of(Duration.ofDays(1)), Long.MIN_VALUE))
                .as("no boundary was heard of")
                .isEqualTo(Long.MAX_VALUE);
        assertThat(latest(clock, Optional.empty(), micros)).isEqualTo(Long.MAX_VALUE);
    }

    private long latest(IntervalClock clock, Optional<Duration> retention, long boundaryMicros) {
        LogTail tail = new LogTail(files, STREAM, List.of(), Duration.ofSeconds(1), clock);
        try (PrimaryLog log = PrimaryLog.of(tail, clock, retention, () -> boundaryMicros)) {
            return log.latestMicros();
        }
    }
}

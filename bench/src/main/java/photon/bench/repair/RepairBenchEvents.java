package photon.bench.repair;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import photon.core.config.FormatConfig;
import photon.core.config.IdConfig;
import photon.core.config.OutputConfig;
import photon.core.config.StreamConfig;
import photon.core.crash.CrashPoints;
import photon.core.id.CommitToken;
import photon.core.id.EventId;
import photon.core.id.Incarnation;
import photon.core.time.IntervalClock;
import photon.storage.files.FileStore;
import photon.storage.output.OutputDirectory;
import photon.storage.output.OutputIdentity;
import photon.storage.output.format.OutputFormats;

/**
 * What the incarnation of the measurement has committed: events 0 to {@code events - 1}, 10,000 a
 * second, of which some of the last were lost. Everything of an event follows from its number.
 *
 * @param directory holds logs, output and state
 * @param events that its tokens hold
 * @param lost how many of them are in no manifest: every tenth of the last
 */
record RepairBenchEvents(Path directory, long events, long lost) {
    static final UUID PIPELINE = new UUID(1, 2);
    static final UUID STATE = new UUID(3, 4);
    static final String DATACENTER = "east";
    static final Incarnation DEAD = new Incarnation(1, 1);
    static final int LOGS = 4;

    private static final long START_MICROS = 1_700_000_000_000_000L;
    private static final long MICROS_BETWEEN = Duration.ofSeconds(1).toNanos() / 1_000 / 10_000;
    private static final int LOST_EVERY = 10;

    /** 10.0.0.1 as IPv6. */
    private static final long SERVER = 0x0000_FFFF_0A00_0001L;

    static EventId id(long n) {
        return new EventId(micros(n), 0, SERVER, 7);
    }

    static long micros(long n) {
        return START_MICROS + n * MICROS_BETWEEN;
    }

    static CommitToken token(long n) {
        return CommitToken.of(DEAD, n + 1);
    }

    /** The number of the first event behind this id. */
    static long behind(EventId id) {
        return (id.micros() - START_MICROS) / MICROS_BETWEEN + 1;
    }

    boolean isLost(long n) {
        return n >= events - lost * LOST_EVERY && n % LOST_EVERY == 3;
    }

    /** In which log an event stands; those before number 0 are others'. */
    static int log(long n) {
        return (int) Math.floorMod(n, (long) LOGS);
    }

    static String line(long n, String padding) {
        return "10.0.0.1,7," + micros(n) + "," + (micros(n) - 1_000_000) + "," + padding + "\n";
    }

    Path log(int number) {
        return directory.resolve("logs").resolve("foreign-" + number + ".csv").toAbsolutePath();
    }

    String state(String part) {
        return directory.resolve("state").resolve(part).toAbsolutePath().toString();
    }

    StreamConfig foreign() {
        return new StreamConfig(
                List.of(directory.resolve("logs").toAbsolutePath() + "/*.csv"),
                new FormatConfig.Csv(
                        false, ',', List.of("server", "process", "at", "query", "ad"), ""),
                Map.of(),
                Map.of(),
                new IdConfig.NativeFields("server", "process", "at"),
                Optional.empty(),
                Optional.of(new IdConfig.NativeFields("server", "process", "query")));
    }

    OutputDirectory output(FileStore files) throws java.io.IOException {
        return OutputDirectory.open(
                files,
                directory.resolve("out").toAbsolutePath().toString(),
                new OutputIdentity(PIPELINE.toString(), "bench", DATACENTER, "bench-output"),
                OutputFormats.of(OutputConfig.DEFAULTS),
                CrashPoints.none(),
                () -> new IntervalClock.Interval(0, 0));
    }
}

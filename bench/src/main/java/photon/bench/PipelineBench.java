package photon.bench;

import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import photon.core.config.ConfigLoader;
import photon.core.crash.CrashPoints;
import photon.server.local.LocalRun;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * The whole pipeline on generated logs: {@code photon local} in this process, two datacenters and
 * three registry replicas. Prints the books of the run, then joined events a second over the whole
 * run (start, elections, reading, joining, publishing, closing), and the most memory that the
 * process had.
 */
@Command(
        name = "pipeline-bench",
        mixinStandardHelpOptions = true,
        description = "Generates primary and foreign logs and joins them with photon local.")
public final class PipelineBench implements Callable<Integer> {
    private static final int FILES = 4;

    /** A click names a query that came at most so many queries before it. */
    private static final int BEFORE_MAX = 100_000;

    private static final long START_MICROS = 1_700_000_000_000_000L;

    @Option(names = "--primary", description = "Primary events. Default: ${DEFAULT-VALUE}.")
    private int primary = 1_000_000;

    @Option(names = "--foreign", description = "Foreign events. Default: ${DEFAULT-VALUE}.")
    private int foreign = 300_000;

    @Option(names = "--seed", description = "Seed of the logs. Default: ${DEFAULT-VALUE}.")
    private long seed = 1;

    @Option(
            names = "--directory",
            required = true,
            description = "Where to work; must be new or empty.")
    private Path directory = Path.of("");

    public static void main(String[] args) {
        System.exit(new CommandLine(new PipelineBench()).execute(args));
    }

    @Override
    public Integer call() throws Exception {
        Files.createDirectories(directory);
        SplittableRandom random = new SplittableRandom(seed);
        writePrimary(random.split());
        writeForeign(random.split());
        Path config = directory.resolve("photon.yaml");
        Files.writeString(
                config,
                """
                pipeline: bench
                datacenters: [east, west]
                primary:
                  paths: ["primary-*.csv"]
                  format: {type: csv, header: false, columns: [id, at, query, user, position]}
                  id: {from: [id]}
                  timestamp: {field: at, unit: micros}
                foreign:
                  paths: ["foreign-*.jsonl"]
                  format: {type: json-lines}
                  id: {from: [click]}
                  timestamp: {field: at, unit: micros}
                  primaryId: {from: [query]}
                """);
        long started = System.nanoTime();
        int status =
                LocalRun.run(
                        ConfigLoader.load(config).pipeline(),
                        directory.resolve("photon-out").toAbsolutePath(),
                        directory.resolve("photon-state").toAbsolutePath(),
                        Optional.of(Duration.ofSeconds(1)),
                        true,
                        Optional.empty(),
                        CrashPoints.none());
        double seconds = (System.nanoTime() - started) / 1e9;
        System.err.printf(
                Locale.ROOT,
                "%d foreign events in %.1f s: %.0f joined events/s over the whole run, peak memory %s%n",
                foreign,
                seconds,
                foreign / seconds,
                peakMemory());
        return status;
    }

    private void writePrimary(SplittableRandom random) throws IOException {
        for (int file = 0; file < FILES; file++) {
            try (BufferedWriter out =
                    Files.newBufferedWriter(directory.resolve("primary-" + file + ".csv"))) {
                for (int i = file; i < primary; i += FILES) {
                    out.write(
                            "q%d,%d,\"shoes, size %d\",user-%d,%d%n"
                                    .formatted(
                                            i,
                                            START_MICROS + i * 1_000L,
                                            random.nextInt(50),
                                            random.nextInt(1_000_000),
                                            random.nextInt(10)));
                }
            }
        }
    }

    private void writeForeign(SplittableRandom random) throws IOException {
        for (int file = 0; file < FILES; file++) {
            try (BufferedWriter out =
                    Files.newBufferedWriter(directory.resolve("foreign-" + file + ".jsonl"))) {
                for (int i = file; i < foreign; i += FILES) {
                    int latest = (int) ((long) i * primary / foreign);
                    out.write(
                            "{\"click\":\"c%d\",\"query\":\"q%d\",\"at\":%d,\"ad\":\"ad-%d\",\"price\":%d}%n"
                                    .formatted(
                                            i,
                                            latest
                                                    - random.nextInt(
                                                            Math.min(latest, BEFORE_MAX) + 1),
                                            START_MICROS + latest * 1_000L + 1,
                                            random.nextInt(10_000),
                                            random.nextInt(500)));
                }
            }
        }
    }

    /** The kernel's own account: heap, direct memory, code and threads together. */
    private static String peakMemory() throws IOException {
        Path status = Path.of("/proc/self/status");
        return Files.exists(status)
                ? Files.readAllLines(status).stream()
                        .filter(line -> line.startsWith("VmHWM:"))
                        .map(line -> line.substring(6).strip())
                        .findFirst()
                        .orElse("unknown")
                : "unknown";
    }
}

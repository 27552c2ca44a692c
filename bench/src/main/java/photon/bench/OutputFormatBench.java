package photon.bench;

import com.google.protobuf.ByteString;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import photon.core.config.OutputConfig;
import photon.core.config.OutputConfig.Compression;
import photon.core.config.OutputConfig.Field;
import photon.core.config.OutputConfig.FieldType;
import photon.core.config.OutputConfig.Format;
import photon.core.crash.CrashPoints;
import photon.core.id.CommitToken;
import photon.core.id.EventId;
import photon.core.id.Incarnation;
import photon.core.time.IntervalClock.Interval;
import photon.storage.files.HadoopFileStore;
import photon.storage.output.Manifest;
import photon.storage.output.OutputDirectory;
import photon.storage.output.OutputIdentity;
import photon.storage.output.WorkDirectory;
import photon.storage.output.WorkDirectory.WorkLog;
import photon.storage.output.WorkRecord;
import photon.storage.output.WorkRecord.JoinedEvent;
import photon.storage.output.format.OutputFormats;

/**
 * Joined events per second of one thread on their way from the adapter's answer to the published
 * file, in each format, on local files: the check before the commit, the work log, and the
 * publication with its syncs. Prints a line for each round of each format; the last rounds count.
 */
public final class OutputFormatBench {
    private static final long AT_MICROS = 1_700_000_000_000_000L;

    private static final List<Field> FIELDS =
            List.of(
                    new Field("id", FieldType.STRING, "id"),
                    new Field("at", FieldType.TIMESTAMP_MICROS, "timestampMicros"),
                    new Field("position", FieldType.LONG, "foreign.ad.position"),
                    new Field("lang", FieldType.STRING, "foreign.lang"),
                    new Field("campaign", FieldType.STRING, "primary.campaign"),
                    new Field("price", FieldType.DOUBLE, "primary.price"));

    private final int events;
    private final Path directory;

    private OutputFormatBench(int events, Path directory) {
        this.events = events;
        this.directory = directory;
    }

    /**
     * @param arguments events a round (default 200,000) and rounds (default 3)
     */
    public static void main(String[] arguments) throws IOException {
        int events = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 200_000;
        int rounds = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 3;
        for (int round = 1; round <= rounds; round++) {
            for (Map.Entry<String, OutputConfig> each : formats().entrySet()) {
                Path directory = Files.createTempDirectory("photon-output-bench-");
                try {
                    String figures = new OutputFormatBench(events, directory).run(each.getValue());
                    System.out.printf(Locale.ROOT, "%d  %-16s %s%n", round, each.getKey(), figures);
                } finally {
                    delete(directory);
                }
            }
        }
    }

    private static Map<String, OutputConfig> formats() {
        Map<String, OutputConfig> formats = new LinkedHashMap<>();
        formats.put("json-lines", OutputConfig.DEFAULTS);
        formats.put(
                "json-lines zstd",
                new OutputConfig(Format.JSON_LINES, Compression.ZSTD, List.of()));
        formats.put("framed", new OutputConfig(Format.FRAMED, Compression.NONE, List.of()));
        formats.put("avro zstd", new OutputConfig(Format.AVRO, Compression.ZSTD, FIELDS));
        formats.put("parquet zstd", new OutputConfig(Format.PARQUET, Compression.ZSTD, FIELDS));
        return formats;
    }

    private String run(OutputConfig config) throws IOException {
        OutputDirectory output =
                OutputDirectory.open(
                        new HadoopFileStore(),
                        directory.toString(),
                        new OutputIdentity("bench", "print", "east", "id"),
                        OutputFormats.of(config),
                        CrashPoints.none(),
                        () -> new Interval(AT_MICROS, AT_MICROS));
        Incarnation incarnation = new Incarnation(1, 1);
        WorkDirectory work = output.createWorkDirectory(incarnation);
        List<ByteString> joined = new ArrayList<>();
        for (int i = 0; i < events; i++) {
            joined.add(event(i));
        }
        long cpu = cpuNanos();
        long start = System.nanoTime();
        WorkLog log = work.createLog();
        for (int i = 0; i < events; i++) {
            JoinedEvent event = new JoinedEvent("", joined.get(i));
            if (output.refusal(event).isPresent()) {
                throw new IOException("Expected an event for every format, but " + event);
            }
            log.append(
                    new WorkRecord(
                            new EventId(AT_MICROS + i, 1, i, EventId.USER_PROCESS),
                            CommitToken.of(incarnation, i),
                            new EventId(AT_MICROS, 2, i % 1_000, EventId.USER_PROCESS),
                            "0123456789abcdef0123456789abcdef",
                            List.of(event)));
        }
        log.finish();
        Manifest manifest = work.publish(log);
        long nanos = System.nanoTime() - start;
        return "%,9.0f events/s  %5.2f us of CPU per event  %4d bytes per event"
                .formatted(
                        events * 1e9 / nanos,
                        (cpuNanos() - cpu) / 1e3 / events,
                        manifest.published().get(0).length() / events);
    }

    /** Of the shape that {@code merge} gives to the ads of docs/examples. */
    private static ByteString event(int i) {
        return ByteString.copyFromUtf8(
                ("{\"id\": \"c%05d\", \"primaryId\": \"i%07x\", \"timestampMicros\": %d, \"foreign\": {\"click\": \"c%05d\", \"at\": %d,"
                                + " \"ad\": {\"impression\": \"i%07x\", \"position\": %d}, \"lang\": \"en\"},"
                                + " \"primary\": {\"impression\":\"i%07x\",\"at\":\"%d\",\"campaign\":\"campaign-%d\",\"price\":\"%d.%02d\"}}")
                        .formatted(
                                i,
                                i * 7_919,
                                AT_MICROS + i,
                                i,
                                AT_MICROS / 1_000 + i,
                                i * 7_919,
                                i % 9,
                                i * 7_919,
                                AT_MICROS / 1_000,
                                i % 300,
                                i % 5,
                                i % 100));
    }

    private static long cpuNanos() {
        return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    }

    private static void delete(Path directory) throws IOException {
        try (Stream<Path> all = Files.walk(directory)) {
            for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        }
    }
}

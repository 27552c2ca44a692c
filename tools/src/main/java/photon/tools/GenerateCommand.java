package photon.tools;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import photon.cli.OutputOption;
import photon.cli.Quantities;
import photon.cli.Tool;
import photon.core.config.DurationText;
import photon.core.error.ConfigException;
import photon.core.time.SystemClock;
import photon.demo.generate.Answer;
import photon.demo.generate.FileGenerator;
import photon.demo.generate.GenerateOptions;
import photon.demo.generate.GeneratorSettings;
import photon.demo.generate.GeneratorSettings.Format;
import photon.demo.generate.LiveGenerator;
import photon.demo.generate.LogStore;
import photon.server.lifecycle.Shutdown;
import photon.storage.files.HadoopFileStore;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** Writes logs with a known right answer. */
@Command(
        name = "generate",
        mixinStandardHelpOptions = true,
        description = {
            "Writes realistic primary and foreign logs: several processes with wrong clocks, long delays between an event and the clicks on it, clicks logged before it, repeats, orphans, late files, rotation. It also writes the expected result of the join (answer.json, joinable.tsv, orphans.tsv) and a configuration, photon.yaml, that joins the logs (docs/generate.md).",
            "Without --live, the same seed and options give the same files."
        },
        exitCodeList = {"0:done", "1:failed", "2:wrong usage"},
        footer = "  photon generate --output logs --events 100000 --span 10m")
public final class GenerateCommand implements Callable<Integer>, Tool {
    private static final Duration LOOK_EVERY = Duration.ofMillis(50);

    /** How wrong this machine's clock may be does not matter here: only its middle is used. */
    private static final Duration CLOCK_BOUND = Duration.ZERO;

    @Option(
            names = "--output",
            required = true,
            paramLabel = "DIR",
            description = "Directory to write into. It must be empty or not exist yet.")
    private Path output = Path.of("");

    @Option(
            names = "--seed",
            paramLabel = "N",
            description = "Seed of everything random. Default: ${DEFAULT-VALUE}.")
    private long seed = 1;

    @Option(
            names = "--format",
            paramLabel = "FORMAT",
            converter = OfFormat.class,
            description = "Format of the logs: json-lines or framed. Default: json-lines.")
    private Format format = Format.JSON_LINES;

    @Option(
            names = "--events",
            paramLabel = "N",
            description =
                    "Number of distinct events of both streams together. Default: "
                            + GenerateOptions.EVENTS
                            + "; --live: until stopped.")
    private @Nullable Long events;

    @Option(
            names = "--span",
            paramLabel = "DURATION",
            description =
                    "Length of time that the events cover, such as 90s, 10m or 3d. Default: 24h.")
    private @Nullable Duration span;

    @Option(
            names = "--rate",
            paramLabel = "N",
            description = "Events per second. Default: --events divided by --span; --live: 1000.")
    private @Nullable Double rate;

    @Option(
            names = "--live",
            description =
                    "Write events in real time until --duration, --events or SIGTERM ends the run cleanly.")
    private boolean live;

    @Option(
            names = "--duration",
            paramLabel = "DURATION",
            description = "With --live: how long to write.")
    private @Nullable Duration duration;

    @Option(
            names = "--processes",
            paramLabel = "N",
            description = "Number of logging processes per stream. Default: ${DEFAULT-VALUE}.")
    private int processes = 4;

    @Option(
            names = "--clicks",
            paramLabel = "N",
            description =
                    "Foreign events per primary event, on average. Default: ${DEFAULT-VALUE}.")
    private double clicks = 0.5;

    @Option(
            names = "--swing",
            paramLabel = "PERCENT",
            description =
                    "How far the rate varies around its average over the day. Default: 50; --live: 0.")
    private @Nullable Double swing;

    @Option(
            names = "--click-delay-median",
            paramLabel = "DURATION",
            description =
                    "Half of the clicks come within this time; one in a thousand takes 350 times as long. Default: 30s, or a thousandth of the span if that is less; --live: 1s.")
    private @Nullable Duration clickDelayMedian;

    @Option(
            names = "--orphans",
            paramLabel = "PERCENT",
            description =
                    "Share of foreign events whose primary event is in no log. Default: ${DEFAULT-VALUE}.")
    private double orphans = 2;

    @Option(
            names = "--repeats",
            paramLabel = "PERCENT",
            description = "Share of records that are logged twice. Default: ${DEFAULT-VALUE}.")
    private double repeats = 1;

    @Option(
            names = "--early",
            paramLabel = "PERCENT",
            description =
                    "Share of primary events that are logged only after a click on them. Default: ${DEFAULT-VALUE}.")
    private double early = 2;

    @Option(
            names = "--late-files",
            paramLabel = "PERCENT",
            description = "Share of log files that appear late. Default: 10; --live: 0.")
    private @Nullable Double lateFiles;

    @Option(
            names = "--late-by",
            paramLabel = "DURATION",
            description =
                    "Age at which a late file appears, unless it is finished earlier. Default: a tenth of the span; --live: 5s.")
    private @Nullable Duration lateBy;

    @Option(
            names = "--clock-offset-max",
            paramLabel = "DURATION",
            converter = Quantities.OfTimeOrNone.class,
            description = "Maximum error of the processes' clocks. Default: 200ms.")
    private Duration clockOffsetMax = Duration.ofMillis(200);

    @Option(
            names = "--foreign-clock-offset-max",
            paramLabel = "DURATION",
            converter = Quantities.OfTimeOrNone.class,
            description =
                    "Maximum clock error in the foreign stream. Default: as --clock-offset-max; --live: 0s, so that an id shows when it was logged.")
    private @Nullable Duration foreignClockOffsetMax;

    @Option(
            names = "--rotate-size",
            paramLabel = "SIZE",
            converter = Quantities.OfBytes.class,
            description = "Rotate a log file when it reaches this size. Default: 64MiB.")
    private long rotateBytes = 64L << 20;

    @Option(
            names = "--rotate-every",
            paramLabel = "DURATION",
            description =
                    "Rotate a log file when it reaches this age. Default: a quarter of the span; --live: never.")
    private @Nullable Duration rotateEvery;

    @Option(names = "--gzip", description = "Compress finished log files and the lists of ids.")
    private boolean gzip;

    @Mixin private OutputOption result = new OutputOption();

    /** As in a configuration. */
    static final class OfFormat implements ITypeConverter<Format> {
        @Override
        public Format convert(String text) {
            return Stream.of(Format.values())
                    .filter(format -> format.text().equals(text))
                    .findFirst()
                    .orElseThrow(
                            () -> new TypeConversionException("expected json-lines or framed"));
        }
    }

    @Override
    public Integer call() throws IOException {
        GeneratorSettings settings = options().settings();
        if (duration != null && !live) {
            throw new ConfigException(
                    "--duration is %s: it needs --live. Without --live, use --span"
                            .formatted(DurationText.of(duration)));
        }
        Path directory = output.toAbsolutePath().normalize();
        refuseUsed(directory);
        try (Shutdown shutdown = Shutdown.install()) {
            long started = System.nanoTime();
            Run run =
                    live
                            ? live(directory, settings, shutdown)
                            : atOnce(directory, settings, shutdown);
            print(run, (System.nanoTime() - started) / 1e9, directory);
            shutdown.finished(0);
            return 0;
        }
    }

    /**
     * @param cpuSeconds of the generating thread; negative: not known
     */
    private record Run(Answer answer, double cpuSeconds) {}

    private static Run atOnce(Path directory, GeneratorSettings settings, Shutdown shutdown)
            throws IOException {
        long before = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
        Answer answer =
                FileGenerator.run(
                        directory,
                        settings,
                        new HadoopFileStore(),
                        () -> shutdown.awaitRequest(Duration.ZERO));
        long cpu = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - before;
        return new Run(answer, cpu / 1e9);
    }

    private Run live(Path directory, GeneratorSettings settings, Shutdown shutdown)
            throws IOException {
        long bound = duration == null ? Long.MAX_VALUE : duration.toNanos();
        long started = System.nanoTime();
        try (LiveGenerator generator =
                LiveGenerator.start(
                        directory,
                        settings,
                        LogStore.of(new HadoopFileStore()),
                        new SystemClock(CLOCK_BOUND),
                        (foreign, text, micros) -> {})) {
            while (!generator.ended()
                    && System.nanoTime() - started < bound
                    && !shutdown.awaitRequest(LOOK_EVERY)) {
                // looks again
            }
            return new Run(generator.stop(), -1);
        }
    }

    private GenerateOptions options() {
        return new GenerateOptions(
                live,
                seed,
                format,
                processes,
                events,
                span,
                rate,
                swing,
                clicks,
                clickDelayMedian,
                orphans,
                repeats,
                early,
                lateFiles,
                lateBy,
                clockOffsetMax,
                foreignClockOffsetMax,
                rotateBytes,
                rotateEvery,
                gzip);
    }

    private static void refuseUsed(Path directory) throws IOException {
        if (!Files.exists(directory)) {
            return;
        }
        if (!Files.isDirectory(directory)) {
            throw new ConfigException(
                    "--output is " + directory + ": expected a directory, but it is a file");
        }
        try (Stream<Path> entries = Files.list(directory)) {
            if (entries.findAny().isPresent()) {
                throw new ConfigException(
                        "--output is "
                                + directory
                                + ": expected a new or empty directory, but it contains files");
            }
        }
    }

    private void print(Run run, double wallSeconds, Path directory) {
        Answer answer = run.answer();
        long records = answer.events() + answer.repeats();
        if (result.isJson()) {
            ObjectNode object = answer.toJson();
            object.put("records", records);
            object.put("seconds", wallSeconds);
            object.put("eventsPerSecond", records / wallSeconds);
            if (run.cpuSeconds() > 0) {
                object.put("cpuSeconds", run.cpuSeconds());
                object.put("eventsPerCpuSecond", records / run.cpuSeconds());
            }
            System.out.println(object);
            return;
        }
        System.out.printf(
                Locale.ROOT,
                "%,d primary and %,d foreign events in %d files, %,d records written twice; %.1f s%n",
                answer.primaryEvents(),
                answer.foreignEvents(),
                answer.files(),
                answer.repeats(),
                wallSeconds);
        System.out.printf(
                Locale.ROOT,
                "%,d can be joined, %,d are orphans (answer.json)%n",
                answer.joinable(),
                answer.orphans());
        System.out.println(
                "Join them: ./photon local --config "
                        + directory.resolve("photon.yaml")
                        + " --until-idle 5s");
    }
}

package photon.tools;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import photon.cli.OutputOption;
import photon.cli.Tool;
import photon.core.config.DurationText;
import photon.core.error.ConfigException;
import photon.demo.Demo;
import photon.demo.DemoOptions;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The first minute: a datacenter dies and nothing happens. */
@Command(
        name = "demo",
        mixinStandardHelpOptions = true,
        description = {
            "Runs two datacenters and five replicas of the registry (east 2, west 2, a witness region 1) as processes on this machine, joins a live load, kills the parts that you choose, and checks the result against the generator's own records.",
            "All files are in a temporary directory. The demo deletes it after a correct run; after any other run, it keeps the directory and prints its path."
        },
        exitCodeList = {
            "0:each event that can be joined was joined exactly once, and the auditor agrees",
            "1:the result is wrong, or the run ended early",
            "2:wrong usage"
        },
        footer = "  photon demo --duration 90s --kill-datacenter")
public final class DemoCommand implements Callable<Integer>, Tool {
    private static final Duration DURATION_MIN = Duration.ofSeconds(10);
    private static final Duration DURATION_MAX = Duration.ofHours(1);
    private static final double RATE_MAX = 20_000;

    @Option(
            names = "--duration",
            paramLabel = "DURATION",
            description = "How long the load lasts; default 60s.")
    private Duration duration = Duration.ofMinutes(1);

    @Option(
            names = "--rate",
            paramLabel = "N",
            description = "Clicks per second; default 1000. The load has as many queries.")
    private double rate = 1_000;

    @Option(
            names = "--seed",
            paramLabel = "N",
            description = "Seed of the load; default ${DEFAULT-VALUE}.")
    private long seed = 1;

    @Option(
            names = "--kill-datacenter",
            description =
                    "Kill every process of east (SIGKILL), including two replicas of the registry, after a third of the time, and start them again after two thirds.")
    private boolean killDatacenter;

    @Option(
            names = "--kill-joiners",
            description =
                    "Run two joiners per datacenter. Every 5 seconds, kill the one that has served longest, and start it again.")
    private boolean killJoiners;

    @Option(
            names = "--hdfs",
            description =
                    "Give each datacenter an HDFS (a NameNode and two DataNodes as processes), and two machines with a dispatcher, an event store and a joiner each, which share the work. Logs, shared state and output are on HDFS.")
    private boolean hdfs;

    @Option(
            names = "--kill-workers",
            description =
                    "With --hdfs: every 5 seconds, kill a dispatcher, an event store or a joiner at random (SIGKILL), and start it again: a dispatcher when another has taken over its partitions, the others at once.")
    private boolean killWorkers;

    @Option(
            names = "--kill-datanode",
            description =
                    "With --hdfs: kill one of the two DataNodes of east after two fifths of the time, and start it again after three fifths.")
    private boolean killDataNode;

    @Option(
            names = "--single-process",
            description =
                    "Run all parts in this process. It starts at once, but the demo cannot kill anything.")
    private boolean singleProcess;

    @Option(
            names = "--plot",
            paramLabel = "FILE.svg",
            description = "Draw joins per second, lag and waiting events over time into this file.")
    private @Nullable Path plot;

    @CommandLine.Mixin private OutputOption output = new OutputOption();

    @Option(
            names = "--html",
            paramLabel = "FILE.html",
            description =
                    "Write a page about the run into this file: the verdict, the chart, what happened, and what the figures mean.")
    private @Nullable Path html;

    @Option(
            names = "--open",
            description =
                    "Open that page in the desktop's browser, or print its path if there is no browser. Without --html, the page is a temporary file, which the demo keeps.")
    private boolean open;

    @Option(
            names = "--keep",
            description = "Keep the temporary directory with logs, state and output.")
    private boolean keep;

    @Override
    public Integer call() throws Exception {
        check();
        DemoOptions options =
                new DemoOptions(
                        (int) duration.toSeconds(),
                        rate,
                        seed,
                        killDatacenter,
                        killJoiners,
                        hdfs,
                        killWorkers,
                        killDataNode,
                        singleProcess,
                        output.isJson(),
                        Optional.ofNullable(plot).map(Path::toAbsolutePath),
                        Optional.ofNullable(html).map(Path::toAbsolutePath),
                        open);
        Path home = Path.of(System.getProperty("photon.home", ".")).toAbsolutePath().normalize();
        return Demo.run(options, keep, home);
    }

    private void check() {
        List<String> problems = new ArrayList<>();
        if (duration.compareTo(DURATION_MIN) < 0 || duration.compareTo(DURATION_MAX) > 0) {
            problems.add(
                    "--duration is %s: expected from 10s to 1h"
                            .formatted(DurationText.of(duration)));
        }
        if (!(rate > 0 && rate <= RATE_MAX)) {
            problems.add("--rate is %s: expected above 0, up to %.0f".formatted(rate, RATE_MAX));
        }
        boolean drawn = plot != null || html != null || open;
        if (singleProcess && (killDatacenter || killJoiners || drawn)) {
            problems.add(
                    "--single-process with --kill-datacenter, --kill-joiners, --plot, --html or --open: expected it without"
                            + " them, since there is but one process, which nothing watches");
        }
        if (hdfs && (singleProcess || killDatacenter || killJoiners)) {
            problems.add(
                    "--hdfs with --single-process, --kill-datacenter or --kill-joiners: expected it without them; --kill-workers kills joiners, too");
        }
        if (!hdfs && (killWorkers || killDataNode)) {
            problems.add("--kill-workers or --kill-datanode: expected them with --hdfs alone");
        }
        checkWritable(problems, "--plot", plot);
        checkWritable(problems, "--html", html);
        if (!problems.isEmpty()) {
            throw new ConfigException(problems);
        }
    }

    private static void checkWritable(List<String> problems, String option, @Nullable Path file) {
        if (file != null && !isWritable(file.toAbsolutePath())) {
            problems.add(
                    "%s is %s: expected a file in a directory that exists".formatted(option, file));
        }
    }

    private static boolean isWritable(Path file) {
        Path parent = file.getParent();
        return parent != null && Files.isDirectory(parent) && !Files.isDirectory(file);
    }
}

package photon.tools;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import photon.cli.Tool;
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
            "Runs two datacenters and five replicas of the registry (east 2, west 2, a witness region 1) as processes on this"
                    + " machine, joins a live load, kills what you like, and checks the result against what the load's"
                    + " maker knows.",
            "Everything lies in a temporary directory, which is gone at the end of a run that was right. One that was not keeps"
                    + " and names it.",
            "Exit status: 0 if each event that can be joined was joined exactly once and the auditor agrees; 1 if not, or"
                    + " ended early; 2 wrong usage."
        })
public final class DemoCommand implements Callable<Integer>, Tool {
    private static final int SECONDS_MIN = 10;
    private static final int SECONDS_MAX = 3_600;
    private static final double RATE_MAX = 20_000;

    @Option(
            names = "--seconds",
            paramLabel = "N",
            description = "How long the load goes on; default ${DEFAULT-VALUE}.")
    private int seconds = 60;

    @Option(
            names = "--rate",
            paramLabel = "N",
            description = "Clicks a second; default ${DEFAULT-VALUE}. There are as many queries.")
    private double rate = 1_000;

    @Option(
            names = "--seed",
            paramLabel = "N",
            description = "Of the load; default ${DEFAULT-VALUE}.")
    private long seed = 1;

    @Option(
            names = "--kill-datacenter",
            description =
                    "Kill every process of east (SIGKILL), two replicas of the registry among them, at a third of the time,"
                            + " and start them again at two thirds.")
    private boolean killDatacenter;

    @Option(
            names = "--kill-joiners",
            description =
                    "Two joiners a datacenter; kill the one that has served longest every 5 seconds, and start it again.")
    private boolean killJoiners;

    @Option(
            names = "--single-process",
            description = "All parts in this process: starts at once; nothing can be killed.")
    private boolean singleProcess;

    @Option(
            names = "--plot",
            paramLabel = "FILE.svg",
            description = "Draw joins a second, lag and waiting over time into this file.")
    private @Nullable Path plot;

    @Option(
            names = "--html",
            paramLabel = "FILE.html",
            description =
                    "Write the run as one page into this file: the verdict, the picture, what happened, what the figures mean.")
    private @Nullable Path html;

    @Option(
            names = "--open",
            description =
                    "Open that page with the desktop's browser, where there is one; otherwise print where it is. Without"
                            + " --html it is a temporary file, which stays.")
    private boolean open;

    @CommandLine.Mixin private JsonOption json = new JsonOption();

    @Option(
            names = "--keep",
            description = "Keep the temporary directory with logs, state and output.")
    private boolean keep;

    @Override
    public Integer call() throws Exception {
        check();
        DemoOptions options =
                new DemoOptions(
                        seconds,
                        rate,
                        seed,
                        killDatacenter,
                        killJoiners,
                        singleProcess,
                        json.isSet(),
                        Optional.ofNullable(plot).map(Path::toAbsolutePath),
                        Optional.ofNullable(html).map(Path::toAbsolutePath),
                        open);
        Path home = Path.of(System.getProperty("photon.home", ".")).toAbsolutePath().normalize();
        return Demo.run(options, keep, home);
    }

    private void check() {
        List<String> problems = new ArrayList<>();
        if (seconds < SECONDS_MIN || seconds > SECONDS_MAX) {
            problems.add(
                    "--seconds is %d: expected from %d to %d"
                            .formatted(seconds, SECONDS_MIN, SECONDS_MAX));
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

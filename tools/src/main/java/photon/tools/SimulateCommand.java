package photon.tools;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;
import photon.cli.OutputOption;
import photon.cli.Tool;
import photon.core.error.ConfigException;
import photon.simulation.faults.FaultKind;
import photon.simulation.run.AllSeeds;
import photon.simulation.run.OneSeed;
import photon.simulation.run.RunSummary;
import photon.simulation.run.SeedResult;
import photon.simulation.run.SeedRun;
import photon.tools.simulate.Progress;
import photon.tools.simulate.SimulationJson;
import photon.tools.simulate.SimulationText;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Runs the pipeline in simulated worlds and looks whether anything was doubled or lost. */
@Command(
        name = "simulate",
        mixinStandardHelpOptions = true,
        description = {
            "Runs the whole pipeline in simulated worlds full of faults: processes crash, disks tear writes, networks lose messages, clocks jump. Each seed is one world, and the same seed gives the same world. The command checks in each world that Photon joined no event twice and lost none (docs/testing.md).",
            "For each seed that fails, it prints the command that reproduces the failure."
        },
        exitCodeList = {
            "0:all seeds passed",
            "1:a seed failed, or a run of 100 seeds or more lacked a kind of fault",
            "2:wrong usage"
        },
        footer = {"  photon simulate --seeds 200", "  photon simulate --seed 17 --trace"})
public final class SimulateCommand implements Callable<Integer>, Tool {
    private static final long SEEDS_DEFAULT = 200;
    private static final long FROM_DEFAULT = 1;
    private static final int FAILURES_MAX = 10;
    private static final int THREADS_MAX = 1_024;

    /** What a world may need; bounds how many run side by side on a machine of many cores. */
    private static final long WORLD_BYTES = 64L << 20;

    private final SeedRun world;
    private final List<String> faultKinds;

    @Option(
            names = "--seeds",
            paramLabel = "N",
            description = "Number of worlds. Default: " + SEEDS_DEFAULT + ".")
    private @Nullable Long seeds;

    @Option(
            names = "--from",
            paramLabel = "S",
            description = "The first seed. Default: " + FROM_DEFAULT + ".")
    private @Nullable Long from;

    @Option(
            names = "--threads",
            paramLabel = "T",
            description =
                    "Number of worlds to run in parallel. Default: one per core, or fewer if the heap is small.")
    private @Nullable Integer threads;

    @Option(
            names = "--keep-going",
            description =
                    "Run all seeds, however many fail. Otherwise no new seed begins after "
                            + FAILURES_MAX
                            + " have failed.")
    private boolean keepGoing;

    @Option(
            names = "--seed",
            paramLabel = "S",
            description = "Run only this seed, and show its result.")
    private @Nullable Long seed;

    @Option(
            names = "--trace",
            description = "With --seed: first print, line by line, what happened in that world.")
    private boolean trace;

    @CommandLine.Mixin private OutputOption output = new OutputOption();

    public SimulateCommand() {
        this(OneSeed::run, Arrays.stream(FaultKind.values()).map(FaultKind::name).toList());
    }

    /** For tests of the command itself. */
    public SimulateCommand(SeedRun world, List<String> faultKinds) {
        this.world = world;
        this.faultKinds = faultKinds;
    }

    @Override
    public Integer call() throws Exception {
        refuseNonsense();
        Level before = quietLogs();
        try {
            return seed == null ? many() : one(seed);
        } finally {
            photonLogs().setLevel(before);
        }
    }

    private void refuseNonsense() {
        if (seed == null && trace) {
            throw new ConfigException("--trace needs --seed: expected the seed to trace");
        }
        if (seed != null && (seeds != null || from != null || threads != null || keepGoing)) {
            throw new ConfigException(
                    "--seed runs one seed: remove --seeds, --from, --threads and --keep-going");
        }
        refuseOutside("--seed", seed, 0, AllSeeds.SEED_MAX);
        refuseOutside("--from", from, 0, AllSeeds.SEED_MAX);
        refuseOutside("--seeds", seeds, 1, AllSeeds.SEED_MAX - orElse(from, FROM_DEFAULT));
        refuseOutside("--threads", threads, 1, THREADS_MAX);
    }

    private static void refuseOutside(String name, @Nullable Number given, long min, long max) {
        if (given != null && (given.longValue() < min || given.longValue() > max)) {
            throw new ConfigException(name + " is " + given + ": expected " + min + " to " + max);
        }
    }

    private static long orElse(@Nullable Long given, long otherwise) {
        return given == null ? otherwise : given;
    }

    /** Its trace is kept whether it is shown or not: a failure's story is made from it. */
    private int one(long only) {
        SeedResult result = AllSeeds.safe(world).run(only, true);
        if (output.isJson()) {
            System.out.println(SimulationJson.one(result, trace));
        } else {
            if (trace) {
                result.trace().forEach(System.out::println);
            }
            SimulationText.one(result).forEach(System.out::println);
        }
        return result.passed() ? 0 : 1;
    }

    private int many() throws InterruptedException {
        long count = orElse(seeds, SEEDS_DEFAULT);
        AllSeeds.Settings settings =
                new AllSeeds.Settings(
                        orElse(from, FROM_DEFAULT),
                        count,
                        threads == null ? threadsDefault() : threads,
                        keepGoing ? Long.MAX_VALUE : FAILURES_MAX,
                        faultKinds);
        RunSummary summary;
        try (Progress progress = new Progress(count, !output.isJson())) {
            summary = new AllSeeds(world, System::nanoTime, progress).run(settings);
        }
        if (output.isJson()) {
            System.out.println(SimulationJson.all(summary));
        } else {
            SimulationText.all(summary).forEach(System.out::println);
        }
        return summary.passed() ? 0 : 1;
    }

    private static int threadsDefault() {
        Runtime machine = Runtime.getRuntime();
        return (int)
                Math.max(
                        1,
                        Math.min(machine.availableProcessors(), machine.maxMemory() / WORLD_BYTES));
    }

    /**
     * The pipeline warns of every simulated fault, which is worth nothing without its world.
     *
     * @return the level before, for whoever runs more than this command
     */
    private static @Nullable Level quietLogs() {
        Level before = photonLogs().getLevel();
        if (System.getenv("PHOTON_LOG") == null) {
            photonLogs().setLevel(Level.OFF);
        }
        return before;
    }

    private static Logger photonLogs() {
        return (Logger) LoggerFactory.getLogger("photon");
    }
}

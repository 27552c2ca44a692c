package photon.tools;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import photon.bench.registry.Bench;
import photon.bench.registry.RegistryBenchOptions;
import photon.cli.Quantities;
import photon.cli.Tool;
import photon.core.error.ConfigException;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** What the parts can do, on this machine. */
@Command(
        name = "bench",
        mixinStandardHelpOptions = true,
        description = "Measures parts of photon on this machine (docs/benchmarks.md).",
        subcommands = {BenchCommand.Registry.class, BenchPipelineCommand.class})
public final class BenchCommand implements Runnable, Tool {
    @CommandLine.Spec CommandLine.Model.CommandSpec spec = CommandLine.Model.CommandSpec.create();

    /** Called without a subcommand. */
    @Override
    public void run() {
        throw new CommandLine.ParameterException(
                spec.commandLine(), "Expected what to measure: registry, pipeline");
    }

    /** The IdRegistry under load. */
    @Command(
            name = "registry",
            mixinStandardHelpOptions = true,
            sortOptions = false,
            description = {
                "Starts replicas of the IdRegistry as processes on this machine, with real Raft logs and fsync, commits new"
                        + " ids from this process, and tells how fast that went and what it cost. Every answer is"
                        + " checked: each id must be accepted exactly once.",
                "The load lies in --callers x --in-flight calls of --batch ids each at one time (closed loop), or comes"
                        + " at --rate whether the registry keeps up or not (open loop, for latencies).",
                "Exit status: 0 done, 1 a wrong answer or a failure, 2 wrong usage."
            })
    static final class Registry implements Callable<Integer> {
        @Option(
                names = "--replicas",
                paramLabel = "N",
                description = "1, 3 or 5 processes; default ${DEFAULT-VALUE}.")
        private int replicas = 3;

        @Option(
                names = "--shards",
                paramLabel = "N",
                description = "Raft groups that share the ids; default ${DEFAULT-VALUE}.")
        private int shards = 1;

        @Option(
                names = "--callers",
                paramLabel = "N",
                description = "Who commit side by side; default ${DEFAULT-VALUE}.")
        private int callers = 64;

        @Option(
                names = "--batch",
                paramLabel = "N",
                description = "Ids a call; default ${DEFAULT-VALUE}.")
        private int batch = 256;

        @Option(
                names = "--in-flight",
                paramLabel = "N",
                description =
                        "Calls that a caller has under way at one time; default ${DEFAULT-VALUE}.")
        private int inFlight = 1;

        @Option(
                names = "--connections",
                paramLabel = "N",
                description =
                        "Connections that the callers share, each with a thread; default ${DEFAULT-VALUE}.")
        private int connections = 1;

        @CommandLine.ArgGroup private Pace pace = new Pace();

        /** One of the two. */
        static final class Pace {
            @Option(
                    names = "--rate",
                    paramLabel = "N",
                    description =
                            "Open loop: N ids a second. Latency counts from when a call should have begun, so that a"
                                    + " registry that falls behind shows it.")
            private @Nullable Long rate;

            @Option(
                    names = "--closed-loop",
                    description =
                            "Each caller begins its next call when one is answered. The default.")
            private boolean closedLoop;

            private OptionalLong rate() {
                return rate == null || closedLoop ? OptionalLong.empty() : OptionalLong.of(rate);
            }
        }

        @Option(
                names = "--contested",
                paramLabel = "PERCENT",
                description =
                        "So many of the ids are committed by two callers at the same time, of whom exactly one must be"
                                + " told that it is accepted; default ${DEFAULT-VALUE}.")
        private int contested;

        @Option(
                names = "--wan-delay-ms",
                paramLabel = "D",
                description =
                        "Delay what replicas say to each other by D milliseconds, one way; default ${DEFAULT-VALUE}.")
        private int wanDelayMillis;

        @Option(
                names = "--preload",
                paramLabel = "N",
                description =
                        "First commit N ids with timestamps of the last three days. After the measurement a replica is"
                                + " killed and started again, and asked for old, recent and absent ids.")
        private long preload;

        @Option(
                names = "--drop",
                description =
                        "In the midst of the measured time, give the pipeline a retention that all preloaded ids are older"
                                + " than, and tell how long commits take while these are dropped, and before. Instead of"
                                + " lookups and the killed replica.")
        private boolean drop;

        @Option(
                names = "--seconds",
                paramLabel = "S",
                description = "How long is measured; default ${DEFAULT-VALUE}.")
        private int seconds = 60;

        @Option(
                names = "--warm-up",
                paramLabel = "S",
                description =
                        "Seconds of the same load before; default ${DEFAULT-VALUE}. With less than 30 the result says that"
                                + " it is not warm.")
        private int warmUpSeconds = (int) RegistryBenchOptions.WARM_UP_MIN.toSeconds();

        @Option(
                names = "--lookups",
                paramLabel = "N|closed|none",
                description =
                        "Local lookups after the commits: N ids a second, or as many as one replica answers to one"
                                + " connection; default ${DEFAULT-VALUE}.")
        private String lookups = "closed";

        @Option(
                names = "--lookup-seconds",
                paramLabel = "S",
                description = "How long lookups are measured; default ${DEFAULT-VALUE}.")
        private int lookupSeconds = 10;

        @Option(
                names = "--lookup-batch",
                paramLabel = "N",
                description = "Ids a lookup; default ${DEFAULT-VALUE}.")
        private int lookupBatch = 1_024;

        @Option(
                names = "--replica-heap",
                paramLabel = "SIZE",
                converter = Quantities.OfBytes.class,
                description = "Heap of each replica, such as 2GiB; default 1GiB.")
        private long replicaHeapBytes = 1L << 30;

        @Option(
                names = "--replica-java-options",
                paramLabel = "TEXT",
                description = "More options of the replicas' Java VMs, separated by spaces.")
        private String replicaJavaOptions = "";

        @Option(
                names = "--directory",
                paramLabel = "DIR",
                description =
                        "Where the replicas' logs go, in a new directory that is gone at the end: choose the disk that you"
                                + " want to measure. Default: the system's directory for temporary files.")
        private @Nullable Path directory;

        @Option(names = "--keep", description = "Keep that directory.")
        private boolean keep;

        @Option(
                names = "--profile",
                description =
                        "Also tell the methods in which replicas and load spent their time (Java flight recorder).")
        private boolean profile;

        @CommandLine.Mixin private JsonOption json = new JsonOption();

        @Override
        public Integer call() throws Exception {
            List<String> problems = new ArrayList<>();
            Optional<RegistryBenchOptions.Lookups> wantedLookups = lookups(problems);
            RegistryBenchOptions options =
                    new RegistryBenchOptions(
                            replicas,
                            shards,
                            connections,
                            callers,
                            batch,
                            inFlight,
                            pace.rate(),
                            contested,
                            Duration.ofMillis(wanDelayMillis),
                            preload,
                            drop,
                            seconds,
                            Duration.ofSeconds(warmUpSeconds),
                            wantedLookups,
                            lookupSeconds,
                            lookupBatch,
                            replicaHeapBytes,
                            replicaJavaOptions.isBlank()
                                    ? List.of()
                                    : List.of(replicaJavaOptions.strip().split("\\s+", -1)),
                            Optional.ofNullable(directory),
                            keep,
                            profile);
            problems.addAll(options.problems());
            if (!problems.isEmpty()) {
                throw new ConfigException(problems);
            }
            return Bench.registry(options, json.isSet());
        }

        private Optional<RegistryBenchOptions.Lookups> lookups(List<String> problems) {
            switch (lookups) {
                case "none":
                    return Optional.empty();
                case "closed":
                    return Optional.of(new RegistryBenchOptions.Lookups(OptionalLong.empty()));
                default:
                    try {
                        return Optional.of(
                                new RegistryBenchOptions.Lookups(
                                        OptionalLong.of(Long.parseLong(lookups))));
                    } catch (NumberFormatException e) {
                        problems.add(
                                "--lookups is '%s': expected ids a second, 'closed' or 'none'"
                                        .formatted(lookups));
                        return Optional.empty();
                    }
            }
        }
    }
}

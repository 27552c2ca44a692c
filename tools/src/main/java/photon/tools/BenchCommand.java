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
import photon.cli.OutputFormat;
import photon.cli.Quantities;
import photon.cli.Tool;
import photon.core.config.DurationText;
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
public final class BenchCommand implements Tool {
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
                        + " at --rate whether the registry keeps up or not (open loop, for latencies)."
            },
            exitCodeList = {"0:done", "1:a wrong answer or a failure", "2:wrong usage"},
            footer = "  photon bench registry --replicas 3 --rate 50000 --duration 60s")
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
                        "The share of ids that two callers commit at the same time; exactly one of them must be"
                                + " told that its commit is accepted; default ${DEFAULT-VALUE}.")
        private int contested;

        @Option(
                names = "--wan-delay",
                paramLabel = "DURATION",
                converter = Quantities.OfTimeOrNone.class,
                description =
                        "Delay what replicas say to each other by so much, one way, such as 20ms; default none.")
        private Duration wanDelay = Duration.ZERO;

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
                names = "--duration",
                paramLabel = "DURATION",
                description = "How long is measured; default 60s.")
        private Duration duration = Duration.ofMinutes(1);

        @Option(
                names = "--warm-up",
                paramLabel = "DURATION",
                converter = Quantities.OfTimeOrNone.class,
                description =
                        "How long the same load comes before; default 30s. With less the result says that it is not"
                                + " warm.")
        private Duration warmUp = RegistryBenchOptions.WARM_UP_MIN;

        @Option(
                names = "--lookups",
                paramLabel = "N|closed|none",
                description =
                        "Local lookups after the commits: N ids a second, or as many as one replica answers to one"
                                + " connection; default ${DEFAULT-VALUE}.")
        private String lookups = "closed";

        @Option(
                names = "--lookup-duration",
                paramLabel = "DURATION",
                description = "How long lookups are measured; default 10s.")
        private Duration lookupDuration = Duration.ofSeconds(10);

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

        @CommandLine.Mixin private OutputFormat output = new OutputFormat();

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
                            wanDelay,
                            preload,
                            drop,
                            wholeSeconds("--duration", duration, problems),
                            warmUp,
                            wantedLookups,
                            wholeSeconds("--lookup-duration", lookupDuration, problems),
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
            return Bench.registry(options, output.isJson());
        }

        private static int wholeSeconds(String name, Duration given, List<String> problems) {
            if (given.toNanosPart() != 0) {
                problems.add(
                        "%s is '%s': expected whole seconds"
                                .formatted(name, DurationText.of(given)));
            }
            return (int) given.toSeconds();
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

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
import photon.cli.OutputOption;
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
                "Starts replicas of the IdRegistry as processes on this machine, with real Raft logs and fsync, commits new ids from this process, and reports throughput, latency and cost. It checks every answer: the registry must accept each id exactly once.",
                "In a closed loop, --callers x --in-flight calls of --batch ids each are in flight at any time. In an open loop, for latencies, calls come at --rate whether the registry keeps up or not."
            },
            exitCodeList = {"0:done", "1:a wrong answer or a failure", "2:wrong usage"},
            footer = "  photon bench registry --replicas 3 --rate 50000 --duration 60s")
    static final class Registry implements Callable<Integer> {
        @Option(
                names = "--replicas",
                paramLabel = "N",
                description = "Number of replica processes: 1, 3 or 5; default ${DEFAULT-VALUE}.")
        private int replicas = 3;

        @Option(
                names = "--shards",
                paramLabel = "N",
                description = "Number of Raft groups that share the ids; default ${DEFAULT-VALUE}.")
        private int shards = 1;

        @Option(
                names = "--callers",
                paramLabel = "N",
                description = "Number of concurrent callers; default ${DEFAULT-VALUE}.")
        private int callers = 64;

        @Option(
                names = "--batch",
                paramLabel = "N",
                description = "Ids per call; default ${DEFAULT-VALUE}.")
        private int batch = 256;

        @Option(
                names = "--in-flight",
                paramLabel = "N",
                description =
                        "Calls that each caller has in flight at the same time; default ${DEFAULT-VALUE}.")
        private int inFlight = 1;

        @Option(
                names = "--connections",
                paramLabel = "N",
                description =
                        "Number of connections that the callers share, each with its own thread; default ${DEFAULT-VALUE}.")
        private int connections = 1;

        @CommandLine.ArgGroup private Pace pace = new Pace();

        /** One of the two. */
        static final class Pace {
            @Option(
                    names = "--rate",
                    paramLabel = "N",
                    description =
                            "Open loop: commit N ids per second. Latency counts from when a call should have begun, so that it shows when the registry falls behind.")
            private @Nullable Long rate;

            @Option(
                    names = "--closed-loop",
                    description =
                            "Closed loop, the default: each caller begins its next call when one is answered.")
            private boolean closedLoop;

            private OptionalLong rate() {
                return rate == null || closedLoop ? OptionalLong.empty() : OptionalLong.of(rate);
            }
        }

        @Option(
                names = "--contested",
                paramLabel = "PERCENT",
                description =
                        "Share of ids that two callers commit at the same time; default ${DEFAULT-VALUE}. The registry must accept exactly one of the two commits.")
        private int contested;

        @Option(
                names = "--wan-delay",
                paramLabel = "DURATION",
                converter = Quantities.OfTimeOrNone.class,
                description =
                        "One-way delay of the messages between replicas, such as 20ms; default none.")
        private Duration wanDelay = Duration.ZERO;

        @Option(
                names = "--preload",
                paramLabel = "N",
                description =
                        "First commit N ids with timestamps of the last three days. After the measurement, kill a replica, start it again, and look up old, recent and absent ids there.")
        private long preload;

        @Option(
                names = "--drop",
                description =
                        "In the middle of the measured time, shorten the retention so that the registry drops all preloaded ids, and report how long commits take before and during the drop. This replaces the lookups and the killed replica.")
        private boolean drop;

        @Option(
                names = "--duration",
                paramLabel = "DURATION",
                description = "How long to measure; default 60s.")
        private Duration duration = Duration.ofMinutes(1);

        @Option(
                names = "--warm-up",
                paramLabel = "DURATION",
                converter = Quantities.OfTimeOrNone.class,
                description =
                        "How long to run the same load before the measurement; default 30s. If it is shorter, the result says that it is not warm.")
        private Duration warmUp = RegistryBenchOptions.WARM_UP_MIN;

        @Option(
                names = "--lookups",
                paramLabel = "N|closed|none",
                description =
                        "Local lookups after the commits: N ids per second; closed, as many as one replica answers on one connection; or none. Default ${DEFAULT-VALUE}.")
        private String lookups = "closed";

        @Option(
                names = "--lookup-duration",
                paramLabel = "DURATION",
                description = "How long to measure lookups; default 10s.")
        private Duration lookupDuration = Duration.ofSeconds(10);

        @Option(
                names = "--lookup-batch",
                paramLabel = "N",
                description = "Ids per lookup; default ${DEFAULT-VALUE}.")
        private int lookupBatch = 1_024;

        @Option(
                names = "--replica-heap",
                paramLabel = "SIZE",
                converter = Quantities.OfBytes.class,
                description = "Heap size of each replica, such as 2GiB; default 1GiB.")
        private long replicaHeapBytes = 1L << 30;

        @Option(
                names = "--replica-java-options",
                paramLabel = "TEXT",
                description = "More options for the replicas' Java VMs, separated by spaces.")
        private String replicaJavaOptions = "";

        @Option(
                names = "--directory",
                paramLabel = "DIR",
                description =
                        "Directory on the disk that you want to measure. The benchmark creates a new directory for the replicas' logs there, and deletes it at the end. Default: the system's directory for temporary files.")
        private @Nullable Path directory;

        @Option(names = "--keep", description = "Keep the directory that the benchmark creates.")
        private boolean keep;

        @Option(
                names = "--profile",
                description =
                        "Also report the methods in which replicas and load spent their time (Java Flight Recorder).")
        private boolean profile;

        @CommandLine.Mixin private OutputOption output = new OutputOption();

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
                                "--lookups is '%s': expected a number of ids per second, 'closed' or 'none'"
                                        .formatted(lookups));
                        return Optional.empty();
                    }
            }
        }
    }
}

package photon.tools;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import photon.cli.OutputOption;
import photon.cli.Tool;
import photon.core.error.ConfigException;
import photon.demo.chaos.PipelineChaos;
import photon.demo.chaos.PipelineChaosOptions;
import photon.demo.chaos.PipelineFault;
import photon.testbed.chaos.ActionKind;
import photon.testbed.chaos.Chaos;
import photon.testbed.chaos.ChaosOptions;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** A bad day for a part of photon, and whether it keeps its promise. */
@Command(
        name = "chaos",
        mixinStandardHelpOptions = true,
        description =
                "Injects faults into real processes on this machine and checks the result (docs/testing.md).",
        subcommands = {ChaosCommand.Registry.class, ChaosCommand.Pipeline.class})
public final class ChaosCommand implements Tool {
    /** What each of them takes. */
    static final class RunOptions {
        @Option(
                names = "--duration",
                paramLabel = "DURATION",
                description =
                        "How long to inject faults, such as 30s; default 5m. The start, the last answers and the verdict take half a minute or more in addition.")
        private Duration duration = Duration.ofMinutes(5);

        @Option(
                names = "--seed",
                paramLabel = "N",
                description = "Seed of the fault schedule. Default: a new seed each time.")
        private @Nullable Long seed;

        @Option(
                names = "--directory",
                paramLabel = "DIR",
                description =
                        "Directory in which the run creates a new directory for the processes' files. The run deletes that at the end. Default: the system's directory for temporary files.")
        private @Nullable Path directory;

        @Option(
                names = "--keep",
                description =
                        "Keep the directory that the run creates. The run always keeps it if something was wrong.")
        private boolean keep;

        @CommandLine.Mixin private OutputOption output = new OutputOption();

        Duration time() {
            return duration;
        }

        long seed() {
            return seed == null ? ThreadLocalRandom.current().nextInt(1 << 30) : seed;
        }

        Optional<Path> directory() {
            return Optional.ofNullable(directory);
        }

        boolean keep() {
            return keep;
        }

        boolean json() {
            return output.isJson();
        }
    }

    private static <T> T labelled(T[] all, Function<T, String> label, String text) {
        List<String> labels = Arrays.stream(all).map(label).toList();
        if (!labels.contains(text)) {
            throw new ConfigException("--only is '%s': expected one of %s".formatted(text, labels));
        }
        return all[labels.indexOf(text)];
    }

    /** The IdRegistry's life in fast motion. */
    @Command(
            name = "registry",
            mixinStandardHelpOptions = true,
            sortOptions = false,
            description = {
                "Starts five replicas of the IdRegistry as processes on this machine, commits ids, and injects faults at random from the seed. Several clients compete for a third of the ids. The faults kill, stop and cut off leaders, lose majorities, restart all replicas, change the number of shards, move the boundary and fence clients.",
                "At the end, it compares all replicas, and searches the whole history of answers for one that a linearizable registry could not have given. Progress is on stderr.",
                "The same seed gives the same schedule, but not the same run, since the processes themselves are not deterministic."
            },
            exitCodeList = {
                "0:no violation, and the registry accepted ids until the end",
                "1:a violation or a failure, or the run ended early",
                "2:wrong usage"
            },
            footer = {
                "  photon chaos registry --duration 5m --seed 1",
                "  photon chaos registry --only kill-leader --count 20 --duration 10m"
            })
    static final class Registry implements Callable<Integer> {
        @CommandLine.Mixin private RunOptions run = new RunOptions();

        @Option(
                names = "--rate",
                paramLabel = "N",
                description = "Commits per second; default ${DEFAULT-VALUE}.")
        private int rate = 1_000;

        @Option(
                names = "--shards",
                paramLabel = "N",
                description =
                        "Number of shards that the pipeline begins with; default ${DEFAULT-VALUE}.")
        private int shards = 2;

        @Option(
                names = "--only",
                paramLabel = "KIND",
                completionCandidates = KindLabels.class,
                description =
                        "Inject only this fault, to measure it, on a registry with logs and memory as in production and a direct network between its replicas. One of: ${COMPLETION-CANDIDATES}. reshard changes to 8 and to 4 shards, in turn.")
        private @Nullable String only;

        @Option(
                names = "--count",
                paramLabel = "N",
                description =
                        "With --only: how often to inject the fault. The run fails if --duration is too short for that.")
        private @Nullable Integer count;

        @Override
        public Integer call() throws Exception {
            Optional<ActionKind> kind =
                    only == null
                            ? Optional.empty()
                            : Optional.of(labelled(ActionKind.values(), ActionKind::label, only));
            ChaosOptions options =
                    new ChaosOptions(
                            run.time(),
                            run.seed(),
                            rate,
                            shards,
                            kind,
                            count == null ? OptionalInt.empty() : OptionalInt.of(count),
                            run.directory(),
                            run.keep());
            List<String> problems = options.problems();
            if (!problems.isEmpty()) {
                throw new ConfigException(problems);
            }
            return Chaos.registry(options, run.json());
        }

        /** All kinds, for the help and for shells that complete. */
        static final class KindLabels implements Iterable<String> {
            /** Made by picocli. */
            KindLabels() {}

            @Override
            public Iterator<String> iterator() {
                return Arrays.stream(ActionKind.values()).map(ActionKind::label).iterator();
            }
        }
    }

    /** A pipeline's months in fast motion. */
    @Command(
            name = "pipeline",
            mixinStandardHelpOptions = true,
            sortOptions = false,
            description = {
                "Starts a whole pipeline as processes on this machine, joins a live load, and injects faults at random from the seed. The pipeline has two datacenters with two joiners each, and a registry of five replicas. The faults kill processes, some for longer than a repair takes, stop processes for a while, unmount a datacenter's logs, lose a dispatcher's state, and take a whole datacenter down.",
                "At the end, every event that can be joined must be published exactly once. Both the records read back from files and the independent auditor (docs/audit) check this. The result also reports memory, number of files and checkpoint sizes over time. Progress is on stderr.",
                "The same seed gives the same schedule, but not the same run, since the processes themselves are not deterministic."
            },
            exitCodeList = {
                "0:every event was joined exactly once",
                "1:a loss, a duplicate, an alarm or a failure, or the run ended early",
                "2:wrong usage"
            },
            footer = "  photon chaos pipeline --duration 1h --seed 1")
    static final class Pipeline implements Callable<Integer> {
        @CommandLine.Mixin private RunOptions run = new RunOptions();

        @Option(
                names = "--rate",
                paramLabel = "N",
                description =
                        "Foreign events per second; default ${DEFAULT-VALUE}. The load has as many primary events.")
        private int rate = 200;

        @Option(
                names = "--only",
                paramLabel = "FAULT",
                completionCandidates = FaultLabels.class,
                description =
                        "Inject only this fault, repeatedly. One of: ${COMPLETION-CANDIDATES}.")
        private @Nullable String only;

        @Override
        public Integer call() throws Exception {
            Optional<PipelineFault> fault =
                    only == null
                            ? Optional.empty()
                            : Optional.of(
                                    labelled(PipelineFault.values(), PipelineFault::label, only));
            PipelineChaosOptions options =
                    new PipelineChaosOptions(
                            run.time(), run.seed(), rate, fault, run.directory(), run.keep());
            List<String> problems = options.problems();
            if (!problems.isEmpty()) {
                throw new ConfigException(problems);
            }
            return PipelineChaos.run(
                    options,
                    run.json(),
                    Path.of(System.getProperty("photon.home", ".")).toAbsolutePath().normalize());
        }

        /** All faults, for the help and for shells that complete. */
        static final class FaultLabels implements Iterable<String> {
            /** Made by picocli. */
            FaultLabels() {}

            @Override
            public Iterator<String> iterator() {
                return Arrays.stream(PipelineFault.values()).map(PipelineFault::label).iterator();
            }
        }
    }
}

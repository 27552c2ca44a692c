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
import photon.cli.OutputFormat;
import photon.cli.Tool;
import photon.core.error.ConfigException;
import photon.demo.chaos.PipelineChaos;
import photon.demo.chaos.PipelineChaosOptions;
import photon.demo.chaos.PipelineFault;
import photon.testbed.chaos.Chaos;
import photon.testbed.chaos.ChaosOptions;
import photon.testbed.chaos.Kind;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** A bad day for a part of photon, and whether it keeps its promise. */
@Command(
        name = "chaos",
        mixinStandardHelpOptions = true,
        description =
                "Does to real processes on this machine what a bad day does (docs/testing.md).",
        subcommands = {ChaosCommand.Registry.class, ChaosCommand.Pipeline.class})
public final class ChaosCommand implements Tool {
    /** What each of them takes. */
    static final class RunOptions {
        @Option(
                names = "--duration",
                paramLabel = "DURATION",
                description =
                        "How long things happen, such as 30s; default 5m. Starting, the last answers and the"
                                + " verdict come to half a minute or more on top.")
        private Duration duration = Duration.ofMinutes(5);

        @Option(
                names = "--seed",
                paramLabel = "N",
                description = "What happens when; default: another one each time.")
        private @Nullable Long seed;

        @Option(
                names = "--directory",
                paramLabel = "DIR",
                description =
                        "Where the processes' files go, in a new directory that is gone at the end. Default: the system's"
                                + " directory for temporary files.")
        private @Nullable Path directory;

        @Option(
                names = "--keep",
                description =
                        "Keep that directory, which stays in any case if something was wrong.")
        private boolean keep;

        @CommandLine.Mixin private OutputFormat output = new OutputFormat();

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
                "Starts five replicas of the IdRegistry as processes on this machine and commits ids, a third of them wanted by"
                        + " several clients, while at random from the seed leaders are killed, stopped and cut off,"
                        + " majorities lost, all replicas restarted, shards made more and fewer, the boundary moved and"
                        + " clients fenced.",
                "At the end all replicas are compared, and the whole history of answers is searched for what no registry that"
                        + " decides one thing after another could have said. Progress is on stderr.",
                "A seed gives the same schedule again, not the same run: processes are not replayed."
            },
            exitCodeList = {
                "0:no violation, and ids were committed to the end",
                "1:a violation, a failure, or ended early",
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
                description = "Commits a second; default ${DEFAULT-VALUE}.")
        private int rate = 1_000;

        @Option(
                names = "--shards",
                paramLabel = "N",
                description = "How many the pipeline has at first; default ${DEFAULT-VALUE}.")
        private int shards = 2;

        @Option(
                names = "--only",
                paramLabel = "KIND",
                completionCandidates = KindLabels.class,
                description =
                        "Only this, on a registry with logs and memory as in production and nothing between its"
                                + " replicas, to measure it: one of ${COMPLETION-CANDIDATES}. reshard goes to 8 and to 4"
                                + " shards, in turn.")
        private @Nullable String only;

        @Option(
                names = "--count",
                paramLabel = "N",
                description = "With --only: so often; it fails if --duration does not suffice.")
        private @Nullable Integer count;

        @Override
        public Integer call() throws Exception {
            Optional<Kind> kind =
                    only == null
                            ? Optional.empty()
                            : Optional.of(labelled(Kind.values(), Kind::label, only));
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
                return Arrays.stream(Kind.values()).map(Kind::label).iterator();
            }
        }
    }

    /** A pipeline's months in fast motion. */
    @Command(
            name = "pipeline",
            mixinStandardHelpOptions = true,
            sortOptions = false,
            description = {
                "Starts a whole pipeline as processes on this machine, two datacenters with two joiners each and a registry of"
                        + " five replicas, and a live load. At random from the seed, processes are killed, some of them for"
                        + " longer than a repair takes, or stopped for a while; a datacenter's logs are unmounted; a"
                        + " dispatcher's state is lost; a whole datacenter goes down.",
                "At the end everything that can be joined must be published once, by the books that are read back from files, and"
                        + " by the independent auditor (docs/audit). The result has memory, number of files and size of"
                        + " checkpoints over the time. Progress is on stderr.",
                "A seed gives the same schedule again, not the same run: processes are not replayed."
            },
            exitCodeList = {
                "0:everything was joined once",
                "1:a loss, a duplicate or an alarm, a failure, or ended early",
                "2:wrong usage"
            },
            footer = "  photon chaos pipeline --duration 1h --seed 1")
    static final class Pipeline implements Callable<Integer> {
        @CommandLine.Mixin private RunOptions run = new RunOptions();

        @Option(
                names = "--rate",
                paramLabel = "N",
                description =
                        "Foreign events a second, and as many primary ones; default ${DEFAULT-VALUE}.")
        private int rate = 200;

        @Option(
                names = "--only",
                paramLabel = "FAULT",
                completionCandidates = FaultLabels.class,
                description = "Only this, again and again: one of ${COMPLETION-CANDIDATES}.")
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

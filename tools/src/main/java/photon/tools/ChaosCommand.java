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
import org.jspecify.annotations.Nullable;
import photon.cli.Tool;
import photon.core.error.ConfigException;
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
        subcommands = ChaosCommand.Registry.class)
public final class ChaosCommand implements Runnable, Tool {
    @CommandLine.Spec CommandLine.Model.CommandSpec spec = CommandLine.Model.CommandSpec.create();

    /** Called without a subcommand. */
    @Override
    public void run() {
        throw new CommandLine.ParameterException(
                spec.commandLine(), "Expected what to do it to: registry");
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
            exitCodeListHeading = "%nExit status:%n",
            exitCodeList = {
                "0:no violation, and ids were committed to the end",
                "1:a violation, a failure, or ended early",
                "2:wrong usage"
            })
    static final class Registry implements Callable<Integer> {
        private static final double MILLIS_A_MINUTE = 60_000;

        @Option(
                names = "--minutes",
                paramLabel = "N",
                description =
                        "How long things happen, such as 5 or 0.5; default ${DEFAULT-VALUE}. Starting, the last answers and the"
                                + " search come to about half a minute more.")
        private double minutes = 5;

        @Option(
                names = "--seed",
                paramLabel = "N",
                description = "What happens when; default: another one each time.")
        private @Nullable Long seed;

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
                description = "With --only: so often; it fails if --minutes do not suffice.")
        private @Nullable Integer count;

        @Option(
                names = "--directory",
                paramLabel = "DIR",
                description =
                        "Where the replicas' logs go, in a new directory that is gone at the end. Default: the system's"
                                + " directory for temporary files.")
        private @Nullable Path directory;

        @Option(
                names = "--keep",
                description =
                        "Keep that directory, which stays in any case if something was wrong.")
        private boolean keep;

        @CommandLine.Mixin private JsonOption json = new JsonOption();

        @Override
        public Integer call() throws Exception {
            Optional<Kind> kind = only == null ? Optional.empty() : Optional.of(kind(only));
            ChaosOptions options =
                    new ChaosOptions(
                            Duration.ofMillis((long) (minutes * MILLIS_A_MINUTE)),
                            seed == null ? ThreadLocalRandom.current().nextInt(1 << 30) : seed,
                            rate,
                            shards,
                            kind,
                            count == null ? OptionalInt.empty() : OptionalInt.of(count),
                            Optional.ofNullable(directory),
                            keep);
            List<String> problems = options.problems();
            if (!problems.isEmpty()) {
                throw new ConfigException(problems);
            }
            return Chaos.registry(options, json.isSet());
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

        private static Kind kind(String text) {
            return Arrays.stream(Kind.values())
                    .filter(kind -> kind.label().equals(text))
                    .findFirst()
                    .orElseThrow(
                            () ->
                                    new ConfigException(
                                            "--only is '%s': expected one of %s"
                                                    .formatted(
                                                            text,
                                                            Arrays.stream(Kind.values())
                                                                    .map(Kind::label)
                                                                    .toList())));
        }
    }
}

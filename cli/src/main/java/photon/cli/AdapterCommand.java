package photon.cli;

import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import photon.adapter.testing.AdapterCases.Pair;
import photon.adapter.testing.CaseReport.Case;
import photon.adapter.testing.CaseReport.Verdict;
import photon.core.config.ConfigLoader;
import photon.core.config.PipelineConfig;
import photon.core.error.ConfigException;
import photon.core.rpc.HostPort;
import photon.core.security.SecurityConfig;
import photon.server.adaptertest.AdapterDescription;
import photon.server.adaptertest.AdapterTest;
import photon.server.adaptertest.AdapterTestView;
import photon.server.adaptertest.SamplePairs;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Looks at an adapter before anything joins with it. */
@Command(
        name = "adapter",
        mixinStandardHelpOptions = true,
        description = "Tests and describes an adapter of your own before anything joins with it.",
        subcommands = {AdapterCommand.Test.class, AdapterCommand.Describe.class})
final class AdapterCommand {
    /** Which adapter: by its jar, address or command, or as a configuration names it. */
    static final class Which {
        @Option(
                names = "--jar",
                paramLabel = "FILE",
                description =
                        "The adapter's jar; again for each of its libraries. Default: the adapter of the configuration.")
        private List<Path> jars = List.of();

        @Option(
                names = "--class",
                paramLabel = "NAME",
                description = "The class in it that implements photon.adapter.Adapter; with --jar.")
        private @Nullable String type;

        @Option(
                names = "--address",
                paramLabel = "HOST:PORT",
                description =
                        "Where an adapter in a process of its own listens; again for each further process of it.")
        private List<String> addresses = List.of();

        @Option(
                names = "--command",
                arity = "1..*",
                paramLabel = "WORD",
                description =
                        "Starts an adapter in a process of its own, by this program and its arguments; none may begin with '-'.")
        private List<String> command = List.of();

        @Option(
                names = "--options",
                paramLabel = "KEY=VALUE",
                split = ",",
                description = "Options of the adapter; with --jar, --address or --command.")
        private Map<String, String> options = new LinkedHashMap<>();

        @Option(
                names = "--timeout",
                paramLabel = "DURATION",
                description = "How long one call may take. Default: adapter.timeout, 30s.")
        private @Nullable Duration timeout;

        @Mixin private ConfigOption config = new ConfigOption();

        PipelineConfig.Adapter adapter() {
            PipelineConfig.Adapter given = given();
            return new PipelineConfig.Adapter(
                    given.type(),
                    given.jars(),
                    given.remote(),
                    given.options(),
                    timeout == null ? given.timeout() : timeout,
                    given.failuresMaxPercent(),
                    given.failuresWindow());
        }

        private PipelineConfig.Adapter given() {
            boolean remote = !addresses.isEmpty() || !command.isEmpty();
            if ((remote && (!jars.isEmpty() || type != null))
                    || (!addresses.isEmpty() && !command.isEmpty())) {
                throw new ConfigException(
                        "--jar with --class, --address and --command exclude each other: expected one of them");
            }
            if (!remote) {
                return jars.isEmpty() ? configured() : ofJars();
            }
            return made(
                    PipelineConfig.Adapter.REMOTE,
                    List.of(),
                    Optional.of(
                            command.isEmpty()
                                    ? PipelineConfig.Remote.at(
                                            addresses.stream().map(HostPort::parse).toList(),
                                            ClientSecurity.of(
                                                    System.getenv(), SecurityConfig.DEFAULT))
                                    : PipelineConfig.Remote.of(
                                            command, Path.of("").toAbsolutePath().toString())));
        }

        private PipelineConfig.Adapter configured() {
            if (type != null || !options.isEmpty()) {
                throw new ConfigException(
                        "--jar is missing: expected the adapter's jar beside --class and --options, or --address or --command beside --options");
            }
            return ConfigLoader.load(config.file()).pipeline().adapter();
        }

        private PipelineConfig.Adapter ofJars() {
            if (type == null) {
                throw new ConfigException(
                        "--class is missing: expected the full name of the adapter's class beside --jar");
            }
            return made(
                    type,
                    jars.stream().map(jar -> jar.toAbsolutePath().toString()).toList(),
                    Optional.empty());
        }

        private PipelineConfig.Adapter made(
                String name, List<String> paths, Optional<PipelineConfig.Remote> remote) {
            return new PipelineConfig.Adapter(
                    name,
                    paths,
                    remote,
                    options,
                    PipelineConfig.Adapter.DEFAULT_TIMEOUT,
                    PipelineConfig.Adapter.DEFAULT_FAILURES_MAX_PERCENT,
                    PipelineConfig.Adapter.DEFAULT_FAILURES_WINDOW);
        }
    }

    /** Tries an adapter. */
    @Command(
            name = "test",
            mixinStandardHelpOptions = true,
            description = {
                "Tries an adapter on more than 50 generated pairs, each unusual in one way, and on a sample: whether every call with one pair gives the same result, from any thread, in any order, by another instance, after an interruption; whether what it emits can be published; whether it throws or hangs.",
                "With an adapter in a process of its own it tries sessions, too: versions of the protocol, many batches at a time, large pairs, a session that breaks in the middle.",
                "It joins nothing and writes nothing."
            },
            exitCodeList = {
                "0:no case failed",
                "1:a case failed; stderr says which",
                "2:wrong usage or configuration, or an adapter that cannot be loaded or is away"
            },
            footer = {
                "  photon adapter test --address 127.0.0.1:7410",
                "  photon adapter test --command python3 adapter.py --timeout 5s",
                "  photon adapter test --jar ads.jar --class com.example.AdsClicks",
                "  photon adapter test --sample clicks.jsonl queries.jsonl --config photon.yaml"
            })
    static final class Test implements Callable<Integer> {
        @Mixin private Which which = new Which();
        @Mixin private OutputOption output = new OutputOption();

        @Option(
                names = "--sample",
                arity = "2",
                paramLabel = "FILE",
                description =
                        "Two files of JSON lines, foreign events and their primary events: the first line of one is joined with the first of the other, and so on. The generated pairs are made from the fields of the first.")
        private List<Path> sample = List.of();

        @Override
        public Integer call() {
            List<Pair> pairs =
                    sample.isEmpty() ? List.of() : SamplePairs.read(sample.get(0), sample.get(1));
            AdapterTest.Result result = AdapterTest.run(which.adapter(), pairs);
            output.print(() -> AdapterTestView.text(result), () -> AdapterTestView.json(result));
            if (result.report().passed()) {
                return CommandLine.ExitCode.OK;
            }
            System.err.println(
                    "photon: the adapter failed: "
                            + String.join(
                                    "; ",
                                    result.report().cases().stream()
                                            .filter(one -> one.verdict() == Verdict.FAILED)
                                            .map(Case::name)
                                            .toList()));
            return CommandLine.ExitCode.SOFTWARE;
        }
    }

    /** Says what an adapter is. */
    @Command(
            name = "describe",
            mixinStandardHelpOptions = true,
            description = {
                "Loads an adapter and shows its class, version, effect, whether it takes events of a left join, jars and fingerprint. Two adapters with one fingerprint have the same class, version, jars and options.",
                "It does not start an adapter in a jar. One in a process of its own is greeted, and shows its name, version, effect, and whether it takes events of a left join."
            },
            exitCodeList = {
                "0:shown",
                "1:failed",
                "2:wrong usage or configuration, or an adapter that cannot be loaded or is away"
            },
            footer = "  photon adapter describe --jar ads.jar --class com.example.AdsClicks")
    static final class Describe implements Callable<Integer> {
        @Mixin private Which which = new Which();
        @Mixin private OutputOption output = new OutputOption();

        @Override
        public Integer call() {
            AdapterDescription description = AdapterDescription.of(which.adapter());
            output.print(description::text, description::json);
            return CommandLine.ExitCode.OK;
        }
    }
}

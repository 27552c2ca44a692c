package photon.cli;

import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.Callable;
import photon.core.config.ConfigLoader;
import photon.core.error.ConfigException;
import photon.core.time.SystemClock;
import photon.server.configtest.ConfigTest;
import photon.server.configtest.ConfigTestJson;
import photon.server.configtest.ConfigTestText;
import photon.server.configtest.rules.Finding;
import photon.storage.files.HadoopFileStore;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Looks at configurations before anything runs with them. */
@Command(
        name = "config",
        mixinStandardHelpOptions = true,
        description =
                "Tests a configuration, checks the machine of a daemon, and shows which settings count, before you run with them.",
        subcommands = {
            ConfigCommand.Test.class,
            ConfigCheckCommand.class,
            ConfigShowCommand.class,
            ConfigCommand.Schema.class
        })
final class ConfigCommand {
    /** Tries a configuration on the logs that it names. */
    @Command(
            name = "test",
            mixinStandardHelpOptions = true,
            description = {
                "Reads the beginning of every log that a configuration names, as a run does, and prints what it finds: files, records, ids, timestamps as dates, join keys, how many of the sampled foreign events match a primary event, and the first joined pair as Photon would write it.",
                "If something is wrong, it suggests a fix: it tries other timestamp units and patterns, other fields, other letter case, prefixes and number formats. It starts no daemon and writes no file."
            },
            exitCodeList = {
                "0:sampled foreign events match primary events, and the test found no error",
                "1:no event would join, every record of a stream is bad or unreadable, or timestamps are wrong; stderr says why",
                "2:wrong usage or configuration"
            },
            footer = "  photon config test --config photon.yaml")
    static final class Test implements Callable<Integer> {
        private static final int RECORDS_MAX = 1_000_000;

        /** How far this machine's clock may be from true time. */
        private static final Duration CLOCK_BOUND = Duration.ofMillis(250);

        @CommandLine.Mixin private ConfigOption config = new ConfigOption();

        @CommandLine.Mixin private OutputOption output = new OutputOption();

        @Option(
                names = "--records",
                paramLabel = "N",
                description =
                        "How many records of each stream to sample, in turn from its files and at most 64 MiB; default ${DEFAULT-VALUE}. The test reads up to 1,000,000 more primary events to find those that the sampled foreign events name.")
        private int records = 10_000;

        @Override
        public Integer call() {
            if (records < 1 || records > RECORDS_MAX) {
                throw new ConfigException(
                        "--records is %d: expected a number from 1 to %d"
                                .formatted(records, RECORDS_MAX));
            }
            ConfigLoader.Loaded loaded = ConfigLoader.load(config.file());
            ConfigTest test =
                    new ConfigTest(
                            loaded.pipeline(),
                            new HadoopFileStore(loaded.hadoop()),
                            new SystemClock(CLOCK_BOUND));
            test.checkSettings();
            ConfigTest.Result result = test.run(records);
            output.print(() -> ConfigTestText.of(result), () -> ConfigTestJson.of(result));
            result.findings().stream()
                    .filter(Finding::isError)
                    .forEach(finding -> System.err.println("photon: " + finding.text()));
            return result.good() ? CommandLine.ExitCode.OK : CommandLine.ExitCode.SOFTWARE;
        }
    }

    /** Prints the schema of configurations, for editors. */
    @Command(
            name = "schema",
            mixinStandardHelpOptions = true,
            description = {
                "Prints the JSON Schema of a configuration file, for editors that complete and check YAML.",
                "The distribution has it as docs/photon.schema.json, too. A file that fits the schema may still be wrong in what depends on other keys: photon config test says more. The result is one JSON document in any case, so there is no JSON form to choose."
            },
            exitCodeList = {"0:the schema is on stdout", "1:it could not be read", "2:wrong usage"},
            footer = "  photon config schema > photon.schema.json")
    static final class Schema implements Callable<Integer> {
        @Override
        public Integer call() throws IOException {
            try (InputStream in = ConfigCommand.class.getResourceAsStream("photon.schema.json")) {
                Objects.requireNonNull(in, "the schema is packed with this class")
                        .transferTo(System.out);
            }
            OutputOption.flush();
            return CommandLine.ExitCode.OK;
        }
    }
}

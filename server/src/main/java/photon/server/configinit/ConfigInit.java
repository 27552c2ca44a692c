package photon.server.configinit;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import photon.core.config.ConfigLoader;
import photon.core.config.PipelineConfig;
import photon.core.time.IntervalClock;
import photon.server.configinit.rules.Guess;
import photon.server.configinit.rules.Guessing;
import photon.server.configinit.rules.Need;
import photon.server.configtest.ConfigTest;
import photon.storage.files.FileStore;

/** Makes a configuration from the heads of two logs, and tries it. Writes nothing. */
public final class ConfigInit {
    private static final int FOREIGN_RECORDS = 10_000;
    private static final int PRIMARY_RECORDS = 100_000;
    private static final int TEST_RECORDS = 10_000;

    private final FileStore files;
    private final IntervalClock clock;

    public ConfigInit(FileStore files, IntervalClock clock) {
        this.files = files;
        this.clock = clock;
    }

    /**
     * What came of it.
     *
     * @param primaryRecords that were read
     * @param foreignRecords that were read
     * @param troubles why a file cannot be read on, each with its path
     * @param yaml the configuration; empty: something that it needs is not known
     * @param test what {@code photon config test} finds of it
     */
    public record Result(
            long primaryRecords,
            long foreignRecords,
            List<Guess> guesses,
            List<Need> needs,
            List<String> troubles,
            Optional<String> yaml,
            Optional<ConfigTest.Result> test) {
        public Result {
            guesses = List.copyOf(guesses);
            needs = List.copyOf(needs);
            troubles = List.copyOf(troubles);
        }

        /** There is a configuration, and it joins. */
        public boolean good() {
            return test.filter(ConfigTest.Result::good).isPresent();
        }
    }

    /**
     * @throws photon.core.error.ConfigException if the request is wrong: names every problem
     */
    public Result run(InitRequest request) {
        InputLog foreign = InputLog.read(files, "foreign", request.foreignPath(), FOREIGN_RECORDS);
        InputLog primary = InputLog.read(files, "primary", request.primaryPath(), PRIMARY_RECORDS);
        Guessing.Result guessed =
                Guessing.of(
                        primary.sample(),
                        request.primary(),
                        foreign.sample(),
                        request.foreign(),
                        primary.pattern().equals(foreign.pattern()),
                        clock.now().latestMicros());
        List<String> troubles = new ArrayList<>(primary.troubles());
        troubles.addAll(foreign.troubles());
        Optional<String> yaml =
                guessed.needs().isEmpty()
                        ? Optional.of(
                                new InitYaml(files, request, primary, foreign, guessed).text())
                        : Optional.empty();
        Optional<ConfigTest.Result> test =
                yaml.map(
                        text -> {
                            PipelineConfig config =
                                    ConfigLoader.parse(text, request.configuration()).pipeline();
                            return new ConfigTest(config, files, clock).run(TEST_RECORDS);
                        });
        return new Result(
                primary.sample().records(),
                foreign.sample().records(),
                guessed.guesses(),
                guessed.needs(),
                troubles,
                yaml,
                test);
    }
}

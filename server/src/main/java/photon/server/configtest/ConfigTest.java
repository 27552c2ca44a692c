package photon.server.configtest;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import photon.core.config.DurationText;
import photon.core.config.PipelineConfig;
import photon.core.config.StreamConfig;
import photon.core.error.ConfigException;
import photon.core.event.LogEvent;
import photon.core.time.IntervalClock;
import photon.joiner.adapters.AdapterDecision;
import photon.server.configtest.rules.Diagnosis;
import photon.server.configtest.rules.Finding;
import photon.server.configtest.rules.Matches;
import photon.server.configtest.rules.StreamSample;
import photon.storage.files.FileStore;

/** Tries a configuration: reads, looks for pairs, joins the first, and has it all judged. */
public final class ConfigTest {
    /** Primary events that are looked at, if the sample is not larger. */
    private static final long PRIMARY_EVENTS_MAX = 1_000_000;

    /** Of an adapter that may take as long as it likes. */
    private static final Duration ADAPTER_TIMEOUT_MAX = Duration.ofMinutes(1);

    /** A run waits as long for a process to listen and to greet. */
    private static final Duration START_MAX = Duration.ofMinutes(1);

    private final PipelineConfig config;
    private final FileStore files;
    private final IntervalClock clock;

    public ConfigTest(PipelineConfig config, FileStore files, IntervalClock clock) {
        this.config = config;
        this.files = files;
        this.clock = clock;
    }

    /**
     * What came of it.
     *
     * @param first what the adapter made of the first pair; empty: there is no pair
     * @param answers what it made of all pairs that it was asked for
     * @param findings errors first
     */
    public record Result(
            StreamSample primary,
            StreamSample foreign,
            Matches matches,
            Optional<AdapterDecision> first,
            AdapterAnswers answers,
            List<Finding> findings) {
        public Result {
            findings = List.copyOf(findings);
        }

        /** Without errors. */
        public boolean good() {
            return findings.stream().noneMatch(Finding::isError);
        }
    }

    /**
     * Sees to it that the settings fit each other, as a run does before it starts.
     *
     * @throws ConfigException if they do not, or the adapter is not made in a minute or, if that is
     *     longer, the time that a call of it may take
     */
    public void checkSettings() {
        checkSettings(startMax(adapterTimeout()));
    }

    /**
     * How long an adapter may take to start.
     *
     * @param call how long a call of it may take
     */
    static Duration startMax(Duration call) {
        return call.compareTo(START_MAX) > 0 ? call : START_MAX;
    }

    void checkSettings(Duration startMax) {
        try (BoundedCalls calls = new BoundedCalls(startMax)) {
            Optional<Boolean> checked =
                    calls.call(
                            () -> {
                                SettingsCheck.check(config, true);
                                return true;
                            });
            if (checked.isEmpty()) {
                throw new ConfigException(
                        "adapter: %s did not start within %s: its constructor or its start() waits for something that does not come"
                                .formatted(
                                        config.adapter().type(), DurationText.of(calls.bound())));
            }
        }
    }

    /**
     * Never waits for a file, and for an adapter no longer than {@code adapter.timeout} allows. The
     * settings must fit each other.
     *
     * @param records to read of each stream, at most
     */
    public Result run(int records) {
        try (SampleReader foreignReader = reader("foreign", config.foreign());
                SampleReader primaryReader = reader("primary", config.primary())) {
            foreignReader.sample(records);
            Matches matches = new Matches(foreignReader.events());
            primaryReader.sample(records);
            for (LogEvent event : primaryReader.events()) {
                matches.see(event);
            }
            if (matches.foreignEvents() > 0) {
                primaryReader.readOn(
                        Math.max(PRIMARY_EVENTS_MAX, records) - primaryReader.events().size(),
                        matches::see,
                        matches::complete);
            }
            return judge(primaryReader.result(), foreignReader.result(), matches);
        }
    }

    private Result judge(StreamSample primary, StreamSample foreign, Matches matches) {
        long now = clock.now().latestMicros();
        TrialReader trials = new TrialReader(files, clock);
        List<Finding> findings =
                new ArrayList<>(
                        Diagnosis.of(
                                config,
                                primary,
                                trials.of(primary, now),
                                foreign,
                                trials.of(foreign, now),
                                matches,
                                now));
        try (BoundedCalls calls = new BoundedCalls(adapterTimeout())) {
            AdapterTrial.Outcome outcome = new AdapterTrial(config, calls).ask(matches.pairs());
            findings.addAll(0, outcome.findings());
            findings.addAll(0, OutputTrial.of(config.output(), outcome.first()));
            return new Result(
                    primary, foreign, matches, outcome.first(), outcome.answers(), findings);
        }
    }

    private Duration adapterTimeout() {
        Duration timeout = config.adapter().timeout();
        return timeout.isZero() ? ADAPTER_TIMEOUT_MAX : timeout;
    }

    private SampleReader reader(String name, StreamConfig stream) {
        return new SampleReader(name, stream, files, clock);
    }
}

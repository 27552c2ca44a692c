package photon.server.configtest;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import photon.core.config.PipelineConfig;
import photon.core.config.StreamConfig;
import photon.core.event.LogEvent;
import photon.core.time.IntervalClock;
import photon.joiner.adapters.AdapterDecision;
import photon.joiner.adapters.Adapters;
import photon.joiner.adapters.PairAdapter;
import photon.server.configtest.rules.Diagnosis;
import photon.server.configtest.rules.Finding;
import photon.server.configtest.rules.Matches;
import photon.server.configtest.rules.StreamSample;
import photon.storage.files.FileStore;

/** Tries a configuration: reads, looks for pairs, joins the first, and has it all judged. */
public final class ConfigTest {
    /** Primary events that are looked at, if the sample is not larger. */
    private static final long PRIMARY_EVENTS_MAX = 1_000_000;

    private final PipelineConfig config;
    private final FileStore files;
    private final IntervalClock clock;

    /**
     * @param config whose settings fit each other
     */
    public ConfigTest(PipelineConfig config, FileStore files, IntervalClock clock) {
        this.config = config;
        this.files = files;
        this.clock = clock;
    }

    /**
     * What came of it.
     *
     * @param first what the adapter made of the first pair; empty: there is no pair
     * @param findings errors first
     */
    public record Result(
            StreamSample primary,
            StreamSample foreign,
            Matches matches,
            Optional<AdapterDecision> first,
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
     * Never waits for a file.
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
        Optional<AdapterDecision> first = join(matches.pairs());
        first.flatMap(decision -> nothingEmitted(decision, matches.pairs().size()))
                .ifPresent(finding -> findings.add(0, finding));
        return new Result(primary, foreign, matches, first, findings);
    }

    /** The first that is emitted, otherwise what was decided of the first. */
    private Optional<AdapterDecision> join(List<Matches.Pair> pairs) {
        PairAdapter adapter = Adapters.load(config.adapter());
        AdapterDecision first = null;
        for (Matches.Pair pair : pairs) {
            AdapterDecision decision =
                    adapter.join(
                            pair.foreign().toProto(),
                            pair.foreign().id().micros(),
                            pair.primary().toProto(),
                            pair.primary().id().micros());
            if (decision instanceof AdapterDecision.Emit) {
                return Optional.of(decision);
            }
            first = first == null ? decision : first;
        }
        return Optional.ofNullable(first);
    }

    private static Optional<Finding> nothingEmitted(AdapterDecision first, int pairs) {
        return first instanceof AdapterDecision.Emit
                ? Optional.empty()
                : Optional.of(
                        new Finding(
                                Finding.Severity.ERROR,
                                "adapter",
                                "the adapter emits nothing for the first %,d pairs; its answer to the first of them is %s"
                                        .formatted(pairs, ConfigTestText.decision(first)),
                                ""));
    }

    private SampleReader reader(String name, StreamConfig stream) {
        return new SampleReader(name, stream, files, clock);
    }
}

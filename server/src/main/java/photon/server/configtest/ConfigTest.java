package photon.server.configtest;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import photon.core.config.InputConfig;
import photon.core.config.PipelineConfig;
import photon.core.config.StreamConfig;
import photon.core.config.TimestampConfig;
import photon.core.event.LogEvent;
import photon.core.time.IntervalClock;
import photon.joiner.adapters.AdapterDecision;
import photon.joiner.adapters.Adapters;
import photon.joiner.adapters.PairAdapter;
import photon.server.configtest.rules.Diagnosis;
import photon.server.configtest.rules.Finding;
import photon.server.configtest.rules.Matches;
import photon.server.configtest.rules.StreamSample;
import photon.server.configtest.rules.Trials;
import photon.storage.files.FileStore;

/** Tries a configuration: reads, looks for pairs, joins the first, and has it all judged. */
public final class ConfigTest {
    /** Primary events that are looked at, if the sample is not larger. */
    private static final long PRIMARY_EVENTS_MAX = 1_000_000;

    private static final int TRIAL_RECORDS = 1_000;

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
        List<Finding> findings =
                new ArrayList<>(
                        Diagnosis.of(
                                config,
                                primary,
                                trials(primary, now),
                                foreign,
                                trials(foreign, now),
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

    private Trials trials(StreamSample sample, long nowMicros) {
        List<Trials.OfTimestamp> timestamps = new ArrayList<>();
        StreamConfig stream = sample.stream();
        for (TimestampConfig timestamp : Trials.timestampsToTry(sample, nowMicros)) {
            StreamConfig other = with(stream, stream.where(), stream.whereNot(), timestamp);
            timestamps.add(Trials.OfTimestamp.of(timestamp, head(sample.name(), other)));
        }
        Optional<StreamSample> unfiltered =
                Trials.filtersToTry(sample)
                        ? Optional.of(
                                head(
                                        sample.name(),
                                        with(
                                                stream,
                                                Map.of(),
                                                Map.of(),
                                                stream.timestamp().orElse(null))))
                        : Optional.empty();
        return new Trials(timestamps, unfiltered);
    }

    private StreamSample head(String name, StreamConfig stream) {
        try (SampleReader reader = reader(name, stream)) {
            reader.sample(TRIAL_RECORDS);
            return reader.result();
        }
    }

    private SampleReader reader(String name, StreamConfig stream) {
        return new SampleReader(name, stream, files, clock);
    }

    /** A trial needs no checksums: the sample has had them. */
    private static StreamConfig with(
            StreamConfig stream,
            Map<String, List<String>> where,
            Map<String, List<String>> whereNot,
            @Nullable TimestampConfig timestamp) {
        return new StreamConfig(
                stream.paths(),
                stream.format(),
                where,
                whereNot,
                stream.id(),
                Optional.ofNullable(timestamp),
                stream.primaryId(),
                new InputConfig(InputConfig.OpenMembers.TRUST, stream.input().finishedAfter()));
    }
}

package photon.server.configtest;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import photon.core.config.StreamConfig;
import photon.core.config.TimestampConfig;
import photon.core.time.IntervalClock;
import photon.server.configtest.rules.StreamSample;
import photon.server.configtest.rules.Trials;
import photon.storage.files.FileStore;

/** Reads the first records of a stream again with other settings, where its own look wrong. */
final class TrialReader {
    private static final int RECORDS = 1_000;

    private final FileStore files;
    private final IntervalClock clock;

    TrialReader(FileStore files, IntervalClock clock) {
        this.files = files;
        this.clock = clock;
    }

    /** Other settings of the sample's stream, and what the first records came to with them. */
    Trials of(StreamSample sample, long nowMicros) {
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
        try (SampleReader reader = new SampleReader(name, stream, files, clock)) {
            reader.sample(RECORDS);
            return reader.result();
        }
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
                stream.input().trusting());
    }
}

package photon.server.configtest.rules;

import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import photon.core.config.StreamConfig;
import photon.core.config.TimestampConfig;

/**
 * Other settings for one stream that are worth a try, and what a few records came to with them.
 *
 * @param unfiltered with no filter; absent: not tried
 */
public record Trials(List<OfTimestamp> timestamps, Optional<StreamSample> unfiltered) {
    /** Patterns of timestamps that logs often have; the first that fits is the right one. */
    public static final List<String> PATTERNS =
            List.of(
                    "yyyy-MM-dd'T'HH:mm:ssX",
                    "yyyy-MM-dd'T'HH:mm:ss.SSSX",
                    "yyyy-MM-dd'T'HH:mm:ss.SSSSSSX",
                    "yyyy-MM-dd'T'HH:mm:ssXXX",
                    "yyyy-MM-dd'T'HH:mm:ss",
                    "yyyy-MM-dd'T'HH:mm:ss.SSS",
                    "yyyy-MM-dd HH:mm:ss",
                    "yyyy-MM-dd HH:mm:ss.SSS",
                    "yyyy-MM-dd HH:mm:ss.SSSSSS",
                    "yyyy-MM-dd",
                    // What most libraries print: as many digits as are not 0.
                    "yyyy-MM-dd'T'HH:mm:ss[.SSSSSSSSS][.SSSSSS][.SSS]X",
                    "yyyy-MM-dd'T'HH:mm:ss[.SSSSSSSSS][.SSSSSS][.SSS]",
                    "yyyy-MM-dd HH:mm:ss[.SSSSSSSSS][.SSSSSS][.SSS][X]",
                    "dd/MMM/yyyy:HH:mm:ss Z",
                    "yyyyMMddHHmmss");

    public static final Trials NONE = new Trials(List.of(), Optional.empty());

    public Trials {
        timestamps = List.copyOf(timestamps);
    }

    /**
     * What a few records came to with another setting of the timestamp.
     *
     * @param micros of the events among them
     * @param records events and bad records
     */
    public record OfTimestamp(TimestampConfig timestamp, List<Long> micros, long records) {
        public OfTimestamp {
            micros = List.copyOf(micros);
        }

        public static OfTimestamp of(TimestampConfig timestamp, StreamSample sample) {
            return new OfTimestamp(
                    timestamp, Dates.micros(sample), sample.events().size() + sample.bad().count());
        }
    }

    /** Settings of the timestamp to try where this sample has wrong ones; empty: it has not. */
    public static List<TimestampConfig> timestampsToTry(StreamSample sample, long nowMicros) {
        List<TimestampConfig> candidates = new ArrayList<>();
        long records = sample.events().size() + sample.bad().count();
        long right = Dates.plausible(Dates.micros(sample), nowMicros);
        Optional<TimestampConfig> timestamp = sample.stream().timestamp();
        if (timestamp.isEmpty() || records == 0 || 2 * right >= records) {
            return candidates;
        }
        TimestampConfig now = timestamp.get();
        for (TimestampConfig.Unit unit : TimestampConfig.Unit.values()) {
            candidates.add(new TimestampConfig.Numeric(now.field(), unit));
        }
        ZoneId zone =
                now instanceof TimestampConfig.Pattern pattern ? pattern.zone() : ZoneId.of("UTC");
        for (String pattern : PATTERNS) {
            candidates.add(new TimestampConfig.Pattern(now.field(), pattern, zone));
        }
        candidates.remove(now.with(TimestampConfig.Dates.ANY));
        return candidates;
    }

    /** True: filters have left nothing, or so it seems. */
    public static boolean filtersToTry(StreamSample sample) {
        StreamConfig stream = sample.stream();
        return sample.events().isEmpty()
                && sample.leftOut() > 0
                && !(stream.where().isEmpty() && stream.whereNot().isEmpty());
    }
}

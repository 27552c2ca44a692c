package photon.core.config;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * One input stream: where its logs lie and how their records are read.
 *
 * @param paths globs, absolute
 * @param where keep only records whose field has one of these values; every named field must match
 * @param whereNot drop records whose field has one of these values
 * @param timestamp absent only where the id is native
 * @param primaryId foreign streams: how a record names its primary event; primary streams: empty
 * @param input when the records of compressed logs count
 */
public record StreamConfig(
        List<String> paths,
        FormatConfig format,
        Map<String, List<String>> where,
        Map<String, List<String>> whereNot,
        IdConfig id,
        Optional<TimestampConfig> timestamp,
        Optional<IdConfig> primaryId,
        InputConfig input) {

    /** With the defaults of {@code input}. */
    public StreamConfig(
            List<String> paths,
            FormatConfig format,
            Map<String, List<String>> where,
            Map<String, List<String>> whereNot,
            IdConfig id,
            Optional<TimestampConfig> timestamp,
            Optional<IdConfig> primaryId) {
        this(paths, format, where, whereNot, id, timestamp, primaryId, InputConfig.DEFAULTS);
    }

    /** The same stream, with its events of whatever dates. */
    public StreamConfig ofAnyDate() {
        return new StreamConfig(
                paths,
                format,
                where,
                whereNot,
                id,
                timestamp.map(setting -> setting.with(TimestampConfig.Dates.ANY)),
                primaryId,
                input);
    }

    public StreamConfig {
        paths = List.copyOf(paths);
        where = Map.copyOf(where);
        whereNot = Map.copyOf(whereNot);
    }
}

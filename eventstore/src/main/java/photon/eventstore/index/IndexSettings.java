package photon.eventstore.index;

import java.util.Map;
import java.util.TreeMap;
import photon.core.config.StreamConfig;

/**
 * What of a stream's settings decides which records the index holds and under which ids, as one
 * text that is the same in every process. The paths are not among it: a log that is added is read,
 * and what was read from one that is no longer named may stay.
 */
public final class IndexSettings {
    private static final int VERSION = 1;

    private IndexSettings() {}

    public static String of(StreamConfig stream) {
        return String.join(
                " ",
                "v" + VERSION,
                stream.format().toString(),
                "where=" + ordered(stream.where()),
                "whereNot=" + ordered(stream.whereNot()),
                stream.id().toString(),
                stream.timestamp().toString());
    }

    private static <V> Map<String, V> ordered(Map<String, V> map) {
        return new TreeMap<>(map);
    }
}

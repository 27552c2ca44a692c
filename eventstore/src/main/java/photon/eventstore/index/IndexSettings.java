package photon.eventstore.index;

import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import photon.core.config.StreamConfig;
import photon.core.share.StoreShare;

/**
 * What of a stream's settings decides which records the index holds and under which ids, and the
 * store's share of them, as one text that is the same in every process. The paths are not among it:
 * a log that is added is read, and what was read from one that is no longer named may stay.
 */
public final class IndexSettings {
    private static final int VERSION = 1;
    private static final String SHARE = " share=";

    /** Nothing else in the text ends so: the settings of a stream end with a bracket. */
    private static final Pattern SHARED =
            Pattern.compile("(.*)" + SHARE + "([a-z0-9-]+/\\d+/[a-z0-9,-]+)", Pattern.DOTALL);

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

    /** The same as that of a store that is alone if the share is everything. */
    static String of(StreamConfig stream, StoreShare share) {
        return of(stream) + of(share);
    }

    static String of(StoreShare share) {
        return share.isWhole() ? "" : SHARE + share.text();
    }

    /**
     * Why an index that was made with other settings cannot be used; empty: it can. One of a larger
     * share can, since what it holds too much does no harm: it was in the logs.
     */
    static Optional<String> refusal(String before, String now) {
        if (before.equals(now)) {
            return Optional.empty();
        }
        if (!base(before).equals(base(now))) {
            return Optional.of(
                    "it was made with other settings. Before: %s. Now: %s".formatted(before, now));
        }
        Optional<StoreShare> was = share(before);
        Optional<StoreShare> is = share(now);
        if (was.isPresent() && is.isPresent() && was.get().holdsAllOf(is.get())) {
            return Optional.empty();
        }
        return Optional.of(
                "this event store has to keep primary events that it did not keep before. Before: %s. Now: %s"
                        .formatted(said(was), said(is)));
    }

    private static String said(Optional<StoreShare> share) {
        return share.map(StoreShare::toString).orElse("a share that this version cannot read");
    }

    private static String base(String settings) {
        Matcher matcher = SHARED.matcher(settings);
        return matcher.matches() ? matcher.group(1) : settings;
    }

    private static Optional<StoreShare> share(String settings) {
        Matcher matcher = SHARED.matcher(settings);
        return matcher.matches()
                ? StoreShare.parse(matcher.group(2))
                : Optional.of(StoreShare.WHOLE);
    }

    private static <V> Map<String, V> ordered(Map<String, V> map) {
        return new TreeMap<>(map);
    }
}

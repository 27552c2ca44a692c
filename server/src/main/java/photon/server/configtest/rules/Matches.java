package photon.server.configtest.rules;

import com.google.protobuf.ByteString;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import photon.core.event.LogEvent;

/**
 * Finds the primary events of sampled foreign events, as the primary events pass by. Its memory is
 * bounded by the sample, and by {@link #IDS_MAX} texts of ids.
 */
public final class Matches {
    private static final int IDS_MAX = 500_000;
    private static final int PAIRS_MAX = 100;

    private final Map<ByteString, List<LogEvent>> waiting = new HashMap<>();
    private final int foreignEvents;
    private final List<Pair> pairs = new ArrayList<>();
    private final Set<String> primaryIds = new HashSet<>();
    private int found;
    private long primaryEvents;

    /** A foreign event and its primary event. */
    public record Pair(LogEvent foreign, LogEvent primary) {}

    public Matches(List<LogEvent> foreign) {
        this.foreignEvents = foreign.size();
        for (LogEvent event : foreign) {
            waiting.computeIfAbsent(event.primaryKey(), key -> new ArrayList<>(1)).add(event);
        }
    }

    public void see(LogEvent primary) {
        primaryEvents++;
        if (primaryIds.size() < IDS_MAX) {
            primaryIds.add(primary.idText());
        }
        List<LogEvent> foreign = waiting.remove(primary.key());
        if (foreign != null) {
            found += foreign.size();
            for (LogEvent event : foreign) {
                if (pairs.size() < PAIRS_MAX) {
                    pairs.add(new Pair(event, primary));
                }
            }
        }
    }

    /** True: no primary event can add anything. */
    public boolean complete() {
        return waiting.isEmpty();
    }

    public int foreignEvents() {
        return foreignEvents;
    }

    /** How many foreign events have found theirs. */
    public int found() {
        return found;
    }

    public long primaryEvents() {
        return primaryEvents;
    }

    /** The first ones. */
    public List<Pair> pairs() {
        return List.copyOf(pairs);
    }

    Set<String> primaryIds() {
        return primaryIds;
    }
}

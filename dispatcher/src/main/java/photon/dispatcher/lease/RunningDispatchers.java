package photon.dispatcher.lease;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import photon.storage.lease.Node;
import photon.storage.lease.NodeList;

/**
 * Finds out which dispatchers that share a state are at work, as one finds out who only looks at
 * the node list: an entry that goes on is of one that runs, and one that stands still for its whole
 * term and a tenth is of one that has ended. Told of each look, in order. Not thread-safe.
 */
public final class RunningDispatchers {
    private final Map<String, Seen> seen = new HashMap<>();

    private record Seen(long version, long sinceNanos) {}

    /**
     * What is known by now.
     *
     * @param running their entries went on while they were looked at
     * @param unsure may have ended, and have not stood still for long enough yet
     */
    public record Verdict(List<Node> running, List<Node> unsure) {}

    /**
     * @param askedNanos monotonic: no entry was seen to stand so later
     * @param answeredNanos monotonic: nor earlier
     */
    public Verdict looked(
            Map<String, NodeList.Entry> entries, long askedNanos, long answeredNanos) {
        List<Node> running = new ArrayList<>();
        List<Node> unsure = new ArrayList<>();
        entries.forEach(
                (name, entry) -> {
                    Seen before =
                            seen.computeIfAbsent(
                                    name, first -> new Seen(entry.version(), answeredNanos));
                    long patience = entry.node().term().toNanos() * 11 / 10;
                    if (before.version() != entry.version()) {
                        running.add(entry.node());
                    } else if (askedNanos - before.sinceNanos() < patience) {
                        unsure.add(entry.node());
                    }
                });
        return new Verdict(List.copyOf(running), List.copyOf(unsure));
    }
}

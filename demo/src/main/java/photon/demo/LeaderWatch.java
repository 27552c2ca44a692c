package photon.demo;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import photon.demo.DemoEvent.Kind;

/**
 * Tells from successive observations when a group of the registry got another leader, and how long
 * that took: from the last moment at which the old one was seen to lead. That a group has no leader
 * for a while, and then the same again, is no change. Not thread-safe.
 */
public final class LeaderWatch {
    private final UnaryOperator<String> homes;
    private final SortedMap<String, Lead> known = new TreeMap<>();
    private int changes;

    /** Who was last seen to lead a group, and when. */
    private record Lead(String replica, long seenMillis) {}

    /**
     * @param homes by group the label of the replica that is to lead it when all is well; empty:
     *     none is
     */
    public LeaderWatch(UnaryOperator<String> homes) {
        this.homes = homes;
    }

    /**
     * @param leaders by group ({@code control} or {@code pipeline/epoch/shard}) the label of the
     *     replica that leads it ({@code west/r1}); empty: none is known
     * @return what has changed
     */
    public List<DemoEvent> observe(long atMillis, Map<String, String> leaders) {
        List<DemoEvent> events = new ArrayList<>();
        for (Map.Entry<String, String> each : new TreeMap<>(leaders).entrySet()) {
            String replica = each.getValue();
            if (replica.isEmpty()) {
                continue;
            }
            Lead before = known.put(each.getKey(), new Lead(replica, atMillis));
            if (before != null && !before.replica().equals(replica)) {
                changes++;
                events.add(moved(atMillis, each.getKey(), before, replica));
            }
        }
        return events;
    }

    /** How often a group's leader has become another replica than its last known. */
    public int leaderChanges() {
        return changes;
    }

    /**
     * The leader among replicas that say they lead a group: more than one may, for a while, while
     * one that was cut off does not know yet. The one that is known stays so while it says so.
     *
     * @param claims labels of those that say so
     * @return empty: none does
     */
    public String choose(String group, List<String> claims) {
        Lead lead = known.get(group);
        if (lead != null && claims.contains(lead.replica())) {
            return lead.replica();
        }
        return claims.stream().sorted().findFirst().orElse("");
    }

    /** {@code shard 1}, or {@code control group}. */
    static String groupText(String group) {
        return group.contains("/")
                ? "shard " + group.substring(group.lastIndexOf('/') + 1)
                : group + " group";
    }

    private DemoEvent moved(long atMillis, String group, Lead before, String replica) {
        String from = place(before.replica());
        String to = place(replica);
        String text =
                String.format(
                        Locale.ROOT,
                        "leader of %s moved %s %s%s in %.1f s",
                        groupText(group),
                        from.equals(to) ? "within" : "to",
                        to,
                        homes.apply(group).equals(replica) ? ", its home," : "",
                        (atMillis - before.seenMillis()) / 1e3);
        return new DemoEvent(atMillis, text, Kind.LEADER);
    }

    /** The datacenter of {@code datacenter/replica}. */
    static String place(String label) {
        int slash = label.indexOf('/');
        return slash < 0 ? label : label.substring(0, slash);
    }
}

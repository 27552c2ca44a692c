package photon.storage.lease;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;

/**
 * Decides which partitions a node takes and which it gives back (docs/protocol.md section 7). Each
 * live node has a share by its capacity, and no more than it can begin to work on, if others can: a
 * machine that cannot reach the registry, say, keeps nothing from them. A partition is free if
 * nobody holds it, or if its holder is silent: it was not seen to renew its entry for three
 * quarters of its term, by this process's monotonic clock alone, and a random pause more, so that
 * not all who wait try at one time. As entries are looked at four times a term, this is within a
 * term and a pause of the last renewal. Told of each look, in order. Not thread-safe.
 */
public final class ShareRule {
    /** Of the term: how often an entry is renewed and all are looked at. */
    static final int PARTS = 4;

    /** Of the term: the longest pause. */
    private static final int PAUSES = 10;

    private final String self;
    private final RandomGenerator random;
    private final Map<String, Seen> seen = new HashMap<>();

    /** Since when an entry has stood as it does, and how long that may be. */
    private record Seen(long version, long sinceNanos, long patienceNanos) {}

    /**
     * @param self what it holds in the documents and does not work on is of an earlier life, which
     *     has ended
     */
    public ShareRule(String self, RandomGenerator random) {
        this.self = self;
        this.random = random;
    }

    /**
     * What was seen at one look.
     *
     * @param nodes the node list
     * @param leases of all partitions, in order
     * @param held partitions that this node works on
     * @param askedNanos monotonic: nothing that was seen stood later, for all that is known
     * @param answeredNanos monotonic: nor earlier
     */
    public record View(
            Map<String, NodeList.Entry> nodes,
            List<Optional<Lease>> leases,
            Set<Integer> held,
            long askedNanos,
            long answeredNanos) {}

    /**
     * What to do.
     *
     * @param take free partitions, those to try first in front
     * @param giveBack partitions that this node works on, or that an earlier life of it did
     * @param silentIn how long until the next live node counts as silent if it does not renew; for
     *     ever if there is none
     */
    public record Decision(List<Integer> take, List<Integer> giveBack, Duration silentIn) {}

    /** The nodes were looked at. */
    public Decision looked(View view) {
        Map<String, Node> live = live(view);
        Map<String, Integer> holds = new HashMap<>();
        List<Integer> free = new ArrayList<>();
        for (int partition = 0; partition < view.leases().size(); partition++) {
            String holder = holder(view, partition);
            if (live.containsKey(holder)) {
                holds.merge(holder, 1, Integer::sum);
            } else {
                free.add(partition);
            }
        }
        Shares shares = Shares.of(view.leases().size(), live, holds);
        int mine = view.held().size();
        int surplus = mine - shares.most(self);
        if (surplus <= 0 && free.isEmpty() && self.equals(shares.giver())) {
            surplus = 1;
        }
        if (surplus > 0) {
            List<Integer> last =
                    view.held().stream().sorted(Comparator.reverseOrder()).limit(surplus).toList();
            return new Decision(List.of(), left(view, last, List.of()), silentIn(view));
        }
        int room = Math.max(0, shares.least(self) - mine);
        boolean spare = free.size() > shares.missing();
        if (room == 0 && spare && mine < shares.most(self)) {
            room = 1;
        }
        List<Integer> take = inOwnOrder(free).stream().limit(room).toList();
        return new Decision(take, left(view, List.of(), take), silentIn(view));
    }

    /** With what is left of an earlier life: as long as this node lives, nobody else takes that. */
    private List<Integer> left(View view, List<Integer> giveBack, List<Integer> take) {
        List<Integer> all = new ArrayList<>(giveBack);
        for (int partition = 0; partition < view.leases().size(); partition++) {
            boolean own =
                    view.leases()
                            .get(partition)
                            .filter(lease -> !lease.released() && lease.holder().equals(self))
                            .isPresent();
            if (own && !view.held().contains(partition) && !take.contains(partition)) {
                all.add(partition);
            }
        }
        return all;
    }

    /** Empty: it is free, whoever lives. */
    private String holder(View view, int partition) {
        if (view.held().contains(partition)) {
            return self;
        }
        // What is its own and not worked on was an earlier life's.
        return view.leases()
                .get(partition)
                .filter(lease -> !lease.released() && !lease.holder().equals(self))
                .map(Lease::holder)
                .orElse("");
    }

    private Map<String, Node> live(View view) {
        seen.keySet().retainAll(view.nodes().keySet());
        Map<String, Node> live = new TreeMap<>();
        view.nodes()
                .forEach(
                        (name, entry) -> {
                            if (name.equals(self) || isLive(name, entry, view)) {
                                live.put(name, entry.node());
                            }
                        });
        return live;
    }

    private boolean isLive(String name, NodeList.Entry entry, View view) {
        Seen before = seen.get(name);
        if (before == null || before.version() != entry.version()) {
            long termNanos = entry.node().term().toNanos();
            before =
                    new Seen(
                            entry.version(),
                            view.answeredNanos(),
                            termNanos * 3 / 4 + random.nextLong(Math.max(1, termNanos / PAUSES)));
            seen.put(name, before);
        }
        return view.askedNanos() - before.sinceNanos() < before.patienceNanos();
    }

    private Duration silentIn(View view) {
        long nanos =
                seen.values().stream()
                        .mapToLong(s -> s.patienceNanos() - (view.askedNanos() - s.sinceNanos()))
                        .filter(left -> left > 0)
                        .min()
                        .orElse(Long.MAX_VALUE);
        return Duration.ofNanos(nanos);
    }

    /** Nodes that take at one time begin at different ones. */
    private List<Integer> inOwnOrder(List<Integer> free) {
        int from = free.isEmpty() ? 0 : random.nextInt(free.size());
        return IntStream.range(0, free.size())
                .mapToObj(i -> free.get((from + i) % free.size()))
                .toList();
    }

    /** How many partitions a node shall have. */
    private record Share(int least, int most) {
        static final Share NONE = new Share(0, 0);
    }

    /** How many partitions each node shall have, by its capacity, and what it has. */
    private record Shares(Map<String, Share> of, Map<String, Integer> holds) {
        static Shares of(int partitions, Map<String, Node> live, Map<String, Integer> holds) {
            Map<String, Node> free = new TreeMap<>(live);
            Map<String, Share> shares = new TreeMap<>();
            int left = limit(partitions, free, shares);
            // Where none can begin more, each tries a part of the rest all the same, and keeps what
            // it
            // works on: it goes to nobody who cannot begin it.
            Map<String, Node> sharing = free.isEmpty() ? live : free;
            long all = Math.max(1, sum(sharing));
            for (Node node : sharing.values()) {
                long part = (long) left * node.capacity();
                Share has = shares.getOrDefault(node.name(), Share.NONE);
                shares.put(
                        node.name(),
                        new Share(
                                has.least() + (int) (part / all),
                                has.most() + (int) ((part + all - 1) / all)));
            }
            return new Shares(shares, holds);
        }

        /**
         * Moves those that can do less than their share out of the free ones.
         *
         * @return how many partitions are left to these
         */
        private static int limit(
                int partitions, Map<String, Node> free, Map<String, Share> shares) {
            int left = partitions;
            boolean again = true;
            while (again) {
                again = false;
                for (Node node : List.copyOf(free.values())) {
                    Integer atMost = node.atMost();
                    long part = (long) left * node.capacity();
                    if (atMost != null && atMost * sum(free) < part) {
                        free.remove(node.name());
                        shares.put(node.name(), new Share(atMost, atMost));
                        left -= atMost;
                        again = true;
                    }
                }
            }
            return left;
        }

        private static long sum(Map<String, Node> nodes) {
            return nodes.values().stream().mapToLong(Node::capacity).sum();
        }

        int least(String node) {
            return of.getOrDefault(node, Share.NONE).least();
        }

        int most(String node) {
            return of.getOrDefault(node, Share.NONE).most();
        }

        private int holds(String node) {
            return holds.getOrDefault(node, 0);
        }

        /** How many partitions live nodes lack to their least. */
        int missing() {
            return of.keySet().stream()
                    .mapToInt(node -> Math.max(0, least(node) - holds(node)))
                    .sum();
        }

        /** Who gives one to those that lack some; empty: nobody lacks any, or nobody can. */
        String giver() {
            if (missing() == 0) {
                return "";
            }
            return of.keySet().stream()
                    .filter(node -> holds(node) > least(node))
                    .max(
                            Comparator.comparingInt((String node) -> holds(node) - least(node))
                                    .thenComparing(Comparator.reverseOrder()))
                    .orElse("");
        }
    }
}

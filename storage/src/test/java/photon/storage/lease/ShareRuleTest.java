package photon.storage.lease;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ShareRuleTest {
    private static final long TERM = Duration.ofSeconds(20).toMillis();

    /** Nodes that look in turn at what all have written. */
    private static final class Cluster {
        final RandomGenerator random;
        final TreeMap<String, NodeList.Entry> nodes = new TreeMap<>();
        final List<Optional<Lease>> leases;
        final Map<String, ShareRule> rules = new TreeMap<>();
        final Map<String, TreeSet<Integer>> held = new TreeMap<>();
        long nanos;
        int moves;

        Cluster(int partitions, long seed) {
            random = new SplittableRandom(seed);
            leases = new ArrayList<>(Collections.nCopies(partitions, Optional.empty()));
        }

        void join(String name, int capacity) {
            rules.put(name, new ShareRule(name, random));
            held.put(name, new TreeSet<>());
            NodeList.Entry before = nodes.get(name);
            nodes.put(
                    name,
                    new NodeList.Entry(
                            before == null ? 0 : before.version() + 1,
                            new Node(name, "h:1", capacity, TERM)));
        }

        /** It cannot begin to work on more. */
        void limit(String name, int atMost) {
            NodeList.Entry entry = requireNonNull(nodes.get(name));
            nodes.put(name, new NodeList.Entry(entry.version(), entry.node().limitedTo(atMost)));
        }

        /** It dies: its entry and its leases stand. */
        void die(String name) {
            rules.remove(name);
            held.remove(name);
        }

        void leave(String name) {
            for (int partition : requireNonNull(held.get(name))) {
                leases.set(partition, leases.get(partition).map(Lease::asReleased));
            }
            nodes.remove(name);
            die(name);
        }

        /** Each looks once, in some order. */
        void round() {
            nanos += Duration.ofMillis(TERM).toNanos() / ShareRule.PARTS;
            List<String> order = new ArrayList<>(rules.keySet());
            Collections.shuffle(order, new java.util.Random(random.nextLong()));
            order.forEach(this::look);
        }

        void rounds(int count) {
            for (int i = 0; i < count; i++) {
                round();
            }
        }

        void look(String name) {
            NodeList.Entry entry = requireNonNull(nodes.get(name));
            nodes.put(name, new NodeList.Entry(entry.version() + 1, entry.node()));
            TreeSet<Integer> mine = requireNonNull(held.get(name));
            ShareRule.Decision decision =
                    requireNonNull(rules.get(name))
                            .looked(
                                    new ShareRule.View(
                                            new TreeMap<>(nodes),
                                            List.copyOf(leases),
                                            mine,
                                            nanos,
                                            nanos));
            for (int partition : List.copyOf(decision.giveBack())) {
                if (!mine.remove(partition)) {
                    assertThat(leases.get(partition).map(Lease::holder)).contains(name);
                }
                leases.set(partition, leases.get(partition).map(Lease::asReleased));
                moves++;
            }
            for (int partition : decision.take()) {
                String before = leases.get(partition).map(Lease::holder).orElse("");
                assertThat(held.getOrDefault(before, new TreeSet<>()))
                        .as("nobody who works on it still")
                        .doesNotContain(partition);
                leases.set(partition, Optional.of(new Lease(1, name, false)));
                mine.add(partition);
                moves++;
            }
        }

        List<Integer> shares() {
            return held.values().stream().map(TreeSet::size).toList();
        }
    }

    @ParameterizedTest
    @CsvSource({"8,1,8", "8,2,4", "8,3,2", "8,4,2", "10,4,2", "1,3,0", "3,5,0", "16,16,1"})
    void eachComesToItsShareAndThenNothingMoves(int partitions, int nodes, int least) {
        for (long seed = 0; seed < 20; seed++) {
            Cluster cluster = new Cluster(partitions, seed);
            for (int i = 0; i < nodes; i++) {
                cluster.join("node-" + i, 4);
                cluster.rounds(1);
            }
            cluster.rounds(8);
            assertThat(cluster.shares().stream().mapToInt(i -> i).sum()).isEqualTo(partitions);
            assertThat(cluster.shares()).allMatch(n -> n >= least && n <= least + 1);
            int moves = cluster.moves;
            cluster.rounds(50);
            assertThat(cluster.moves).isEqualTo(moves);
        }
    }

    @Test
    void whoCanDoMoreHasMore() {
        Cluster cluster = new Cluster(12, 1);
        cluster.join("large", 8);
        cluster.join("small", 4);
        cluster.rounds(8);
        assertThat(cluster.shares()).containsExactly(8, 4);
    }

    @Test
    void whatOneCannotBeginOthersHave() {
        Cluster cluster = new Cluster(8, 1);
        cluster.join("a", 1);
        cluster.join("b", 1);
        cluster.join("c", 1);
        cluster.limit("b", 0);
        cluster.rounds(12);
        assertThat(cluster.shares()).containsExactly(4, 0, 4);
        cluster.limit("b", 1);
        cluster.rounds(12);
        assertThat(requireNonNull(cluster.held.get("b"))).hasSize(1);
        assertThat(cluster.shares().stream().mapToInt(i -> i).sum()).isEqualTo(8);
        // Its share is less than that by itself.
        cluster.limit("b", 5);
        cluster.rounds(12);
        assertThat(cluster.shares()).allMatch(n -> n == 2 || n == 3);
    }

    /** Else partitions would stand still that one of them could begin by now. */
    @Test
    void whereNoneCanBeginMoreEachTriesAPartOfTheRest() {
        Cluster cluster = new Cluster(8, 1);
        cluster.join("a", 1);
        cluster.join("b", 1);
        cluster.limit("a", 0);
        cluster.limit("b", 2);
        cluster.rounds(12);
        assertThat(cluster.shares()).containsExactly(3, 5);
    }

    /** One of its partitions is damaged, say, and the other node is of no use. */
    @Test
    void whatOneWorksOnDoesNotGoToOneThatCanBeginNone() {
        Cluster cluster = new Cluster(8, 1);
        cluster.join("b", 1);
        cluster.rounds(2);
        cluster.join("a", 1);
        cluster.limit("a", 0);
        cluster.limit("b", 7);
        int moves = cluster.moves;
        cluster.rounds(12);
        assertThat(cluster.shares()).containsExactly(0, 8);
        assertThat(cluster.moves).isEqualTo(moves);
    }

    @Test
    void whatADeadOneHadIsTakenAfterItsTermAndNotBefore() {
        Cluster cluster = new Cluster(8, 1);
        cluster.join("a", 1);
        cluster.join("b", 1);
        cluster.rounds(8);
        cluster.die("a");
        cluster.rounds(ShareRule.PARTS - 1);
        assertThat(cluster.shares()).containsExactly(4);
        cluster.rounds(4);
        assertThat(cluster.shares()).containsExactly(8);
    }

    @Test
    void whatIsGivenBackIsTakenAtOnce() {
        Cluster cluster = new Cluster(8, 1);
        cluster.join("a", 1);
        cluster.join("b", 1);
        cluster.rounds(8);
        cluster.leave("a");
        cluster.round();
        assertThat(cluster.shares()).containsExactly(8);
    }

    /** The earlier life has ended: it need not be waited for. */
    @Test
    void itsOwnOfAnEarlierLifeIsTakenAtOnce() {
        Cluster cluster = new Cluster(8, 1);
        cluster.join("a", 1);
        cluster.join("b", 1);
        cluster.rounds(8);
        cluster.join("a", 1);
        cluster.round();
        assertThat(cluster.shares()).containsExactly(4, 4);
    }

    /** Nobody else takes what a live node holds, and it holds no more than its share. */
    @Test
    void whatAnEarlierLifeHadBeyondTheShareIsGivenToOthers() {
        Cluster cluster = new Cluster(8, 1);
        cluster.join("a", 1);
        cluster.rounds(2);
        cluster.die("a");
        cluster.join("b", 1);
        cluster.rounds(1);
        cluster.join("a", 1);
        cluster.rounds(4);
        assertThat(cluster.shares()).containsExactly(4, 4);
    }

    /** With one partition, the one who works is not followed by whoever comes. */
    @Test
    void whoComesTakesNothingFromWhoHasNoMoreThanItsShare() {
        Cluster cluster = new Cluster(1, 1);
        cluster.join("z", 1);
        cluster.rounds(2);
        cluster.join("a", 8);
        cluster.rounds(20);
        assertThat(cluster.held.get("z")).hasSize(1);
    }

    /** Of all partitions, whatever comes and goes: in the end they are worked on, and shared. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
    void afterAnyComingAndGoingAllAreWorkedOnInFairShares(long seed) {
        Cluster cluster = new Cluster(16, seed);
        cluster.join("node-0", 1);
        for (int i = 1; i < 60; i++) {
            String some = "node-" + cluster.random.nextInt(6);
            if (!cluster.rules.containsKey(some)) {
                cluster.join(some, 1);
            } else if (cluster.rules.size() > 1) {
                if (cluster.random.nextBoolean()) {
                    cluster.die(some);
                } else {
                    cluster.leave(some);
                }
            }
            cluster.rounds(cluster.random.nextInt(4));
        }
        cluster.rounds(4 * ShareRule.PARTS);
        int live = cluster.rules.size();
        assertThat(cluster.shares().stream().mapToInt(i -> i).sum()).isEqualTo(16);
        assertThat(cluster.shares()).allMatch(n -> n >= 16 / live && n <= (16 + live - 1) / live);
    }
}

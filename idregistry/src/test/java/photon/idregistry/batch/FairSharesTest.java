package photon.idregistry.batch;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import photon.core.loop.ManualLoop;
import photon.idregistry.replicated.ReplicatedLog;
import photon.idregistry.shard.ShardEntries;
import photon.proto.v1.Outcome;

/** Several pipelines on one server whose disk takes one entry after the other. */
class FairSharesTest {
    private static final BatchLimits LIMITS = new BatchLimits(1_000, 4, 1_000_000);

    private final ManualLoop loop = new ManualLoop();
    private final FairShares shares = FairShares.of(LIMITS);

    /** All logs' entries together, in the order in which they were handed over. */
    private final ArrayDeque<Entry> disk = new ArrayDeque<>();

    private record Entry(Shard of, int ids, CompletableFuture<byte[]> result) {}

    /** One shard with callers who keep it as full as they can. */
    private final class Shard implements ReplicatedLog {
        final CommitBatcher commits;
        final int requestIds;
        int backlog;
        long done;

        Shard(String pipeline, int requestIds) {
            this.requestIds = requestIds;
            this.commits = new CommitBatcher(loop, this, LIMITS, shares.of(pipeline));
        }

        @Override
        public boolean leads() {
            return true;
        }

        @Override
        public CompletableFuture<byte[]> submit(byte[] entry) {
            Entry made = new Entry(this, ShardEntries.idsOf(entry), new CompletableFuture<>());
            disk.add(made);
            return made.result;
        }

        /** From now on so many requests wait at all times. */
        Shard floods(int requests) {
            backlog = requests;
            IntStream.range(0, requests).forEach(i -> offer());
            loop.runUntilIdle();
            return this;
        }

        void offer() {
            byte[] ids = new byte[requestIds * 28];
            byte[] tokens = new byte[requestIds * 16];
            boolean taken =
                    commits.offer(
                            this,
                            ByteString.copyFrom(ids),
                            ByteString.copyFrom(tokens),
                            Long.MAX_VALUE,
                            answer -> {
                                if (backlog > 0) {
                                    offer();
                                }
                            });
            assertThat(taken).isTrue();
        }

        void stops() {
            backlog = 0;
        }
    }

    /** The disk ends its oldest entries. */
    private void disk(int entries) {
        for (int i = 0; i < entries && !disk.isEmpty(); i++) {
            Entry oldest = disk.remove();
            oldest.of.done += oldest.ids;
            oldest.result.complete(accepted(oldest.ids));
            loop.runUntilIdle();
        }
    }

    /** The result of a commit entry, as a shard's state gives it. */
    private static byte[] accepted(int ids) {
        java.nio.ByteBuffer result = java.nio.ByteBuffer.allocate(Long.BYTES + Integer.BYTES + ids);
        result.putLong(Long.MIN_VALUE).putInt(ids);
        for (int i = 0; i < ids; i++) {
            result.put((byte) Outcome.ACCEPTED_VALUE);
        }
        return result.array();
    }

    private static long sum(List<Shard> shards) {
        return shards.stream().mapToLong(shard -> shard.done).sum();
    }

    private void forget(List<Shard> shards) {
        shards.forEach(shard -> shard.done = 0);
    }

    private List<Shard> shards(String pipeline, int count, int requestIds) {
        List<Shard> made = new ArrayList<>();
        IntStream.range(0, count).forEach(i -> made.add(new Shard(pipeline, requestIds)));
        return made;
    }

    @Test
    void onePipelineAloneFillsTheWindowOfEveryShard() {
        List<Shard> alone = shards("alone", 5, 1_000);
        alone.forEach(shard -> shard.floods(10));
        assertThat(alone).allMatch(shard -> shard.commits.entriesInFlight() == 4);
        disk(7);
        assertThat(alone).allMatch(shard -> shard.commits.entriesInFlight() == 4);
    }

    @Test
    void manyShardsThatFloodLeaveOneThatWaitsItsHalf() {
        List<Shard> flood = shards("flood", 16, 1_000);
        flood.forEach(shard -> shard.floods(20));
        Shard small = new Shard("small", 1_000).floods(20);
        assertThat(small.commits.entriesInFlight()).as("one goes at once").isEqualTo(1);
        // What was in flight before it came.
        disk(64);
        forget(flood);
        small.done = 0;
        disk(400);
        assertThat(small.done).isBetween(190_000L, 210_000L);
        assertThat(sum(flood)).isBetween(190_000L, 210_000L);
        assertThat(flood).as("and share theirs").allMatch(shard -> shard.done >= 8_000);
        assertThat(disk).as("the budget").hasSizeLessThanOrEqualTo(5);
    }

    @Test
    void aPipelineOfSmallEntriesPaysForEachOfThem() {
        // Requests of one id, one an entry: each costs as much as 200 ids.
        Shard tiny = new Shard("tiny", 1);
        Shard large = new Shard("large", 1_000).floods(20);
        long tinyEntries = 0;
        for (int i = 0; i < 400; i++) {
            tiny.offer();
            loop.runUntilIdle();
            long before = tiny.done;
            disk(1);
            tinyEntries += tiny.done > before ? 1 : 0;
        }
        assertThat(tinyEntries).isPositive();
        assertThat(large.done).as("its half in ids and more").isGreaterThan(160_000L);
    }

    @Test
    void weightsDivideWhatThereIs() {
        shares.of("three").weigh(300);
        List<Shard> three = shards("three", 4, 1_000);
        List<Shard> one = shards("one", 4, 1_000);
        three.forEach(shard -> shard.floods(20));
        one.forEach(shard -> shard.floods(20));
        disk(100);
        forget(three);
        forget(one);
        disk(400);
        assertThat(sum(three)).isBetween(285_000L, 315_000L);
        assertThat(sum(one)).isBetween(85_000L, 115_000L);
    }

    @Test
    void aShareThatNobodyWantsIsTheOthersAndComesBackAtOnce() {
        List<Shard> flood = shards("flood", 4, 1_000);
        Shard now = new Shard("now and then", 1_000);
        flood.forEach(shard -> shard.floods(20));
        now.floods(3);
        disk(60);
        now.stops();
        disk(60);
        assertThat(now.commits.waitingIds()).isZero();
        forget(flood);
        assertThat(flood)
                .as("all windows are full")
                .allMatch(s -> s.commits.entriesInFlight() == 4);
        disk(100);
        assertThat(sum(flood)).isEqualTo(100_000);
        now.done = 0;
        now.floods(20);
        disk(16);
        forget(flood);
        disk(100);
        assertThat(now.done)
                .as("no more than its share, whatever it left before")
                .isBetween(45_000L, 60_000L);
    }

    @Test
    void noneWaitsBehindAnothersWindowHoweverManyThereAre() {
        List<Shard> all = new ArrayList<>();
        for (int p = 0; p < 20; p++) {
            all.add(new Shard("p" + p, 1_000).floods(20));
        }
        IntPredicate served = n -> all.get(n).commits.entriesInFlight() > 0;
        assertThat(IntStream.range(0, 20).allMatch(served)).isTrue();
        for (int round = 0; round < 30; round++) {
            disk(20);
            assertThat(IntStream.range(0, 20).allMatch(served)).isTrue();
        }
        long least = all.stream().mapToLong(shard -> shard.done).min().orElseThrow();
        long most = all.stream().mapToLong(shard -> shard.done).max().orElseThrow();
        // The first had its window to itself for a moment.
        assertThat(most - least).isLessThanOrEqualTo(4_000);
    }

    @Test
    void aShardThatIsClosedGivesBackWhatItHadInFlight() {
        Shard gone = new Shard("gone", 1_000).floods(20);
        List<Shard> others = shards("others", 2, 1_000);
        others.forEach(shard -> shard.floods(20));
        gone.backlog = 0;
        gone.commits.close();
        loop.runUntilIdle();
        assertThat(others).allMatch(shard -> shard.commits.entriesInFlight() == 4);
        // Its log answers late, or never: nobody is told twice of the room.
        disk(12);
        assertThat(others).allMatch(shard -> shard.commits.entriesInFlight() == 4);
    }

    @Test
    void theSameRequestsGoInTheSameOrder() {
        List<String> first = order();
        assertThat(new FairSharesTest().order()).isEqualTo(first);
    }

    private List<String> order() {
        List<String> order = new ArrayList<>();
        List<Shard> all = shards("a", 3, 700);
        all.addAll(shards("b", 2, 300));
        all.add(new Shard("c", 1_000));
        all.forEach(shard -> shard.floods(10));
        for (int i = 0; i < 200; i++) {
            order.add(all.indexOf(disk.element().of) + ":" + disk.element().ids);
            disk(1);
        }
        return order;
    }
}

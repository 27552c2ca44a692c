package photon.idregistry.shard;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import photon.core.id.CommitToken;
import photon.core.id.EventId;
import photon.core.id.Incarnation;
import photon.core.id.Packed;
import photon.idregistry.replicated.MemorySnapshot;
import photon.idregistry.table.MemoryBudget;
import photon.idregistry.table.MemoryTableFiles;
import photon.idregistry.table.TableHome;
import photon.proto.v1.CancelOutcome;
import photon.proto.v1.Outcome;
import photon.proto.v1.RemoveOutcome;
import photon.registry.api.ControlClient.ScanPage;
import photon.registry.api.RegistryClient.Commit;
import photon.registry.api.RegistryClient.Shard;
import photon.registry.api.ShardMap;

/** The shard against the plainest model that could be right, over random entries from a seed. */
final class ShardModelTest {
    private static final ShardMap MAP =
            new ShardMap(
                    3,
                    List.of(
                            new ShardMap.Epoch(1, Long.MIN_VALUE, 2),
                            new ShardMap.Epoch(2, 66_000_000L, 3)));
    private static final Shard SELF = new Shard(1, 1);

    /** Of one slot; tokens are few here. */
    private static final int CANCELLED_MAX = 4;

    /** What is dropped as a whole. */
    private static final long CELL_MICROS = 2_000_000;

    /** The rules again, over a map. */
    private static final class Model {
        final TreeMap<EventId, CommitToken> held = new TreeMap<>();
        final Map<Integer, Integer> fences = new HashMap<>();
        final Set<CommitToken> cancelled = new HashSet<>();

        /** Ids that an unmatched token has held at some time. */
        final Set<EventId> onceUnmatched = new HashSet<>();

        boolean takenOver;
        boolean installed;
        long boundary = Long.MIN_VALUE;
        long maxAccepted = Long.MIN_VALUE;

        boolean fenced(CommitToken token) {
            return token.generation() < fences.getOrDefault(token.slot(), 0);
        }

        Outcome commit(EventId id, CommitToken token) {
            if (!installed) {
                return Outcome.EPOCH_PREPARED;
            }
            if (!MAP.owner(id).equals(SELF)) {
                return Outcome.WRONG_SHARD;
            }
            if (fenced(token)) {
                return Outcome.FENCED;
            }
            if (cancelled.contains(token)) {
                return Outcome.CANCELLED;
            }
            if (id.micros() < boundary) {
                return Outcome.ID_TOO_OLD;
            }
            CommitToken holder = held.putIfAbsent(id, token);
            if (holder == null) {
                maxAccepted = Math.max(maxAccepted, id.micros());
            }
            if (CommitToken.JOIN_UNMATCHED.equals(holder) && token.isUnmatched()) {
                held.put(id, token);
                takenOver = true;
                return Outcome.ACCEPTED;
            }
            if (holder == null && token.isUnmatched()) {
                onceUnmatched.add(id);
            }
            return holder == null || holder.equals(token) ? Outcome.ACCEPTED : Outcome.TAKEN;
        }

        CancelOutcome cancel(EventId id, CommitToken token) {
            if (!installed) {
                return CancelOutcome.CANCEL_EPOCH_PREPARED;
            }
            if (!MAP.owner(id).equals(SELF)) {
                return CancelOutcome.CANCEL_WRONG_SHARD;
            }
            if (fenced(token)) {
                return CancelOutcome.CANCEL_FENCED;
            }
            if (id.micros() >= boundary && token.equals(held.get(id))) {
                return CancelOutcome.CANCEL_HELD;
            }
            if (!cancelled.contains(token)
                    && cancelled.stream().filter(t -> t.slot() == token.slot()).count()
                            >= CANCELLED_MAX) {
                return CancelOutcome.CANCEL_FULL;
            }
            cancelled.add(token);
            return CancelOutcome.CANCEL_DONE;
        }

        RemoveOutcome remove(EventId id, CommitToken token) {
            if (!installed || !MAP.owner(id).equals(SELF)) {
                return RemoveOutcome.REMOVE_WRONG_SHARD;
            }
            if (id.micros() < boundary) {
                return RemoveOutcome.REMOVE_TOO_OLD;
            }
            if (!fenced(token)) {
                return RemoveOutcome.NOT_FENCED;
            }
            if (held.remove(id, token) && token.isUnmatched()) {
                held.put(id, CommitToken.JOIN_UNMATCHED);
            }
            return RemoveOutcome.REMOVED;
        }

        long advance(long proposed) {
            boundary = Math.max(boundary, proposed);
            // What lies below in the same cell still counts, but nobody can ask for it.
            held.keySet().removeIf(id -> id.micros() < boundary / CELL_MICROS * CELL_MICROS);
            return boundary;
        }
    }

    private final Model model = new Model();
    private final List<byte[]> log = new ArrayList<>();
    private final Queue<Runnable> sealings = new ArrayDeque<>();
    private ShardState shard = new ShardState();
    private Random random = new Random(0);
    private boolean sealed;

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})
    void theShardAgreesWithAPlainMapWhateverComes(long seed) throws IOException {
        random = new Random(seed);
        shard = sealing();
        int installAt = random.nextInt(20);
        for (int step = 0; step < 600; step++) {
            if (step == installAt) {
                assertThat(ShardResults.installed(apply(ShardEntries.install(MAP, SELF, Map.of()))))
                        .isTrue();
                model.installed = true;
            }
            switch (random.nextInt(12)) {
                case 0 -> fence();
                case 1 -> advance();
                case 2, 3, 4 -> remove();
                case 5 -> restore();
                case 6 -> seal();
                case 7 -> cancel();
                default -> commit();
            }
            assertAgrees();
        }
        assertThat(sealed).isTrue();
        assertThat(model.takenOver).isTrue();
        assertThat(replayed().stateHash()).isEqualTo(shard.stateHash());
    }

    /** One that keeps little in memory. */
    private ShardState sealing() {
        return new ShardState(
                new TableHome(
                        new MemoryTableFiles(),
                        MemoryBudget.of(1_000 + random.nextInt(4_000)),
                        sealings::add));
    }

    private void seal() {
        Runnable sealing = sealings.poll();
        if (sealing != null) {
            sealing.run();
        }
        sealed |= shard.ids().sealedFiles() > 0;
    }

    private byte[] apply(byte[] entry) {
        log.add(entry);
        return shard.apply(log.size(), ByteBuffer.wrap(entry).asReadOnlyBuffer());
    }

    private EventId anyId() {
        // Few values, on both sides of bucket borders, so that ids repeat and runs form.
        long micros = random.nextInt(10) * CELL_MICROS + random.nextInt(3) - 1;
        return new EventId(Math.max(0, micros), 7, random.nextInt(12), EventId.USER_PROCESS);
    }

    private CommitToken anyToken() {
        CommitToken token =
                new CommitToken(1 + random.nextInt(3), 1 + random.nextInt(5), random.nextInt(3));
        return random.nextBoolean() ? token : token.asUnmatched();
    }

    private List<Commit> anyBatch() {
        List<Commit> batch = new ArrayList<>();
        int size = 1 + random.nextInt(30);
        for (int i = 0; i < size; i++) {
            batch.add(new Commit(anyId(), anyToken()));
        }
        return batch;
    }

    private void commit() {
        List<Commit> batch = anyBatch();
        List<Outcome> expected = new ArrayList<>();
        List<CommitToken> holders = new ArrayList<>();
        for (Commit commit : batch) {
            Outcome outcome = model.commit(commit.id(), commit.token());
            expected.add(outcome);
            if (outcome == Outcome.TAKEN) {
                holders.add(Objects.requireNonNull(model.held.get(commit.id())));
            }
        }
        ShardResults.Committed result = ShardResults.commit(apply(commitEntry(batch)));
        List<Outcome> outcomes = new ArrayList<>();
        for (byte outcome : result.outcomes().toByteArray()) {
            outcomes.add(Outcome.forNumber(outcome));
        }
        assertThat(outcomes).isEqualTo(expected);
        assertThat(Packed.tokens(result.holders())).isEqualTo(holders);
        assertThat(result.boundaryMicros()).isEqualTo(model.boundary);
        assertThat(result.map()).isEqualTo(expected.contains(Outcome.WRONG_SHARD) ? MAP : null);
    }

    private static byte[] commitEntry(List<Commit> batch) {
        return ShardEntries.commit(
                Packed.ids(batch.stream().map(Commit::id).toList()),
                Packed.tokens(batch.stream().map(Commit::token).toList()));
    }

    private void remove() {
        List<Commit> batch = anyBatch();
        model.held.forEach(
                (id, token) -> {
                    if (random.nextInt(3) == 0) {
                        batch.add(new Commit(id, token));
                    }
                });
        List<RemoveOutcome> expected =
                batch.stream().map(c -> model.remove(c.id(), c.token())).toList();
        byte[] result =
                apply(
                        ShardEntries.remove(
                                Packed.ids(batch.stream().map(Commit::id).toList()),
                                Packed.tokens(batch.stream().map(Commit::token).toList())));
        List<RemoveOutcome> outcomes = new ArrayList<>();
        for (byte outcome : ShardResults.remove(result).toByteArray()) {
            outcomes.add(RemoveOutcome.forNumber(outcome));
        }
        assertThat(outcomes).isEqualTo(expected);
    }

    private void cancel() {
        List<Commit> batch = anyBatch().subList(0, 1);
        model.held.forEach(
                (id, token) -> {
                    if (random.nextInt(10) == 0) {
                        batch.add(new Commit(id, token));
                    }
                });
        List<CancelOutcome> expected =
                batch.stream().map(c -> model.cancel(c.id(), c.token())).toList();
        byte[] result =
                apply(
                        ShardEntries.cancel(
                                CANCELLED_MAX,
                                Packed.ids(batch.stream().map(Commit::id).toList()),
                                Packed.tokens(batch.stream().map(Commit::token).toList())));
        List<CancelOutcome> outcomes = new ArrayList<>();
        for (byte outcome : ShardResults.cancel(result).toByteArray()) {
            outcomes.add(CancelOutcome.forNumber(outcome));
        }
        assertThat(outcomes).isEqualTo(expected);
    }

    private void fence() {
        int slot = 1 + random.nextInt(3);
        int lowestLive = 1 + random.nextInt(1 + log.size() / 150);
        model.fences.merge(slot, lowestLive, Math::max);
        model.cancelled.removeIf(model::fenced);
        long index = ShardResults.fence(apply(ShardEntries.fence(slot, lowestLive)));
        assertThat(index).isEqualTo(log.size());
    }

    private void advance() {
        long proposed = random.nextLong(1 + log.size() * CELL_MICROS / 100);
        long stands = ShardResults.boundary(apply(ShardEntries.advanceBoundary(proposed)));
        assertThat(stands).isEqualTo(model.advance(proposed));
    }

    private void restore() throws IOException {
        long hash = shard.stateHash();
        shard = copyOf(shard, sealing());
        assertThat(shard.stateHash()).isEqualTo(hash);
    }

    private static ShardState copyOf(ShardState state, ShardState copy) throws IOException {
        // What was there before must go.
        copy.apply(1, ByteBuffer.wrap(ShardEntries.fence(9, 9)));
        copy.restore(MemorySnapshot.of(state, null));
        return copy;
    }

    private void assertAgrees() {
        assertThat(shard.ids().count()).isEqualTo(model.held.size());
        assertThat(shard.boundaryMicros()).isEqualTo(model.boundary);
        assertThat(shard.maxAcceptedMicros()).isEqualTo(model.maxAccepted);
        assertThat(shard.fenceTable()).isEqualTo(model.fences);
        assertThat(shard.cancelledTokens()).isEqualTo(model.cancelled.size());
        EventId asked = anyId();
        if (asked.micros() >= model.boundary) {
            CommitToken holder = shard.lookup(asked);
            assertThat(holder).isEqualTo(model.held.get(asked));
            if (model.onceUnmatched.contains(asked)) {
                assertThat(Objects.requireNonNull(holder).isUnmatched()).isTrue();
            }
        }
        Incarnation incarnation = anyToken().incarnation();
        List<Commit> expected = new ArrayList<>();
        model.held.forEach(
                (id, token) -> {
                    if (token.isOf(incarnation) && id.micros() >= model.boundary) {
                        expected.add(new Commit(id, token));
                    }
                });
        assertThat(scanned(incarnation)).isEqualTo(expected);
    }

    private List<Commit> scanned(Incarnation incarnation) {
        List<Commit> all = new ArrayList<>();
        EventId after = null;
        while (true) {
            ScanPage page = shard.scan(incarnation, after, 3);
            all.addAll(page.held());
            if (!page.more()) {
                return all;
            }
            after = lastOf(page);
        }
    }

    private static @Nullable EventId lastOf(ScanPage page) {
        return page.held().get(page.held().size() - 1).id();
    }

    private ShardState replayed() throws IOException {
        ShardState again = new ShardState();
        int snapshotAt = random.nextInt(log.size());
        for (int i = 0; i < log.size(); i++) {
            if (i == snapshotAt) {
                again = copyOf(again, new ShardState());
            }
            again.apply(i + 1, ByteBuffer.wrap(log.get(i)));
        }
        return again;
    }
}

package photon.idregistry.restore;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import photon.core.id.CommitToken;
import photon.core.id.EventId;
import photon.core.id.Packed;
import photon.idregistry.replicated.MemorySnapshot;
import photon.idregistry.shard.ShardEntries;
import photon.idregistry.shard.ShardResults;
import photon.idregistry.shard.ShardState;
import photon.idregistry.table.MemoryBudget;
import photon.idregistry.table.MemoryTableFiles;
import photon.idregistry.table.TableHome;
import photon.proto.v1.LoadOutcome;
import photon.proto.v1.Outcome;
import photon.proto.v1.RemoveOutcome;
import photon.registry.api.RegistryClient.Shard;
import photon.registry.api.ShardMap;

/** What a shard takes from a backup and from reports, and when. */
final class ShardRestoreTest {
    private static final ShardMap MAP = ShardMap.initial(1);
    private static final Shard SELF = new Shard(1, 0);
    private static final int LOST_SLOTS = 10;

    private final ShardState shard = new ShardState();
    private long index;

    private byte[] apply(byte[] entry) {
        return apply(shard, entry);
    }

    private byte[] apply(ShardState to, byte[] entry) {
        return to.apply(++index, ByteBuffer.wrap(entry));
    }

    private static EventId id(int n) {
        return new EventId(1_000L + n, 1, 2, 3);
    }

    private static CommitToken token(int slot, int generation, long sequence) {
        return new CommitToken(slot, generation, sequence);
    }

    private static byte[] head(long boundary, long maxAccepted) {
        return ShardEntries.restoreHead(MAP, SELF, LOST_SLOTS, boundary, maxAccepted);
    }

    private static ByteString ids(EventId id) {
        return Packed.ids(List.of(id));
    }

    private static ByteString tokens(CommitToken token) {
        return Packed.tokens(List.of(token));
    }

    private LoadOutcome backup(int n, CommitToken token) {
        return loaded(apply(ShardEntries.restoreBackup(ids(id(n)), tokens(token))));
    }

    private LoadOutcome published(int n, CommitToken token) {
        return loaded(apply(ShardEntries.restorePublished(ids(id(n)), tokens(token))));
    }

    private static LoadOutcome loaded(byte[] result) {
        ShardResults.Loaded loaded = ShardResults.restoreRows(result);
        return loaded.taken()
                ? LoadOutcome.forNumber(loaded.outcomes().byteAt(0))
                : LoadOutcome.LOAD_OUTCOME_UNSPECIFIED;
    }

    private Outcome commit(int n, CommitToken token) {
        return Outcome.forNumber(
                ShardResults.commit(apply(ShardEntries.commit(ids(id(n)), tokens(token))))
                        .outcomes()
                        .byteAt(0));
    }

    private void install() {
        apply(ShardEntries.install(MAP, SELF, Map.of(1, 1_000_006)));
    }

    @Test
    void nothingIsTakenBeforeTheHead() {
        assertThat(backup(1, token(1, 1, 1))).isEqualTo(LoadOutcome.LOAD_OUTCOME_UNSPECIFIED);
        assertThat(published(1, token(1, 1, 1))).isEqualTo(LoadOutcome.LOAD_OUTCOME_UNSPECIFIED);
        assertThat(shard.ids().count()).isZero();
    }

    @Test
    void whatIsPublishedReplacesTheBackupsHolderInWhateverOrder() {
        apply(head(Long.MIN_VALUE, 1_500));
        assertThat(backup(1, token(1, 1, 1))).isEqualTo(LoadOutcome.LOAD_PUT);
        assertThat(published(1, token(2, 1, 1))).isEqualTo(LoadOutcome.LOAD_REPLACED);
        assertThat(backup(1, token(1, 1, 1))).isEqualTo(LoadOutcome.LOAD_TAKEN);
        assertThat(published(1, token(2, 1, 1))).isEqualTo(LoadOutcome.LOAD_SAME);
        assertThat(published(2, token(2, 1, 2))).isEqualTo(LoadOutcome.LOAD_PUT);
        assertThat(backup(2, token(1, 1, 2))).isEqualTo(LoadOutcome.LOAD_TAKEN);
        assertThat(shard.lookup(id(1))).isEqualTo(token(2, 1, 1));
        assertThat(shard.lookup(id(2))).isEqualTo(token(2, 1, 2));
        assertThat(shard.maxAcceptedMicros()).isEqualTo(1_500);
        assertThat(shard.ids().count()).isEqualTo(2);
    }

    @Test
    void nothingIsAcceptedBeforeTheMapAndNothingIsReplacedBehindIt() {
        apply(head(Long.MIN_VALUE, 0));
        assertThat(commit(1, token(1, 1_000_006, 1))).isEqualTo(Outcome.EPOCH_PREPARED);
        assertThat(published(1, token(2, 1, 1))).isEqualTo(LoadOutcome.LOAD_PUT);
        install();
        assertThat(commit(1, token(1, 1_000_006, 1))).isEqualTo(Outcome.TAKEN);
        assertThat(commit(2, token(1, 1_000_006, 2))).isEqualTo(Outcome.ACCEPTED);

        assertThat(ShardResults.restoreHead(apply(head(5_000, 0))).taken()).isFalse();
        assertThat(shard.boundaryMicros()).isEqualTo(Long.MIN_VALUE);
        assertThat(backup(3, token(2, 1, 3))).isEqualTo(LoadOutcome.LOAD_OUTCOME_UNSPECIFIED);
        assertThat(published(2, token(2, 1, 2))).isEqualTo(LoadOutcome.LOAD_TAKEN);
        assertThat(published(4, token(2, 1, 4))).isEqualTo(LoadOutcome.LOAD_PUT);
        assertThat(commit(4, token(1, 1_000_006, 4))).isEqualTo(Outcome.TAKEN);
        assertThat(shard.lookup(id(2))).isEqualTo(token(1, 1_000_006, 2));
        assertThat(shard.lookup(id(3))).isNull();
    }

    @Test
    void whoSpokeForTheLostRegistryIsFencedKnownOrNot() {
        apply(head(Long.MIN_VALUE, 0));
        install();
        assertThat(commit(1, token(1, 1_000_005, 1))).isEqualTo(Outcome.FENCED);
        assertThat(commit(1, token(7, 1, 1)))
                .as("came behind the backup")
                .isEqualTo(Outcome.FENCED);
        assertThat(commit(1, token(LOST_SLOTS + 1, 1, 1))).isEqualTo(Outcome.ACCEPTED);
        byte[] removed = apply(ShardEntries.remove(ids(id(9)), tokens(token(7, 1, 1))));
        assertThat(ShardResults.remove(removed).byteAt(0))
                .isEqualTo((byte) RemoveOutcome.REMOVED_VALUE);
    }

    @Test
    void whatIsTooOldStaysAway() {
        apply(head(1_005, 0));
        assertThat(backup(4, token(1, 1, 1))).isEqualTo(LoadOutcome.LOAD_TOO_OLD);
        assertThat(published(4, token(1, 1, 1))).isEqualTo(LoadOutcome.LOAD_TOO_OLD);
        assertThat(published(5, token(1, 1, 1))).isEqualTo(LoadOutcome.LOAD_PUT);
    }

    /** As a backup's row it is put like any; what was published has the id for the asking. */
    @Test
    void whatIsToBeJoinedUnmatchedIsRestoredAndGivesWayToWhatWasPublished() {
        apply(head(5, 1_010));
        for (int n = 1; n <= 5; n++) {
            assertThat(backup(n, CommitToken.JOIN_UNMATCHED)).isEqualTo(LoadOutcome.LOAD_PUT);
        }
        assertThat(backup(1, CommitToken.JOIN_UNMATCHED)).isEqualTo(LoadOutcome.LOAD_SAME);
        assertThat(backup(1, token(1, 1, 1).asUnmatched())).isEqualTo(LoadOutcome.LOAD_TAKEN);
        assertThat(published(1, token(1, 1, 1).asUnmatched())).isEqualTo(LoadOutcome.LOAD_PUT);
        assertThat(published(2, token(1, 1, 2))).isEqualTo(LoadOutcome.LOAD_REPLACED);
        install();
        assertThat(look(3, token(1, 1, 3).asUnmatched())).containsExactly(LoadOutcome.LOAD_PUT);
        assertThat(look(3, token(1, 1, 3))).containsExactly(LoadOutcome.LOAD_TAKEN);
        assertThat(published(3, token(1, 1, 3))).isEqualTo(LoadOutcome.LOAD_TAKEN);
        assertThat(published(3, token(1, 1, 3).asUnmatched())).isEqualTo(LoadOutcome.LOAD_PUT);
        assertThat(published(3, token(1, 1, 4).asUnmatched())).isEqualTo(LoadOutcome.LOAD_TAKEN);
        assertThat(commit(4, token(11, 1, 1))).isEqualTo(Outcome.TAKEN);
        assertThat(commit(4, token(11, 1, 1).asUnmatched())).isEqualTo(Outcome.ACCEPTED);
        assertThat(shard.ids().count()).isEqualTo(5);
        assertThat(shard.lookup(id(5))).isEqualTo(CommitToken.JOIN_UNMATCHED);
    }

    private List<LoadOutcome> look(int n, CommitToken token) {
        byte[] outcomes =
                shard.lookPublished(
                        ids(id(n)).asReadOnlyByteBuffer(), tokens(token).asReadOnlyByteBuffer());
        return outcomes == null ? List.of() : List.of(LoadOutcome.forNumber(outcomes[0]));
    }

    @Test
    void aLookTellsWhatWouldBecomeOfItAndChangesNothing() {
        apply(head(Long.MIN_VALUE, 0));
        assertThat(look(1, token(2, 1, 1))).as("no map").isEmpty();
        install();
        commit(2, token(1, 1_000_006, 2));
        long hash = shard.stateHash();
        assertThat(look(1, token(2, 1, 1))).containsExactly(LoadOutcome.LOAD_PUT);
        assertThat(look(2, token(2, 1, 2))).containsExactly(LoadOutcome.LOAD_TAKEN);
        assertThat(look(2, token(1, 1_000_006, 2))).containsExactly(LoadOutcome.LOAD_SAME);
        assertThat(shard.stateHash()).isEqualTo(hash);
        assertThat(published(1, token(2, 1, 1))).isEqualTo(LoadOutcome.LOAD_PUT);
    }

    /** Another one may have joined it between the restore and the boundary's passing. */
    @Test
    void whatTheBoundaryHasPassedSinceTheMapIsForgottenAndNotJustTooOld() throws Exception {
        apply(head(1_003, 0));
        install();
        commit(6, token(1, 1_000_006, 2));
        apply(ShardEntries.advanceBoundary(1_010));
        ShardState again = new ShardState();
        again.restore(MemorySnapshot.of(shard, null));
        assertThat(again.stateHash()).isEqualTo(shard.stateHash());
        for (ShardState one : List.of(shard, again)) {
            byte[] entry = ShardEntries.restorePublished(ids(id(6)), tokens(token(2, 1, 1)));
            assertThat(loaded(apply(one, entry))).isEqualTo(LoadOutcome.LOAD_FORGOTTEN);
        }
        assertThat(look(3, token(2, 1, 1))).containsExactly(LoadOutcome.LOAD_FORGOTTEN);
        assertThat(look(2, token(2, 1, 1)))
                .as("nobody could have joined it since")
                .containsExactly(LoadOutcome.LOAD_TOO_OLD);
        assertThat(published(2, token(2, 1, 1))).isEqualTo(LoadOutcome.LOAD_TOO_OLD);
    }

    /** Replacing where ids are sealed into files all the time, and behind snapshots. */
    @Test
    void itIsTheSameInFilesAsInMemory() throws Exception {
        Random random = new Random(5);
        ShardState sealing =
                new ShardState(
                        new TableHome(
                                new MemoryTableFiles(), MemoryBudget.of(4 << 10), Runnable::run));
        Map<EventId, CommitToken> expected = new HashMap<>();
        apply(sealing, head(Long.MIN_VALUE, 0));
        for (int i = 0; i < 4_000; i++) {
            EventId id = new EventId(random.nextInt(600) * 1_000_000L, 1, 2, 3);
            CommitToken token = token(1 + random.nextInt(3), 1, random.nextInt(50));
            if (random.nextBoolean()) {
                apply(sealing, ShardEntries.restoreBackup(ids(id), tokens(token)));
                expected.putIfAbsent(id, token);
            } else {
                apply(sealing, ShardEntries.restorePublished(ids(id), tokens(token)));
                expected.put(id, token);
            }
            if (i % 500 == 499) {
                MemorySnapshot taken = MemorySnapshot.of(sealing, null);
                sealing =
                        new ShardState(
                                new TableHome(
                                        new MemoryTableFiles(),
                                        MemoryBudget.of(4 << 10),
                                        Runnable::run));
                sealing.restore(taken);
            }
        }
        assertThat(sealing.ids().sealedFiles()).isPositive();
        assertThat(sealing.ids().count()).isEqualTo(expected.size());
        List<EventId> wrong = new ArrayList<>();
        for (Map.Entry<EventId, CommitToken> row : expected.entrySet()) {
            if (!row.getValue().equals(sealing.lookup(row.getKey()))) {
                wrong.add(row.getKey());
            }
        }
        assertThat(wrong).isEmpty();
    }
}

package photon.idregistry.shard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static photon.idregistry.shard.ShardTranscript.MAP;
import static photon.idregistry.shard.ShardTranscript.id;
import static photon.idregistry.shard.ShardTranscript.token;

import com.google.protobuf.ByteString;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import photon.core.error.BugException;
import photon.core.id.Packed;
import photon.idregistry.replicated.MemorySnapshot;
import photon.proto.v1.CancelOutcome;
import photon.registry.api.RegistryClient.Shard;
import photon.registry.api.ShardMap;

/** Cancels of commit tokens: docs/protocol.md section 3, clause by clause. */
final class CancelTest {
    private final ShardTranscript on = new ShardTranscript();

    @Test
    void theFirstRuleThatSpeaksWins() {
        on.transcript(
                """
                cancel   mine@15   1-1-1          -> cancel_epoch_prepared # nothing before the map
                install                           -> installed
                cancel   other@15  1-1-1          -> cancel_wrong_shard
                commit   mine@15   1-1-1          -> accepted
                cancel   mine@15   1-1-1          -> cancel_held
                cancel   mine@15   1-1-1          -> cancel_held          # however often
                cancel   mine@15   1-1-2          -> cancel_done          # held, but by another token
                cancel   mine@16   1-1-3          -> cancel_done          # never heard of
                cancel   mine@16   1-1-3          -> cancel_done
                cancel   mine@17   1-1-4          -> cancel_full
                cancel   mine@15   1-1-2          -> cancel_done          # in the set: before the limit
                cancel   mine@15   1-1-1          -> cancel_held          # so is the holder
                cancel   mine@17   2-1-4          -> cancel_done          # another slot's limit
                fence    1 2                      -> at 14
                cancel   mine@15   1-1-1          -> cancel_fenced        # even the holder
                cancel   mine@16   1-1-3          -> cancel_fenced        # even in the set
                cancel   other@16  1-1-3          -> cancel_wrong_shard   # before the fence
                """);
    }

    @Test
    void aCancelledTokenIsNeverAccepted() {
        on.transcript(
                """
                install                           -> installed
                commit   mine@15   2-1-1          -> accepted
                commit   mine@15   1-1-1          -> taken by 2-1-1       # a second copy is on its way
                cancel   mine@15   1-1-1          -> cancel_done
                fence    2 2                      -> at 5
                remove   mine@15   2-1-1          -> removed
                commit   mine@15   1-1-1          -> cancelled            # here it is
                commit   mine@15   1-1-2          -> accepted
                commit   mine@15   1-1-1          -> cancelled            # before the holder
                boundary 20                       -> 20
                commit   mine@15   1-1-1          -> cancelled            # before the boundary
                fence    1 2                      -> at 12
                commit   mine@15   1-1-1          -> fenced
                """);
    }

    @Test
    void aPreparedShardSaysNothing() {
        on.transcript(
                """
                install                           -> installed
                prepare  1 1 50                   -> prepared
                cancel   mine@50   1-1-1          -> cancel_epoch_prepared # a new group may own it
                cancel   mine@49   1-1-2          -> cancel_done
                abort    1 2                      -> aborted
                commit   mine@50   1-1-1          -> accepted              # nothing was remembered
                """);
    }

    /** The token goes to the group that owns the id now, and so do its late copies. */
    @Test
    void aGroupOfANewEpochBeginsWithAnEmptySet() {
        on.transcript(
                """
                install                           -> installed
                cancel   mine@50   1-1-1          -> cancel_done
                prepare  1 1 50                   -> prepared
                """);
        ShardMap next = MAP.withEpoch(50, 1);
        on.apply(ShardEntries.install(next, new Shard(1, 0), Map.of()));
        on.transcript("commit mine@50 1-1-1 -> wrong_shard");
        ShardTranscript made = new ShardTranscript();
        made.apply(ShardEntries.install(next, new Shard(2, 0), Map.of()));
        assertThat(made.shard.cancelledTokens()).isZero();
        made.transcript(
                """
                cancel   mine@50   1-1-1          -> cancel_done
                commit   mine@50   1-1-1          -> cancelled
                """);
    }

    @Test
    void aSlotsTokensGoWithTheFenceInThisShard() {
        on.transcript(
                """
                install                           -> installed
                cancel   mine@15   1-1-1          -> cancel_done
                cancel   mine@15   1-2-1          -> cancel_done
                cancel   mine@15   2-1-1          -> cancel_done
                fence    1 2                      -> at 5
                commit   mine@15   1-1-1          -> fenced
                commit   mine@15   1-2-1          -> cancelled
                commit   mine@15   2-1-1          -> cancelled
                cancel   mine@16   1-2-2          -> cancel_done          # there is room again
                """);
        assertThat(on.shard.cancelledTokens()).isEqualTo(3);
        // The fence table of a map's decision fences, too.
        on.apply(ShardEntries.install(MAP.withEpoch(50, 1), new Shard(1, 0), Map.of(1, 3, 2, 2)));
        assertThat(on.shard.cancelledTokens()).isZero();
        on.transcript("commit mine@15 1-2-1 -> fenced");
    }

    @Test
    void belowTheBoundaryNobodyHoldsAnId() {
        on.transcript(
                """
                install                           -> installed
                commit   mine@15   1-1-1          -> accepted
                boundary 20                       -> 20
                cancel   mine@15   1-1-1          -> cancel_done          # its row may be there still
                cancel   mine@15   1-1-2          -> cancel_done
                """);
    }

    @Test
    void aSnapshotHoldsTheSet() throws IOException {
        on.transcript(
                """
                install                           -> installed
                cancel   mine@15   3-7-900        -> cancel_done
                cancel   mine@15   3-7-2          -> cancel_done
                cancel   mine@15   1-1-1          -> cancel_done
                """);
        ShardState copy = new ShardState();
        copy.restore(MemorySnapshot.of(on.shard, null));
        assertThat(copy.stateHash()).isEqualTo(on.shard.stateHash());
        assertThat(copy.cancelledTokens()).isEqualTo(3);
        new ShardTranscript(copy)
                .transcript(
                        """
                        commit   mine@15   3-7-2          -> cancelled
                        commit   mine@15   3-7-900        -> cancelled
                        commit   mine@15   1-1-1          -> cancelled
                        cancel   mine@15   3-7-3          -> cancel_full
                        """);
        copy.restore(MemorySnapshot.of(new ShardState(), null));
        assertThat(copy.cancelledTokens()).isZero();
    }

    /** A restore fences whom the backup knows, so that nothing of it need be remembered. */
    @Test
    void aRestoredShardBeginsWithAnEmptySetAndAllFenced() {
        on.apply(ShardEntries.restoreHead(MAP, new Shard(1, 0), 5, Long.MIN_VALUE, Long.MIN_VALUE));
        on.transcript(
                """
                cancel   mine@15   5-9-1          -> cancel_epoch_prepared
                install                           -> installed
                commit   mine@15   5-9-1          -> fenced
                cancel   mine@15   5-9-1          -> cancel_fenced
                """);
        assertThat(on.shard.cancelledTokens()).isZero();
    }

    @Test
    void theSetIsPartOfWhatReplicasCompare() {
        ShardTranscript other = new ShardTranscript();
        for (ShardTranscript each : List.of(on, other)) {
            each.transcript("install -> installed");
        }
        on.transcript("cancel mine@15 1-1-1 -> cancel_done");
        other.transcript("cancel mine@15 1-1-2 -> cancel_done");
        assertThat(other.shard.stateHash()).isNotEqualTo(on.shard.stateHash());
    }

    @Test
    void anEntryThatNobodyCanHaveWrittenIsABug() {
        ByteString ids = Packed.ids(List.of(id("mine@15")));
        ByteString tokens = Packed.tokens(List.of(token("1-1-1")));
        assertThatThrownBy(() -> on.apply(ShardEntries.cancel(0, ids, tokens)))
                .isInstanceOf(BugException.class);
        byte[] whole = ShardEntries.cancel(ids, tokens);
        assertThatThrownBy(() -> on.apply(java.util.Arrays.copyOf(whole, 3)))
                .isInstanceOf(BugException.class);
        assertThatThrownBy(() -> on.apply(java.util.Arrays.copyOf(whole, whole.length - 1)))
                .isInstanceOf(BugException.class);
    }

    @Test
    void theLimitOfAnEntryIsTheDocumentedOne() {
        on.transcript("install -> installed");
        int max = 65_536;
        ByteString id = Packed.ids(List.of(id("mine@15")));
        for (int i = 1; i <= max; i++) {
            on.apply(
                    ShardEntries.cancel(
                            id, Packed.tokens(List.of(token("1-1-" + (i * 7919L % 1_000_003))))));
        }
        assertThat(on.shard.cancelledTokens()).isEqualTo(max);
        byte[] one = on.apply(ShardEntries.cancel(id, Packed.tokens(List.of(token("1-2-1")))));
        assertThat(one).containsExactly(CancelOutcome.CANCEL_FULL_VALUE);
    }
}

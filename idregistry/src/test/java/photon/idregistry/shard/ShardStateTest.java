package photon.idregistry.shard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static photon.idregistry.shard.ShardTranscript.id;
import static photon.idregistry.shard.ShardTranscript.token;

import com.google.protobuf.ByteString;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import photon.core.error.BugException;
import photon.core.id.CommitToken;
import photon.core.id.EventId;
import photon.core.id.Packed;
import photon.idregistry.replicated.MemorySnapshot;
import photon.idregistry.replicated.Stamps;
import photon.idregistry.replicated.StateFile;
import photon.proto.v1.AuditRecord;
import photon.proto.v1.Outcome;
import photon.proto.v1.PrepareVerdict;
import photon.proto.v1.Stamp;
import photon.registry.api.RegistryClient.Shard;
import photon.registry.api.ShardMap;

/** Which rule speaks first, as transcripts. */
final class ShardStateTest {
    private static final ShardMap MAP = ShardTranscript.MAP;

    private final ShardTranscript on = new ShardTranscript();
    private final ShardState shard = on.shard;

    @Test
    void theFirstRuleThatSpeaksWins() {
        transcript(
                """
                commit   mine@15   1-1-1          -> epoch_prepared   # nothing before the map
                remove   mine@15   1-1-1          -> remove_wrong_shard
                install                           -> installed
                install                           -> installed        # again
                commit   mine@15   1-1-1          -> accepted
                commit   mine@15   1-1-1          -> accepted         # the same token asks again
                commit   mine@15   1-1-2          -> taken by 1-1-1   # another attempt of the same joiner
                commit   mine@15   2-1-1          -> taken by 1-1-1
                fence    1 2                      -> at 9
                commit   mine@15   1-1-1          -> fenced           # even its holder
                commit   mine@15   1-2-1          -> taken by 1-1-1
                commit   other@15  1-1-1          -> wrong_shard      # before the fence
                boundary 20                       -> 20
                commit   mine@15   1-1-1          -> fenced           # the fence speaks before the boundary
                commit   mine@15   2-1-1          -> id_too_old       # the boundary before the holder
                commit   other@15  2-1-1          -> wrong_shard      # before the boundary
                commit   mine@20   2-1-1          -> accepted         # at the boundary is not below it
                boundary 10                       -> 20               # never goes back
                commit   mine@15   2-1-1          -> id_too_old
                fence    1 1                      -> at 20            # nor does a fence
                commit   mine@30   1-1-1          -> fenced
                """);
    }

    @Test
    void removingNeedsTheTokenAndItsFence() {
        transcript(
                """
                install                           -> installed
                commit   mine@15   1-1-1          -> accepted
                remove   mine@15   1-1-1          -> not_fenced       # it could commit again behind this
                fence    1 2                      -> at 4
                remove   mine@15   1-1-2          -> removed          # does not hold it: idempotent
                commit   mine@15   2-1-1          -> taken by 1-1-1
                remove   mine@15   1-1-1          -> removed
                remove   mine@15   1-1-1          -> removed
                commit   mine@15   1-1-1          -> fenced           # a delayed copy comes too late
                commit   mine@15   2-1-1          -> accepted
                remove   mine@15   1-1-1          -> removed          # another's now: left alone
                commit   mine@15   2-1-2          -> taken by 2-1-1
                remove   other@15  1-1-1          -> remove_wrong_shard
                boundary 20                       -> 20
                remove   mine@15   2-1-1          -> remove_too_old   # before the fence is asked
                """);
    }

    /** Its row is there still: ids are dropped by ten seconds at a time. */
    @Test
    void nobodyHoldsAnIdBelowTheBoundary() {
        transcript(
                """
                install                           -> installed
                commit   mine@15   1-1-1          -> accepted
                commit   mine@25   1-1-2          -> accepted
                boundary 20                       -> 20
                """);
        assertThat(shard.lookup(id("mine@15"))).isNull();
        assertThat(shard.lookup(id("mine@25"))).isEqualTo(token("1-1-2"));
    }

    @Test
    void tokensAreComparedInsideABatchToo() {
        transcript("install -> installed");
        EventId id = id("mine@15");
        CommitToken first = token("1-1-1");
        CommitToken second = token("1-1-2");
        ShardResults.Committed result =
                ShardResults.commit(
                        apply(
                                ShardEntries.commit(
                                        Packed.ids(List.of(id, id, id)),
                                        Packed.tokens(List.of(first, first, second)))));
        assertThat(result.outcomes().toByteArray())
                .containsExactly(
                        Outcome.ACCEPTED_VALUE, Outcome.ACCEPTED_VALUE, Outcome.TAKEN_VALUE);
        assertThat(Packed.tokens(result.holders())).containsExactly(first);
        assertThat(shard.ids().count()).isEqualTo(1);
        assertThat(shard.commitEntries()).isEqualTo(1);
        assertThat(shard.committedIds()).isEqualTo(3);
    }

    @Test
    void aGroupIsOneShardForEver() {
        transcript("install -> installed");
        byte[] asOther = ShardEntries.install(MAP, new Shard(1, 1), Map.of());
        assertThat(ShardResults.installed(apply(asOther))).isFalse();
        assertThat(shard.self()).isEqualTo(new Shard(1, 0));
    }

    @Test
    void theFenceTableOfTheDecisionComesWithTheMap() {
        apply(ShardEntries.install(MAP, new Shard(1, 0), Map.of(4, 3, 2, 7)));
        transcript(
                """
                commit   mine@15   4-2-1          -> fenced
                commit   mine@15   2-6-1          -> fenced
                commit   mine@15   2-7-1          -> accepted
                """);
    }

    @Test
    void aPreparedShardRefusesWhatTheNewEpochMayTake() {
        transcript(
                """
                prepare  1 1 50                   -> prepare_too_early # no map yet
                install                           -> installed
                commit   mine@40   1-1-1          -> accepted
                prepare  1 2 50                   -> prepare_too_early # built on a map not yet here
                prepare  1 1 40                   -> prepare_too_late  # an id of that time is accepted
                prepare  1 1 41                   -> prepared
                prepare  1 1 41                   -> prepared          # asked again
                fence    1 2                      -> at 8
                commit   mine@40   1-1-1          -> fenced            # below the new epoch
                commit   mine@41   1-1-1          -> epoch_prepared    # speaks before the fence
                commit   other@41  1-1-1          -> wrong_shard       # but behind the shard
                remove   mine@41   1-1-1          -> remove_wrong_shard # a new group may hold it
                remove   mine@40   1-1-1          -> removed
                """);
    }

    @Test
    void theEarliestOfSeveralPreparedAttemptsCounts() {
        transcript(
                """
                install                           -> installed
                prepare  1 1 60                   -> prepared
                prepare  2 1 50                   -> prepared
                commit   mine@49   1-1-1          -> accepted
                commit   mine@50   1-1-1          -> epoch_prepared
                abort    2 1                      -> aborted
                commit   mine@59   1-1-1          -> accepted
                commit   mine@60   1-1-1          -> epoch_prepared    # the other attempt stands
                prepare  2 1 90                   -> prepare_settled   # a delayed one
                abort    1 4                      -> aborted
                commit   mine@60   1-1-1          -> accepted
                prepare  3 1 90                   -> prepare_settled   # all below 4 are
                prepare  4 1 90                   -> prepared
                """);
        assertThat(shard.preparedAttempts()).containsExactly(4L);
    }

    /** The attempt below may be committed: its ids are then another group's. */
    @Test
    void anAbortGivesUpNoOtherAttempt() {
        transcript(
                """
                install                           -> installed
                prepare  1 1 60                   -> prepared
                prepare  2 1 50                   -> prepared
                abort    2 3                      -> aborted
                commit   mine@60   1-1-1          -> epoch_prepared
                """);
    }

    @Test
    void aNewerMapSettlesWhatWasPreparedOnTheOlder() {
        ShardMap next = MAP.withEpoch(50, 3);
        transcript(
                """
                install                           -> installed
                prepare  1 1 50                   -> prepared
                prepare  2 1 45                   -> prepared
                """);
        for (ShardMap map : List.of(next, next, MAP)) {
            assertThat(ShardResults.installed(apply(install(map)))).isTrue();
            assertThat(shard.map()).isEqualTo(next);
        }
        transcript(
                """
                commit   mine@49   1-1-1          -> accepted
                commit   mine@50   1-1-1          -> wrong_shard
                prepare  3 1 70                   -> prepare_settled   # the map has moved on
                prepare  4 2 60                   -> prepared
                """);
        ShardMap other = MAP.withEpoch(51, 3).withEpoch(60, 1);
        assertThat(ShardResults.installed(apply(install(other)))).isFalse();
        assertThat(shard.map()).isEqualTo(next);
    }

    /** Whatever let that happen, two groups would accept the same id. */
    @Test
    void aMapThatGivesAwayWhatWasAcceptedIsABug() {
        transcript(
                """
                install                           -> installed
                commit   mine@50   1-1-1          -> accepted
                """);
        assertThatThrownBy(() -> apply(install(MAP.withEpoch(50, 3))))
                .isInstanceOf(BugException.class);
    }

    private static byte[] install(ShardMap map) {
        return ShardEntries.install(map, new Shard(1, 0), Map.of());
    }

    @Test
    void aSnapshotOfAnotherVersionIsRefused() {
        for (int version : new int[] {0, 1, 255}) {
            assertThatThrownBy(
                            () ->
                                    new ShardState()
                                            .restore(
                                                    MemorySnapshot.of(
                                                            StateFile.NAME,
                                                            new byte[] {(byte) version})))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining(
                            "Expected a shard's snapshot in version 2, but it is in version "
                                    + version);
        }
    }

    @Test
    void aSnapshotHoldsWhatIsPrepared() throws IOException {
        transcript(
                """
                install                           -> installed
                prepare  5 1 50                   -> prepared
                prepare  6 1 60                   -> prepared
                abort    6 5                      -> aborted
                """);
        ShardState copy = new ShardState();
        copy.restore(MemorySnapshot.of(shard, null));
        assertThat(copy.stateHash()).isEqualTo(shard.stateHash());
        assertThat(copy.preparedAttempts()).containsExactly(5L);
        byte[] delayed =
                copy.apply(on.nextIndex(), ByteBuffer.wrap(ShardEntries.prepare(6, 1, 60)));
        assertThat(ShardResults.prepare(delayed).verdict())
                .isEqualTo(PrepareVerdict.PREPARE_SETTLED);
    }

    @Test
    void theHighestAcceptedTimestampOutlivesItsId() {
        transcript(
                """
                install                           -> installed
                commit   mine@50   1-1-1          -> accepted
                fence    1 2                      -> at 3
                remove   mine@50   1-1-1          -> removed
                boundary 90                       -> 90
                """);
        assertThat(shard.ids().count()).isZero();
        assertThat(shard.maxAcceptedMicros()).isEqualTo(50);
    }

    @Test
    void anEntryThatNobodyCanHaveWrittenIsABug() {
        assertThatThrownBy(() -> apply(new byte[] {77})).isInstanceOf(BugException.class);
        assertThatThrownBy(() -> apply(new byte[0])).isInstanceOf(BugException.class);
        byte[] whole =
                ShardEntries.commit(
                        Packed.ids(List.of(id("mine@15"))), Packed.tokens(List.of(token("1-1-1"))));
        byte[] cut = java.util.Arrays.copyOf(whole, whole.length - 1);
        assertThatThrownBy(() -> apply(cut)).isInstanceOf(BugException.class);
        byte[] longer = java.util.Arrays.copyOf(whole, whole.length + 1);
        assertThatThrownBy(() -> apply(longer)).isInstanceOf(BugException.class);
        apply(whole);
        assertThatThrownBy(() -> shard.apply(1, ByteBuffer.wrap(whole)))
                .hasMessageContaining("Expected an index after");
    }

    @Test
    void badIdsAndTokensAreToldApartOnArrival() {
        ByteString ids = Packed.ids(List.of(id("mine@15")));
        ByteString tokens = Packed.tokens(List.of(token("1-256-1")));
        assertThat(ShardEntries.wellFormed(ids, tokens)).isTrue();
        assertThat(ShardEntries.wellFormed(ids.concat(ids), tokens)).isFalse();
        assertThat(ShardEntries.wellFormed(ids.substring(1), tokens)).isFalse();
        assertThat(ShardEntries.wellFormed(ids, with(tokens, 4, 0xFF))).isFalse();
        assertThat(ShardEntries.wellFormed(ids, with(tokens, 6, 0))).isFalse();
        assertThat(ShardEntries.wellFormed(with(ids, 0, 0x80), tokens)).isFalse();
    }

    private static ByteString with(ByteString bytes, int at, int value) {
        byte[] changed = bytes.toByteArray();
        changed[at] = (byte) value;
        return ByteString.copyFrom(changed);
    }

    private byte[] apply(byte[] entry) {
        return on.apply(entry);
    }

    private void transcript(String lines) {
        on.transcript(lines);
    }

    private void removed(String actor, long micros, String... idsAndTokens) {
        List<EventId> some = new ArrayList<>();
        List<CommitToken> tokens = new ArrayList<>();
        for (int i = 0; i < idsAndTokens.length; i += 2) {
            some.add(id(idsAndTokens[i]));
            tokens.add(token(idsAndTokens[i + 1]));
        }
        apply(
                Stamps.stamped(
                        Stamp.newBuilder()
                                .setActor(actor)
                                .setEarliestMicros(micros - 1)
                                .setLatestMicros(micros)
                                .build(),
                        ShardEntries.remove(Packed.ids(some), Packed.tokens(tokens))));
    }

    private static String text(AuditRecord row) {
        return "%s %s-%s %s ids in %s to %s at %s"
                .formatted(
                        row.getStamp().getActor(),
                        row.getIncarnation().getSlot(),
                        row.getIncarnation().getGeneration(),
                        row.getIds(),
                        row.getStamp().getEarliestMicros(),
                        row.getStamp().getLatestMicros(),
                        row.getIndex());
    }

    @Test
    void whatWasRemovedIsRecordedOnceForEachIncarnationAndAsker() throws IOException {
        transcript(
                """
                install                           -> installed
                commit   mine@15   1-1-1          -> accepted
                commit   mine@16   1-1-2          -> accepted
                commit   mine@17   2-1-1          -> accepted
                commit   mine@18   2-1-2          -> accepted
                fence    1 2                      -> at 6
                fence    2 2                      -> at 7
                """);
        removed("me", 100, "mine@15", "1-1-1", "mine@17", "2-1-1");
        removed("me", 200, "mine@15", "1-1-1", "mine@17", "2-1-1");
        removed("me", 300, "mine@18", "2-1-2", "mine@19", "2-1-3");
        transcript("remove mine@16 1-1-2 -> removed");
        List<String> expected =
                List.of(
                        "me 1-1 1 ids in 99 to 100 at 8",
                        "me 2-1 2 ids in 99 to 300 at 10",
                        // By a server of an earlier version, which told nothing.
                        " 1-1 1 ids in 0 to 0 at 11");
        assertThat(shard.removals()).extracting(ShardStateTest::text).isEqualTo(expected);

        ShardState copy = new ShardState();
        copy.restore(MemorySnapshot.of(shard, null));
        assertThat(copy.removals()).isEqualTo(shard.removals());
        assertThat(copy.stateHash()).isEqualTo(shard.stateHash());
    }

    @Test
    void theRecordsOfRemovalsAreBounded() {
        transcript("install -> installed");
        for (int slot = 1; slot <= RemovalLog.KEPT + 3; slot++) {
            apply(
                    ShardEntries.commit(
                            Packed.ids(List.of(id("mine@15"))),
                            Packed.tokens(List.of(token(slot + "-1-1")))));
            apply(ShardEntries.fence(slot, 2));
            removed("me", slot, "mine@15", slot + "-1-1");
        }
        assertThat(shard.removals()).hasSize(RemovalLog.KEPT);
        assertThat(shard.removals().get(0).getIncarnation().getSlot()).isEqualTo(4);
        assertThat(shard.removalsForgotten()).isEqualTo(3);
    }
}

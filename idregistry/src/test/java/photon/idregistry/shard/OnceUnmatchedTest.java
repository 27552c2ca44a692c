package photon.idregistry.shard;

import static org.assertj.core.api.Assertions.assertThat;
import static photon.idregistry.shard.ShardTranscript.id;
import static photon.idregistry.shard.ShardTranscript.token;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import org.junit.jupiter.api.Test;
import photon.core.id.CommitToken;
import photon.core.id.EventId;
import photon.core.id.Packed;
import photon.idregistry.replicated.MemorySnapshot;
import photon.idregistry.table.MemoryBudget;
import photon.idregistry.table.MemoryTableFiles;
import photon.idregistry.table.TableHome;
import photon.proto.v1.Outcome;
import photon.registry.api.RegistryClient.Commit;

/** An id that was once held unmatched stays unmatched: as transcripts. */
final class OnceUnmatchedTest {
    /** Its output is lost, and its incarnation fenced. */
    private static final String TAKEN_FROM_AN_UNMATCHED_TOKEN =
            """
            install                                  -> installed
            commit   mine@15   1-1-1-unmatched       -> accepted
            fence    1 2                             -> at 3
            remove   mine@15   1-1-1-unmatched       -> removed
            """;

    private final ShardTranscript on = new ShardTranscript();

    @Test
    void theHolderOfAnUnmatchedIdTellsItsKind() {
        on.transcript(
                """
                install                                  -> installed
                commit   mine@15   1-1-1-unmatched       -> accepted
                commit   mine@15   1-1-1-unmatched       -> accepted
                commit   mine@15   2-1-1                 -> taken by 1-1-1-unmatched
                commit   mine@15   2-1-1-unmatched       -> taken by 1-1-1-unmatched
                commit   mine@15   1-1-1                 -> taken by 1-1-1-unmatched # another token
                cancel   mine@15   1-1-1                 -> cancel_done
                cancel   mine@15   1-1-1-unmatched       -> cancel_held
                """);
    }

    @Test
    void onlyAnUnmatchedTokenTakesWhatWasTakenFromOne() {
        on.transcript(TAKEN_FROM_AN_UNMATCHED_TOKEN);
        on.transcript(
                """
                remove   mine@15   1-1-1-unmatched       -> removed          # again: nothing
                commit   mine@15   2-1-1                 -> taken, join unmatched
                commit   mine@15   2-1-2-unmatched       -> accepted
                commit   mine@15   2-1-2-unmatched       -> accepted
                commit   mine@15   3-1-1-unmatched       -> taken by 2-1-2-unmatched
                remove   mine@15   1-1-1-unmatched       -> removed          # another's now: left alone
                commit   mine@15   3-1-1                 -> taken by 2-1-2-unmatched
                fence    2 2                             -> at 12
                remove   mine@15   2-1-2-unmatched       -> removed          # lost once more
                commit   mine@15   3-1-1                 -> taken, join unmatched
                """);
    }

    @Test
    void whatWasHeldMatchedIsFreeOnceItIsRemoved() {
        on.transcript(
                """
                install                                  -> installed
                commit   mine@15   1-1-1                 -> accepted
                fence    1 2                             -> at 3
                remove   mine@15   1-1-1-unmatched       -> removed          # does not hold it
                commit   mine@15   2-1-1                 -> taken by 1-1-1
                remove   mine@15   1-1-1                 -> removed
                commit   mine@15   2-1-1                 -> accepted
                """);
    }

    @Test
    void allOtherRulesSpeakFirst() {
        on.transcript(TAKEN_FROM_AN_UNMATCHED_TOKEN);
        on.transcript(
                """
                commit   mine@15   1-1-1-unmatched       -> fenced           # a delayed copy
                cancel   mine@15   3-1-1-unmatched       -> cancel_done
                commit   mine@15   3-1-1-unmatched       -> cancelled
                prepare  1 1 18                          -> prepared
                commit   mine@18   2-1-1-unmatched       -> epoch_prepared
                commit   mine@15   2-1-1-unmatched       -> accepted
                boundary 20                              -> 20
                commit   mine@15   2-1-2-unmatched       -> id_too_old
                """);
    }

    @Test
    void insideABatchToo() {
        on.transcript(TAKEN_FROM_AN_UNMATCHED_TOKEN);
        EventId id = id("mine@15");
        ShardResults.Committed result =
                ShardResults.commit(
                        on.apply(
                                ShardEntries.commit(
                                        Packed.ids(List.of(id, id, id)),
                                        Packed.tokens(
                                                List.of(
                                                        token("2-1-1"),
                                                        token("2-1-2-unmatched"),
                                                        token("3-1-1-unmatched"))))));
        assertThat(result.outcomes().toByteArray())
                .containsExactly(Outcome.TAKEN_VALUE, Outcome.ACCEPTED_VALUE, Outcome.TAKEN_VALUE);
        assertThat(Packed.tokens(result.holders()))
                .containsExactly(CommitToken.JOIN_UNMATCHED, token("2-1-2-unmatched"));
    }

    /** No token holds it, but it has its row, in the snapshot too. */
    @Test
    void theRowStaysAndNoIncarnationHoldsIt() throws IOException {
        on.transcript(TAKEN_FROM_AN_UNMATCHED_TOKEN);
        assertStands(on.shard);
        ShardState copy = new ShardState();
        copy.restore(MemorySnapshot.of(on.shard, null));
        assertStands(copy);
        assertThat(copy.stateHash()).isEqualTo(on.shard.stateHash());
        on.transcript("boundary 20000000 -> 20000000");
        assertThat(on.shard.ids().count()).isZero();
    }

    private static void assertStands(ShardState shard) {
        assertThat(shard.scan(token("1-1-1").incarnation(), null, 10).held()).isEmpty();
        assertThat(shard.lookup(id("mine@15"))).isEqualTo(CommitToken.JOIN_UNMATCHED);
        assertThat(shard.ids().count()).isEqualTo(1);
        assertThat(
                        Packed.tokens(
                                com.google.protobuf.ByteString.copyFrom(
                                        shard.scan(null, 0, Long.MAX_VALUE, null, 10).holders())))
                .containsExactly(CommitToken.JOIN_UNMATCHED);
    }

    /** The record is for people: they ask what was taken from whom, whatever is left there. */
    @Test
    void theRemovalIsRecorded() {
        on.transcript(TAKEN_FROM_AN_UNMATCHED_TOKEN);
        on.transcript("remove mine@15 1-1-1-unmatched -> removed");
        assertThat(on.shard.removals()).hasSize(1);
        assertThat(on.shard.removals().get(0).getIds()).isEqualTo(1);
    }

    @Test
    void theSealedTierKeepsIt() {
        Queue<Runnable> sealings = new ArrayDeque<>();
        ShardTranscript sealing =
                new ShardTranscript(
                        new ShardState(
                                new TableHome(
                                        new MemoryTableFiles(),
                                        MemoryBudget.of(1_000),
                                        sealings::add)));
        sealing.transcript("install -> installed");
        for (int i = 1; i <= 500; i++) {
            sealing.apply(commit(new Commit(id("mine@" + i * 10_000), unmatched(i))));
        }
        seal(sealing, sealings);
        sealing.transcript(
                """
                fence    1 2                             -> at 503
                remove   mine@10000 1-1-1-unmatched      -> removed
                remove   mine@20000 1-1-2-unmatched      -> removed
                commit   mine@10000 2-1-1                -> taken, join unmatched
                commit   mine@10000 2-1-2-unmatched      -> accepted
                commit   mine@10000 2-1-3                -> taken by 2-1-2-unmatched
                """);
        seal(sealing, sealings);
        sealing.transcript(
                """
                commit   mine@10000 2-1-3                -> taken by 2-1-2-unmatched
                commit   mine@20000 2-1-4                -> taken, join unmatched
                commit   mine@20000 2-1-5-unmatched      -> accepted
                """);
        assertThat(sealing.shard.ids().sealedFiles()).isPositive();
        assertThat(sealing.shard.ids().count()).isEqualTo(500);
    }

    private static CommitToken unmatched(int number) {
        return new CommitToken(1, 1, number).asUnmatched();
    }

    private static byte[] commit(Commit one) {
        return ShardEntries.commit(
                Packed.ids(List.of(one.id())), Packed.tokens(List.of(one.token())));
    }

    /** A file is in use from the next entry on. */
    private static void seal(ShardTranscript on, Queue<Runnable> sealings) {
        Runnable one = sealings.poll();
        while (one != null) {
            one.run();
            one = sealings.poll();
        }
        on.apply(ShardEntries.nothing());
    }
}

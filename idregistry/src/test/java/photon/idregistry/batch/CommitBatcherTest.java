package photon.idregistry.batch;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import photon.core.id.CommitToken;
import photon.core.id.EventId;
import photon.core.id.Packed;
import photon.core.loop.ManualLoop;
import photon.proto.v1.Outcome;
import photon.proto.v1.Progress;

final class CommitBatcherTest {
    private static final long NO_LIMIT = Long.MAX_VALUE;

    private final ManualLoop loop = new ManualLoop();
    private final FakeLog log = new FakeLog(1);
    private final CommitBatcher batcher = new CommitBatcher(loop, log, new BatchLimits(10, 2, 40));
    private final List<String> answered = new ArrayList<>();
    private final List<CommitAnswer> answers = new ArrayList<>();

    @Test
    void aLoneRequestGoesAtOnceWithoutATimer() {
        assertThat(offer("a", 0, 1)).isTrue();
        loop.runUntilIdle();
        assertThat(log.idsPerEntry).containsExactly(1);
        log.applyNext();
        loop.runUntilIdle();
        assertThat(answers).hasSize(1);
        assertThat(outcomes(0)).containsExactly(Outcome.ACCEPTED);
    }

    @Test
    void requestsThatCameTogetherShareAnEntryAndEachGetsItsPart() {
        offer("a", 0, 2);
        offer("b", 1, 2);
        loop.runUntilIdle();
        assertThat(log.idsPerEntry).containsExactly(4);
        log.applyNext();
        loop.runUntilIdle();
        assertThat(outcomes(0)).containsExactly(Outcome.ACCEPTED, Outcome.ACCEPTED);
        // b asked for ids 1 and 2, of which a has 1.
        assertThat(outcomes(1)).containsExactly(Outcome.TAKEN, Outcome.ACCEPTED);
        assertThat(Packed.tokens(answers.get(0).holders())).isEmpty();
        assertThat(Packed.tokens(answers.get(1).holders())).containsExactly(token("a", 1));
    }

    @Test
    void nextEntriesWaitUntilFewerThanTheLimitAreInFlightAndThenGoFull() {
        for (int i = 0; i < 2; i++) {
            offer("a", i, 1);
            loop.runUntilIdle();
        }
        for (int i = 2; i < 14; i++) {
            offer("a", i, 1);
            loop.runUntilIdle();
        }
        assertThat(log.inFlight()).isEqualTo(2);
        log.applyNext();
        loop.runUntilIdle();
        log.applyNext();
        loop.runUntilIdle();
        assertThat(log.idsPerEntry).containsExactly(1, 1, 10, 2);
        assertThat(batcher.entries()).isEqualTo(4);
        assertThat(batcher.ids()).isEqualTo(14);
        assertThat(batcher.waitingIds()).isZero();
    }

    @Test
    void whatComesWhileASmallEntryIsInFlightGoesInOne() {
        CommitBatcher wide = new CommitBatcher(loop, log, new BatchLimits(4_096, 8, 8_192));
        for (int i = 0; i < 5; i++) {
            offer(wide, "a", i, 1, NO_LIMIT);
            loop.runUntilIdle();
        }
        assertThat(log.idsPerEntry).containsExactly(1);
        log.applyNext();
        loop.runUntilIdle();
        assertThat(log.idsPerEntry).containsExactly(1, 4);
    }

    @Test
    void aCallerThatFloodsDoesNotStarveAnother() {
        fillTheWindow();
        int flood = 0;
        while (offer("flood", 100 + flood * 4, 4)) {
            flood++;
        }
        // It may hold no more than is still free, so half: there is room for another.
        assertThat(flood).isEqualTo(5);
        assertThat(offer("small", 200, 2)).isTrue();
        log.applyNext();
        loop.runUntilIdle();
        log.applyNext();
        loop.runUntilIdle();
        // The next entry holds one of the flood's, then the small one's, though it came last.
        log.applyNext();
        loop.runUntilIdle();
        assertThat(answered.subList(2, 5)).containsExactly("flood@100", "small@200", "flood@104");
    }

    @Test
    void tooMuchWaitingIsRefusedAndNothingOfItIsKept() {
        fillTheWindow();
        for (int i = 0; i < 4; i++) {
            assertThat(offer("c" + i, 100 + i * 5, 5)).isTrue();
        }
        assertThat(offer("d", 200, 10)).isTrue();
        assertThat(offer("e", 300, 10)).isTrue();
        assertThat(batcher.waitingIds()).isEqualTo(40);
        assertThat(offer("f", 400, 1)).isFalse();
        assertThat(offer("f", 400, 11)).as("larger than an entry").isFalse();
        while (log.inFlight() > 0) {
            log.applyNext();
            loop.runUntilIdle();
        }
        assertThat(answered).hasSize(8).doesNotContain("f@400");
        assertThat(log.state.ids().count()).isEqualTo(42);
    }

    @Test
    void aFailedEntryIsUnknownToEachCallerAndAskingAgainSettlesIt() {
        offer("a", 0, 1);
        offer("b", 5, 1);
        loop.runUntilIdle();
        log.applyNextAndFail();
        loop.runUntilIdle();
        assertThat(answers).extracting(CommitAnswer::progress).containsOnly(Progress.UNKNOWN);
        assertThat(answered).containsExactly("a@0", "b@5");
        offer("a", 0, 1);
        loop.runUntilIdle();
        log.applyNext();
        loop.runUntilIdle();
        assertThat(outcomes(2)).containsExactly(Outcome.ACCEPTED);
    }

    @Test
    void whatWasSurelyNotSubmittedIsNotLeader() {
        offer("a", 0, 1);
        loop.runUntilIdle();
        log.refuseNext();
        loop.runUntilIdle();
        assertThat(answers).extracting(CommitAnswer::progress).containsExactly(Progress.NOT_LEADER);
    }

    @Test
    void idsOfTheFutureDoNotReachTheLog() {
        offer(batcher, "a", 3, 4, 4);
        loop.runUntilIdle();
        assertThat(log.idsPerEntry).containsExactly(2);
        log.applyNext();
        loop.runUntilIdle();
        assertThat(outcomes(0))
                .containsExactly(
                        Outcome.ACCEPTED,
                        Outcome.ACCEPTED,
                        Outcome.ID_IN_FUTURE,
                        Outcome.ID_IN_FUTURE);
        offer(batcher, "a", 8, 1, 4);
        assertThat(answers).as("never from within the call").hasSize(1);
        loop.runUntilIdle();
        assertThat(outcomes(1)).containsExactly(Outcome.ID_IN_FUTURE);
        assertThat(batcher.entries()).isEqualTo(1);
        assertThat(answers).extracting(CommitAnswer::latestMicros).containsExactly(4L, 4L);
    }

    @Test
    void idsInTheMiddleOfALargerMessageAreJudgedByTheirOwnTimes() {
        EventId late = new EventId(9, 0, 0, 1);
        EventId early = new EventId(3, 0, 0, 1);
        ByteString message = Packed.ids(List.of(late, early, late));
        batcher.offer(
                "a",
                message.substring(EventId.BYTES),
                Packed.tokens(List.of(token("a", 1), token("a", 2))),
                4,
                answers::add);
        loop.runUntilIdle();
        assertThat(log.idsPerEntry).containsExactly(1);
        log.applyNext();
        loop.runUntilIdle();
        assertThat(outcomes(0)).containsExactly(Outcome.ACCEPTED, Outcome.ID_IN_FUTURE);
    }

    @Test
    void closingAnswersWhatWaits() {
        fillTheWindow();
        offer("a", 100, 1);
        loop.runUntilIdle();
        batcher.close();
        loop.runUntilIdle();
        assertThat(answered).containsExactly("a@100");
        assertThat(answers.get(0).progress()).isEqualTo(Progress.NOT_LEADER);
        log.applyNext();
        loop.runUntilIdle();
        assertThat(answered).hasSize(2);
        assertThat(offer("a", 101, 1)).isFalse();
    }

    private void fillTheWindow() {
        offer("first", 0, 1);
        loop.runUntilIdle();
        offer("second", 1, 1);
        loop.runUntilIdle();
        assertThat(log.inFlight()).isEqualTo(2);
    }

    private boolean offer(String caller, int from, int count) {
        return offer(batcher, caller, from, count, NO_LIMIT);
    }

    private boolean offer(CommitBatcher to, String caller, int from, int count, long latestMicros) {
        List<EventId> ids = new ArrayList<>();
        List<CommitToken> tokens = new ArrayList<>();
        for (int i = from; i < from + count; i++) {
            ids.add(new EventId(i, 0, 0, 1));
            tokens.add(token(caller, i));
        }
        ByteString packed = Packed.ids(ids);
        return to.offer(
                caller,
                packed,
                Packed.tokens(tokens),
                latestMicros,
                answer -> {
                    answered.add(caller + "@" + from);
                    answers.add(answer);
                });
    }

    private static CommitToken token(String caller, int sequence) {
        return new CommitToken(1 + Math.floorMod(caller.hashCode(), 1000), 1, sequence);
    }

    private List<Outcome> outcomes(int answer) {
        assertThat(answers.get(answer).progress()).isEqualTo(Progress.DECIDED);
        List<Outcome> outcomes = new ArrayList<>();
        for (byte outcome : answers.get(answer).outcomes().toByteArray()) {
            outcomes.add(Outcome.forNumber(outcome));
        }
        return outcomes;
    }
}

package photon.joiner;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import photon.core.id.CommitToken;
import photon.core.id.Incarnation;
import photon.proto.v1.JoinResult.Status;
import photon.registry.api.ControlClient.IncarnationState;
import photon.registry.api.RegistryClient.Commit;
import photon.registry.api.RegistryClient.CommitResult;
import photon.registry.api.RegistryClient.Shard;

/** What a joiner does with a commit of which some copy has no answer. */
class JoinerCancelTest {
    private static final Incarnation OWN = new Incarnation(7, 1);
    private static final CommitToken ELSEWHERE = new CommitToken(9, 3, 1);
    private static final String CANCEL = "cancel 7-1-1";

    private final JoinerBench bench = new JoinerBench().run();

    @BeforeEach
    void calls() {
        bench.registry.calls.clear();
        bench.registry.decideAtOnce = false;
        bench.registry.cancelAtOnce = false;
    }

    /** Sends a click whose commit is answered when a copy of it is still about. */
    private long sendAskedAgain(long n) {
        long number = bench.send(n);
        bench.run();
        bench.registry.decideAll(true);
        bench.run();
        return number;
    }

    private void answerCancels() {
        bench.registry.cancelAll();
        bench.run();
    }

    private Commit copy(long n, long sequence) {
        return new Commit(Events.id(n), CommitToken.of(OWN, sequence));
    }

    @Test
    void theUsualCommitIsNotCancelled() {
        bench.registry.decideAtOnce = true;
        bench.registry.held.put(Events.id(2), ELSEWHERE);
        assertThat(bench.join(1)).isEqualTo(Status.JOINED);
        assertThat(bench.join(2)).isEqualTo(Status.JOINED_ELSEWHERE);
        bench.registry.futureMicros = 5;
        assertThat(bench.join(3)).isEqualTo(Status.ID_IN_FUTURE);
        assertThat(bench.registry.calls).noneMatch(call -> call.startsWith("cancel"));
    }

    @Test
    void nothingIsCancelledThatIsAcceptedHoweverOftenItWasAsked() {
        assertThat(bench.statusOf(sendAskedAgain(1))).isEqualTo(Status.JOINED);
        assertThat(bench.registry.calls).containsExactly("commit 7-1-1");
    }

    @Test
    void takenIsSettledOnceTheTokenIsCancelled() {
        bench.registry.held.put(Events.id(1), ELSEWHERE);
        long number = sendAskedAgain(1);
        assertThat(bench.registry.calls).containsExactly("commit 7-1-1", CANCEL);
        assertThat(bench.statusOf(number)).isNull();
        answerCancels();
        assertThat(bench.statusOf(number)).isEqualTo(Status.JOINED_ELSEWHERE);
        // The holder is removed by its repair; the late copy comes after that.
        bench.registry.held.clear();
        assertThat(bench.registry.apply(copy(1, 1))).isEqualTo(CommitResult.CANCELLED);
        assertThat(bench.registry.calls).containsExactly("commit 7-1-1", CANCEL);
    }

    @Test
    void aTokenThatHoldsItsIdAfterAllIsWritten() {
        bench.registry.held.put(Events.id(1), ELSEWHERE);
        long number = sendAskedAgain(1);
        bench.registry.held.clear();
        assertThat(bench.registry.apply(copy(1, 1))).isEqualTo(CommitResult.ACCEPTED);
        answerCancels();
        assertThat(bench.statusOf(number)).isEqualTo(Status.JOINED);
        assertThat(bench.files.synced).hasSize(1);
        assertThat(bench.files.synced.get(0).token()).isEqualTo(CommitToken.of(OWN, 1));
    }

    /**
     * Its first copy was in the log of a leader that was voted out: the next one's clock is behind.
     */
    @Test
    void whatIsTurnedAwayIsNotCommittedOnceItIsCancelled() {
        bench.registry.futureMicros = 5;
        long number = sendAskedAgain(1);
        assertThat(bench.statusOf(number)).isNull();
        answerCancels();
        assertThat(bench.statusOf(number)).isEqualTo(Status.ID_IN_FUTURE);
        assertThat(bench.joiner.status().inFlight()).isZero();
        assertThat(bench.registry.apply(copy(1, 1))).isEqualTo(CommitResult.CANCELLED);
        bench.registry.futureMicros = Long.MAX_VALUE;
        bench.registry.decideAtOnce = true;
        assertThat(bench.join(1)).as("under another token").isEqualTo(Status.JOINED);
        assertThat(bench.story).containsExactly("serving 7-1");
    }

    @Test
    void whatIsTurnedAwayAndWasAcceptedBeforeIsWritten() {
        long number = bench.send(1);
        bench.run();
        bench.registry.apply(copy(1, 1));
        bench.registry.futureMicros = 5;
        bench.registry.decideAll(true);
        bench.run();
        answerCancels();
        assertThat(bench.statusOf(number)).isEqualTo(Status.JOINED);
    }

    @Test
    void untilTheAnswerItKeepsTheEventItsPlaceAndItsPromise() {
        JoinerBench one =
                new JoinerBench(JoinerBench.settings("merge", JoinerBench.limits(100, 1)), 1, false)
                        .run();
        one.registry.cancelAtOnce = false;
        one.registry.decideAtOnce = false;
        one.registry.futureMicros = 5;
        one.send(1);
        one.run();
        one.registry.decideAll(true);
        one.run();
        one.registry.futureMicros = Long.MAX_VALUE;
        one.registry.decideAtOnce = true;
        long laterInItsShard =
                LongStream.iterate(2, n -> n + 1)
                        .filter(n -> shardOf(one, n).equals(shardOf(one, 1)))
                        .findFirst()
                        .orElseThrow();
        long behind = one.send(laterInItsShard);
        one.run();
        assertThat(one.statusOf(behind)).as("the cap is one").isNull();
        long id = Events.id(1).micros();
        one.registry.limitMicros = id;
        one.registry.wantedMicros = id + Duration.ofDays(1).toNanos() / 1_000;
        one.main.advance(Duration.ofMinutes(10));
        assertThat(one.registry.renewals).contains(id).allMatch(promised -> promised <= id);
        one.registry.cancelAll();
        one.run();
        assertThat(one.statusOf(behind)).isEqualTo(Status.JOINED);
        one.main.advance(Duration.ofMinutes(10));
        assertThat(one.registry.renewals).anyMatch(promised -> promised > id);
    }

    private static Shard shardOf(JoinerBench bench, long n) {
        return bench.registry.shardOf(Events.id(n));
    }

    @Test
    void aTwinOfAnAttemptThatIsCancelledIsAnsweredAsThatIs() {
        long first = bench.send(1);
        long second = bench.send(1);
        bench.run();
        bench.registry.apply(copy(1, 1));
        // The second's own first copy has no answer either, and its holder is being cancelled.
        bench.registry.futureMicros = 5;
        bench.registry.decide(bench.registry.waiting.removeFirst(), true);
        bench.registry.futureMicros = Long.MAX_VALUE;
        bench.registry.decideAll(true);
        bench.run();
        assertThat(bench.registry.calls).contains(CANCEL, "cancel 7-1-2");
        answerCancels();
        assertThat(List.of(first, second)).extracting(bench::statusOf).containsOnly(Status.JOINED);
        assertThat(bench.files.synced).hasSize(1);
    }

    @Test
    void aHolderOfOursThatIsFlushedMeanwhileSettlesItAsJoined() {
        long first = bench.send(1);
        long second = bench.send(1);
        bench.run();
        bench.registry.apply(copy(1, 1));
        bench.registry.decide(bench.registry.waiting.removeLast(), true);
        bench.registry.decideAll(false);
        bench.run();
        assertThat(bench.statusOf(first)).isEqualTo(Status.JOINED);
        assertThat(bench.statusOf(second)).isNull();
        answerCancels();
        assertThat(bench.statusOf(second)).isEqualTo(Status.JOINED);
        assertThat(bench.files.synced).hasSize(1);
    }

    @Test
    void belowTheBoundaryTheOutcomeIsLostAlsoAfterACancel() {
        bench.registry.boundaryMicros = Events.START_MICROS - 1_000_000;
        long number = bench.nextNumber();
        bench.send(List.of(Events.item(number, 1, null).toBuilder().setAttemptOpen(true).build()));
        bench.run();
        bench.registry.boundaryMicros = Events.START_MICROS + 10;
        bench.registry.decideAll(true);
        bench.run();
        answerCancels();
        assertThat(bench.statusOf(number)).isEqualTo(Status.OUTCOME_LOST);
    }

    @Test
    void aFencedCancelStartsOver() {
        bench.registry.held.put(Events.id(1), ELSEWHERE);
        long number = sendAskedAgain(1);
        bench.registry.lowestLive = 2;
        answerCancels();
        assertThat(bench.statusOf(number)).isEqualTo(Status.ABANDONED);
        bench.main.advance(Duration.ofSeconds(1));
        assertThat(bench.story).containsExactly("serving 7-1", "ended 7-1 FENCED 1", "serving 7-2");
    }

    @Test
    void aFullSetStartsOverAndFences() {
        bench.registry.cancelledMax = 1;
        bench.registry.futureMicros = 5;
        long first = sendAskedAgain(1);
        answerCancels();
        assertThat(bench.statusOf(first)).isEqualTo(Status.ID_IN_FUTURE);
        long second = sendAskedAgain(2);
        answerCancels();
        assertThat(bench.statusOf(second)).isEqualTo(Status.ABANDONED);
        assertThat(bench.registry.fencedByCall).containsExactly(OWN);
        bench.main.advance(Duration.ofSeconds(1));
        assertThat(bench.story)
                .containsExactly("serving 7-1", "ended 7-1 CANCEL_FULL 1", "serving 7-2");
        assertThat(bench.registry.stateOf(OWN)).isEqualTo(IncarnationState.OPEN);
    }

    @Test
    void aCloseWaitsForItsCancelsAndIsClean() {
        bench.registry.held.put(Events.id(1), ELSEWHERE);
        sendAskedAgain(1);
        List<Boolean> closed = new ArrayList<>();
        bench.joiner.close(closed::add);
        bench.run();
        bench.main.advance(Duration.ofSeconds(5));
        assertThat(closed).isEmpty();
        assertThat(bench.registry.stateOf(OWN)).isEqualTo(IncarnationState.OPEN);
        answerCancels();
        assertThat(closed).containsExactly(true);
        assertThat(bench.registry.stateOf(OWN)).isEqualTo(IncarnationState.CLEAN);
    }

    @Test
    void aJoinerThatHadDoubtsClosesClean() {
        bench.registry.futureMicros = 5;
        sendAskedAgain(1);
        answerCancels();
        List<Boolean> closed = new ArrayList<>();
        bench.joiner.close(closed::add);
        bench.run();
        assertThat(closed).containsExactly(true);
        assertThat(bench.registry.apply(copy(1, 1))).isEqualTo(CommitResult.FENCED);
    }

    @Test
    void aCloseWhoseCancelsAreNotAnsweredIsUnclean() {
        bench.registry.held.put(Events.id(1), ELSEWHERE);
        long number = sendAskedAgain(1);
        List<Boolean> closed = new ArrayList<>();
        bench.joiner.close(closed::add);
        bench.main.advance(Duration.ofSeconds(21));
        assertThat(closed).containsExactly(false);
        assertThat(bench.statusOf(number)).isEqualTo(Status.ABANDONED);
        assertThat(bench.registry.stateOf(OWN)).isEqualTo(IncarnationState.OPEN);
        answerCancels();
        assertThat(bench.files.appended).isEmpty();
    }
}

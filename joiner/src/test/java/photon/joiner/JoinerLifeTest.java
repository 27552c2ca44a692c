package photon.joiner;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import photon.core.id.CommitToken;
import photon.core.id.Incarnation;
import photon.joiner.incarnation.LifeState;
import photon.proto.v1.JoinResult.Status;
import photon.registry.api.ControlClient.IncarnationState;
import photon.registry.api.NotReportedException;
import photon.registry.api.RegistrationRefusedException;
import photon.registry.api.RegistryUnavailableException;

class JoinerLifeTest {
    private static final Incarnation FIRST = new Incarnation(7, 1);

    private final JoinerBench bench = new JoinerBench().run();

    @Test
    void aFencedJoinerWritesNothingAndStartsOverAsANewGeneration() {
        bench.registry.decideAtOnce = false;
        long first = bench.send(1);
        long second = bench.send(2);
        bench.run();
        // The verifier fences it while both are under way; the first was accepted before that.
        bench.registry.decide(bench.registry.waiting.remove(), false);
        bench.registry.lowestLive = 2;
        bench.registry.decideAll(false);
        bench.registry.decideAtOnce = true;
        bench.run();
        assertThat(bench.statusOf(first)).isEqualTo(Status.ABANDONED);
        assertThat(bench.statusOf(second)).isEqualTo(Status.ABANDONED);
        assertThat(bench.files.appended).isEmpty();
        assertThat(bench.join(3)).isEqualTo(Status.RETRY_ALL);
        bench.main.advance(Duration.ofSeconds(1));
        assertThat(bench.story).containsExactly("serving 7-1", "ended 7-1 FENCED 1", "serving 7-2");
        assertThat(bench.join(3)).isEqualTo(Status.JOINED);
        assertThat(bench.joiner.status().restarts()).isEqualTo(1);
        assertThat(bench.joiner.status().incarnation()).contains(new Incarnation(7, 2));
    }

    @Test
    void aZombieThatIsFencedBetweenCommitAndWriteWritesNothing() {
        JoinerBench two =
                new JoinerBench(
                        JoinerBench.settings("merge", JoinerBench.limits(100, 50)), 1, true);
        JoinerTest.serve(two);
        long accepted = two.send(1);
        two.run();
        assertThat(two.registry.held).containsKey(Events.id(1));
        // Its record is on the way to the output loop when another commit hears of the fence.
        two.registry.lowestLive = 2;
        long fenced = two.send(2);
        two.run();
        two.output.runUntilIdle();
        two.run();
        assertThat(two.files.appended).isEmpty();
        assertThat(two.statusOf(accepted)).isEqualTo(Status.ABANDONED);
        assertThat(two.statusOf(fenced)).isEqualTo(Status.ABANDONED);
        assertThat(two.joiner.status().unpublishedRecords()).isZero();
    }

    @Test
    void aFencedJoinerPublishesNothing() {
        bench.join(1);
        bench.registry.lowestLive = 2;
        assertThat(bench.join(2)).isEqualTo(Status.ABANDONED);
        bench.main.advance(Duration.ofMinutes(1));
        assertThat(bench.files.published).isEmpty();
    }

    @Test
    void aSlotTakenByAnotherProcessStopsThisOneForGood() {
        bench.registry.registered(JoinerBench.SLOT, "10.0.0.2:7400", 42, 1_000);
        assertThat(bench.join(1)).isEqualTo(Status.ABANDONED);
        bench.main.advance(Duration.ofMinutes(5));
        assertThat(bench.joiner.status().state()).isEqualTo(LifeState.STOPPED);
        assertThat(bench.story).hasSize(3);
        assertThat(bench.story.get(2))
                .startsWith("taken over: ")
                .contains("10.0.0.1:7400")
                .contains("10.0.0.2:7400");
        assertThat(bench.registry.infos).as("never fences back").hasSize(2);
        assertThat(bench.registry.fencedByCall).isEmpty();
        assertThat(bench.join(2)).isEqualTo(Status.RETRY_ALL);
    }

    @Test
    void aRefusedRegistrationStopsItForGood() {
        JoinerBench refused = new JoinerBench();
        refused.registry.refuseRegister =
                new RegistrationRefusedException("Expected output a, but got output b");
        refused.run();
        refused.main.advance(Duration.ofMinutes(5));
        assertThat(refused.story).containsExactly("refused: Expected output a, but got output b");
        assertThat(refused.joiner.status().state()).isEqualTo(LifeState.STOPPED);
    }

    /** After a restore of the registry, until somebody has reported: no start anew is needed. */
    @Test
    void aDatacenterThatHasNotReportedIsWaitedFor() {
        JoinerBench waiting = new JoinerBench();
        waiting.registry.refuseRegister = new NotReportedException("run the report");
        waiting.run();
        waiting.main.advance(Duration.ofMinutes(5));
        assertThat(waiting.joiner.status().lastTrouble()).contains("run the report");
        waiting.registry.refuseRegister = null;
        waiting.main.advance(Duration.ofMinutes(1));
        assertThat(waiting.story).containsExactly("serving 7-1");
    }

    @Test
    void aRegistryThatIsAwayIsAskedAgain() {
        JoinerBench waiting = new JoinerBench();
        waiting.registry.refuseRegister = new RegistryUnavailableException("away");
        waiting.run();
        waiting.main.advance(Duration.ofMinutes(5));
        waiting.registry.refuseRegister = null;
        waiting.main.advance(Duration.ofMinutes(1));
        assertThat(waiting.story).containsExactly("serving 7-1");
        assertThat(waiting.join(1)).isEqualTo(Status.JOINED);
    }

    @ParameterizedTest
    @EnumSource(
            value = MemoryOutput.Call.class,
            names = {"CREATE_LOG", "APPEND", "SYNC"})
    void anOutputThatFailsEndsTheIncarnationAndNothingOfItIsJoined(MemoryOutput.Call failing) {
        bench.files.fails = call -> call == failing;
        assertThat(bench.join(1)).isEqualTo(Status.ABANDONED);
        assertThat(bench.registry.fencedByCall).containsExactly(FIRST);
        bench.files.fails = call -> false;
        bench.main.advance(Duration.ofSeconds(1));
        assertThat(bench.story)
                .containsExactly("serving 7-1", "ended 7-1 OUTPUT_FAILED 1", "serving 7-2");
        // Held by the dead incarnation: its repair brings it back.
        assertThat(bench.join(1)).isEqualTo(Status.JOINED_ELSEWHERE);
        assertThat(bench.join(1, CommitToken.of(FIRST, 1))).isEqualTo(Status.JOINED);
    }

    @ParameterizedTest
    @EnumSource(
            value = MemoryOutput.Call.class,
            names = {"FINISH", "PUBLISH"})
    void aPublicationThatFailsEndsTheIncarnation(MemoryOutput.Call failing) {
        assertThat(bench.join(1)).isEqualTo(Status.JOINED);
        bench.files.fails = call -> call == failing;
        bench.main.advance(Duration.ofSeconds(6));
        assertThat(bench.story).contains("ended 7-1 OUTPUT_FAILED 1");
        assertThat(bench.files.published).isEmpty();
    }

    @Test
    void aFullDiskIsToldWithRisingCounts() {
        bench.files.fails = call -> call == MemoryOutput.Call.CREATE_DIRECTORY;
        bench.registry.lowestLive = 2;
        assertThat(bench.join(1)).isEqualTo(Status.ABANDONED);
        bench.main.advance(Duration.ofSeconds(2));
        assertThat(bench.story)
                .contains(
                        "ended 7-1 FENCED 1",
                        "ended 7-2 OUTPUT_FAILED 2",
                        "ended 7-3 OUTPUT_FAILED 3");
        assertThat(List.of(2, 3))
                .as("nothing of them is to be repaired, however many there will be")
                .allSatisfy(
                        generation ->
                                assertThat(bench.registry.stateOf(new Incarnation(7, generation)))
                                        .isEqualTo(IncarnationState.CLEAN));
        bench.files.fails = call -> false;
        bench.main.advance(Duration.ofSeconds(30));
        assertThat(bench.join(2)).isEqualTo(Status.JOINED);
    }

    @Test
    void aDiskWithRoomForRecordsButForNoPublicationIsToldWithRisingCounts() {
        bench.files.fails = call -> call == MemoryOutput.Call.PUBLISH;
        for (int n = 1; n <= 3; n++) {
            assertThat(bench.join(n)).isEqualTo(Status.JOINED);
            bench.main.advance(Duration.ofSeconds(10));
        }
        assertThat(bench.story)
                .contains(
                        "ended 7-1 OUTPUT_FAILED 1",
                        "ended 7-2 OUTPUT_FAILED 2",
                        "ended 7-3 OUTPUT_FAILED 3");
        bench.files.fails = call -> false;
        bench.join(4);
        bench.main.advance(Duration.ofSeconds(10));
        bench.files.fails = call -> call == MemoryOutput.Call.PUBLISH;
        bench.join(5);
        bench.main.advance(Duration.ofSeconds(10));
        assertThat(bench.story).contains("ended 7-4 OUTPUT_FAILED 1");
    }

    @Test
    void registrationsThatFailedAreNoIncarnationsThatEnded() {
        JoinerBench waiting = new JoinerBench();
        waiting.registry.refuseRegister = new RegistryUnavailableException("away");
        waiting.run();
        waiting.main.advance(Duration.ofMinutes(5));
        waiting.registry.refuseRegister = null;
        waiting.main.advance(Duration.ofMinutes(1));
        waiting.files.fails = call -> call == MemoryOutput.Call.APPEND;
        waiting.join(1);
        assertThat(waiting.story).containsExactly("serving 7-1", "ended 7-1 OUTPUT_FAILED 1");
    }

    @Test
    void aCleanCloseAnswersAndPublishesEverything() {
        bench.registry.decideAtOnce = false;
        long number = bench.send(1);
        bench.run();
        List<Boolean> closed = new ArrayList<>();
        bench.joiner.close(closed::add);
        bench.run();
        assertThat(closed).isEmpty();
        assertThat(bench.join(2)).as("admits nothing more").isEqualTo(Status.RETRY_ALL);
        bench.registry.decideAll(false);
        bench.run();
        assertThat(bench.statusOf(number)).isEqualTo(Status.JOINED);
        assertThat(bench.files.published).hasSize(1);
        assertThat(closed).containsExactly(true);
        assertThat(bench.registry.stateOf(FIRST)).isEqualTo(IncarnationState.CLEAN);
        assertThat(bench.joiner.status().state()).isEqualTo(LifeState.STOPPED);
    }

    @Test
    void aCloseThatTakesTooLongIsUncleanAndLeftToTheRepair() {
        bench.registry.decideAtOnce = false;
        long number = bench.send(1);
        bench.run();
        List<Boolean> closed = new ArrayList<>();
        bench.joiner.close(closed::add);
        bench.main.advance(Duration.ofSeconds(21));
        assertThat(bench.statusOf(number)).isEqualTo(Status.ABANDONED);
        assertThat(closed).containsExactly(false);
        assertThat(bench.registry.stateOf(FIRST)).isEqualTo(IncarnationState.OPEN);
        assertThat(bench.registry.fencedByCall).containsExactly(FIRST);
        bench.registry.decideAll(false);
        bench.run();
        assertThat(bench.files.appended).isEmpty();
    }

    @Test
    void aCloseWhoseLastPublicationFailsIsUnclean() {
        bench.join(1);
        bench.files.fails = call -> call == MemoryOutput.Call.PUBLISH;
        List<Boolean> closed = new ArrayList<>();
        bench.joiner.close(closed::add);
        bench.run();
        assertThat(closed).containsExactly(false);
        assertThat(bench.registry.stateOf(FIRST)).isEqualTo(IncarnationState.OPEN);
    }

    @Test
    void aCloseThatTheControlGroupDoesNotAnswerEnds() {
        bench.registry.closeCleanAnswers = false;
        List<Boolean> closed = new ArrayList<>();
        bench.joiner.close(closed::add);
        bench.main.advance(Duration.ofSeconds(21));
        assertThat(closed).containsExactly(false);
    }

    @Test
    void aJoinerThatNeverServedClosesAtOnce() {
        JoinerBench waiting = new JoinerBench();
        List<Boolean> closed = new ArrayList<>();
        waiting.joiner.close(closed::add);
        waiting.run();
        assertThat(closed).containsExactly(false);
        assertThat(waiting.story).isEmpty();
    }

    /** Click n's time and some. */
    private static long after(long n, Duration more) {
        return Events.id(n).micros() + more.toNanos() / 1_000;
    }

    private long promised() {
        return bench.registry.renewals.get(bench.registry.renewals.size() - 1);
    }

    @Test
    void itPromisesNothingAboveWhatItHasNotPublished() {
        bench.registry.limitMicros = Events.START_MICROS;
        bench.registry.wantedMicros = after(0, Duration.ofDays(1));
        bench.main.advance(Duration.ofMinutes(5)); // it heard of no time before
        bench.registry.decideAtOnce = false;
        bench.registry.limitMicros = after(0, Duration.ofMinutes(20));
        long step = Duration.ofMinutes(10).toNanos() / 1_000;
        long first = bench.send(2 * step);
        bench.run();
        bench.main.advance(Duration.ofSeconds(11));
        assertThat(promised()).isEqualTo(Events.id(2 * step).micros());
        bench.registry.limitMicros = after(0, Duration.ofMinutes(25));
        bench.main.advance(Duration.ofMinutes(10));
        assertThat(promised())
                .as("for as long as it takes")
                .isEqualTo(Events.id(2 * step).micros());
        bench.registry.decideAll(false);
        bench.run();
        assertThat(bench.statusOf(first)).isEqualTo(Status.JOINED);
        bench.main.advance(Duration.ofSeconds(20));
        assertThat(bench.files.published).hasSize(1);
        assertThat(promised()).isEqualTo(after(0, Duration.ofMinutes(35)));
    }

    @Test
    void itCommitsNothingBelowWhatItHasPromised() {
        bench.registry.limitMicros = Events.START_MICROS;
        bench.registry.wantedMicros = after(0, Duration.ofDays(1));
        bench.main.advance(Duration.ofMinutes(5));
        assertThat(promised()).isEqualTo(after(0, Duration.ofMinutes(10)));
        long below = bench.send(1);
        long open = bench.nextNumber();
        bench.send(List.of(Events.item(open, 2, null).toBuilder().setAttemptOpen(true).build()));
        long lost = bench.send(3, CommitToken.of(new Incarnation(8, 1), 1));
        bench.run();
        assertThat(bench.statusOf(below)).isEqualTo(Status.ID_TOO_OLD);
        assertThat(bench.statusOf(open)).isEqualTo(Status.OUTCOME_LOST);
        assertThat(bench.reasonOf(open)).contains("commits nothing so old any more, by 9 min");
        assertThat(bench.registry.calls).noneMatch(call -> call.startsWith("commit"));
        assertThat(bench.statusOf(lost)).isEqualTo(Status.OUTCOME_LOST);
        assertThat(bench.join(Duration.ofMinutes(11).toNanos() / 1_000)).isEqualTo(Status.JOINED);
    }

    @Test
    void itCommitsNothingBeforeItHasHeardWhereTheBoundariesMayBe() {
        JoinerBench deaf = new JoinerBench();
        deaf.registry.refuseRenewal = new RegistryUnavailableException("away");
        deaf.run();
        deaf.main.advance(Duration.ofMinutes(1));
        assertThat(deaf.story).isEmpty();
        deaf.registry.refuseRenewal = null;
        deaf.registry.limitMicros = after(2, Duration.ZERO);
        deaf.main.advance(Duration.ofMinutes(1));
        assertThat(deaf.story).singleElement().asString().startsWith("serving 7-");
        assertThat(deaf.join(1)).isEqualTo(Status.ID_TOO_OLD);
        assertThat(deaf.join(2)).isEqualTo(Status.JOINED);
    }

    /** Also where no boundary waits for it: nobody shall take it for dead. */
    @Test
    void itRenewsAsOftenAsItsSettingsSay() {
        bench.main.advance(Duration.ofMinutes(1));
        int told = bench.registry.renewals.size();
        bench.main.advance(Duration.ofMinutes(1));
        assertThat(bench.registry.renewals).hasSize(told + 12);
        assertThat(bench.registry.renewsWithin).isEqualTo(Duration.ofSeconds(5));
        assertThat(JoinerSettings.renewEvery(Optional.of(Duration.ofSeconds(30))))
                .isEqualTo(Duration.ofSeconds(5));
        assertThat(JoinerSettings.renewEvery(Optional.of(Duration.ofDays(1))))
                .isEqualTo(Duration.ofMinutes(5));
        assertThat(JoinerSettings.renewEvery(Optional.empty())).isEqualTo(Duration.ofMinutes(5));
    }

    @Test
    void itRenewsWhileItsWorkDirectoryIsMade() {
        JoinerBench two =
                new JoinerBench(
                        JoinerBench.settings("merge", JoinerBench.limits(100, 50)), 1, true);
        two.main.advance(Duration.ofMinutes(1));
        assertThat(two.joiner.status().state()).isEqualTo(LifeState.OPENING_OUTPUT);
        assertThat(two.registry.renewals).hasSizeGreaterThan(10).containsOnly(Long.MIN_VALUE);
        two.output.runUntilIdle();
        two.run();
        assertThat(two.story).containsExactly("serving 7-1");
    }

    /** It slept for so long that it was taken for dead, and nothing has come to it since. */
    @Test
    void oneThatWasFencedStartsOverThoughItHasNothingToDo() {
        bench.run();
        bench.registry.lowestLive = 2;
        bench.main.advance(Duration.ofSeconds(10));
        assertThat(bench.story).containsExactly("serving 7-1", "ended 7-1 FENCED 1", "serving 7-2");
        assertThat(bench.join(1)).isEqualTo(Status.JOINED);
    }

    @Test
    void oneThatIsFencedBeforeItServesStartsOver() {
        JoinerBench two =
                new JoinerBench(
                        JoinerBench.settings("merge", JoinerBench.limits(100, 50)), 1, true);
        two.main.advance(Duration.ofSeconds(1));
        two.registry.lowestLive = 2;
        two.main.advance(Duration.ofSeconds(10));
        assertThat(two.story).containsExactly("ended 7-1 FENCED 1");
        two.output.runUntilIdle();
        two.run();
        assertThat(two.story).containsExactly("ended 7-1 FENCED 1", "serving 7-2");
    }

    @Test
    void aJoinerThatHasEndedTellsNothing() {
        bench.main.advance(Duration.ofSeconds(1));
        bench.registry.registered(JoinerBench.SLOT, "10.0.0.2:7400", 42, 1_000);
        assertThat(bench.join(1)).isEqualTo(Status.ABANDONED);
        bench.main.advance(Duration.ofSeconds(1));
        int told = bench.registry.renewals.size();
        bench.main.advance(Duration.ofHours(1));
        assertThat(bench.registry.renewals).hasSize(told);
    }
}

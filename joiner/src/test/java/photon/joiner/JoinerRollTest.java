package photon.joiner;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import photon.core.config.PipelineConfig.Limits;
import photon.core.id.CommitToken;
import photon.core.id.Incarnation;
import photon.joiner.incarnation.LifeState;
import photon.proto.v1.JoinResult.Status;
import photon.registry.api.ControlClient.IncarnationState;
import photon.registry.api.RegistryUnavailableException;

/** A joiner goes on as its next incarnation, in the other slot of its pair. */
class JoinerRollTest {
    private static final Incarnation FIRST = new Incarnation(7, 1);
    private static final Incarnation SECOND = new Incarnation(17, 1);
    private static final Incarnation THIRD = new Incarnation(7, 2);

    private final JoinerBench bench = rollsEvery(Duration.ofHours(1), 3);

    private static JoinerBench rollsEvery(Duration every, int files) {
        return new JoinerBench(
                        JoinerBench.settings(
                                "merge",
                                JoinerBench.limits(100, 50, Duration.ofSeconds(2), every, files)),
                        1,
                        false)
                .run();
    }

    private void publishFiles(int files) {
        for (int i = 0; i < files; i++) {
            assertThat(bench.join(1_000 + bench.lastNumber())).isEqualTo(Status.JOINED);
            bench.main.advance(Duration.ofSeconds(3));
        }
    }

    @Test
    void afterAnHourTheNextIncarnationServesInTheOtherSlotAndTheOldOneIsClosedClean() {
        assertThat(bench.join(1)).isEqualTo(Status.JOINED);
        bench.main.advance(Duration.ofMinutes(59));
        assertThat(bench.story).containsExactly("serving 7-1");
        bench.main.advance(Duration.ofMinutes(1));
        assertThat(bench.story).containsExactly("serving 7-1", "serving 17-1");
        assertThat(bench.registry.stateOf(FIRST)).isEqualTo(IncarnationState.CLEAN);
        assertThat(bench.joiner.status().incarnation()).contains(SECOND);
        assertThat(bench.joiner.status().draining()).isEmpty();
        assertThat(bench.joiner.status().rolls()).isEqualTo(1);
        assertThat(bench.joiner.status().restarts()).isZero();
        assertThat(bench.join(2)).isEqualTo(Status.JOINED);
        bench.main.advance(Duration.ofHours(1));
        assertThat(bench.story).containsExactly("serving 7-1", "serving 17-1", "serving 7-2");
        assertThat(bench.registry.stateOf(SECOND)).isEqualTo(IncarnationState.CLEAN);
        assertThat(bench.registry.held.get(Events.id(2))).isEqualTo(CommitToken.of(SECOND, 1));
        assertThat(bench.registry.fencedByCall).isEmpty();
    }

    @Test
    void afterSoManyPublishedFilesItRollsToo() {
        publishFiles(2);
        assertThat(bench.story).containsExactly("serving 7-1");
        publishFiles(1);
        assertThat(bench.story).containsExactly("serving 7-1", "serving 17-1");
        publishFiles(3);
        assertThat(bench.story).containsExactly("serving 7-1", "serving 17-1", "serving 7-2");
    }

    @Test
    void oneWhoseTokensTakeTooMuchMemoryIsFollowedThoughItPublishesNothing() {
        Limits limits = JoinerBench.limits(100, 50);
        JoinerBench narrow =
                new JoinerBench(JoinerBench.settings("merge", limits, 1_000), 1, false).run();
        narrow.main.advance(Duration.ofMinutes(1));
        assertThat(narrow.story).containsExactly("serving 7-1");
        narrow.registry.held.put(Events.id(1), new CommitToken(90, 1, 1));
        assertThat(narrow.join(1)).isEqualTo(Status.JOINED_ELSEWHERE);
        assertThat(narrow.joiner.status().tokenBytes()).isGreaterThan(1_000);
        narrow.main.advance(Duration.ofMinutes(1));
        assertThat(narrow.story).containsExactly("serving 7-1", "serving 17-1");
        assertThat(narrow.registry.stateOf(FIRST)).isEqualTo(IncarnationState.CLEAN);
    }

    @Test
    void whatTheOldOneHasIsFinishedUnderItsTokensWhileTheNewOneServes() {
        bench.registry.decideAtOnce = false;
        long old = bench.send(1);
        bench.main.advance(Duration.ofHours(1));
        assertThat(bench.joiner.status().draining()).contains(FIRST);
        assertThat(bench.joiner.status().incarnation()).contains(SECOND);
        long next = bench.send(2);
        bench.run();
        assertThat(bench.registry.waiting).hasSize(2);
        assertThat(bench.registry.stateOf(FIRST)).isEqualTo(IncarnationState.OPEN);
        bench.registry.decideAll(false);
        bench.run();
        assertThat(bench.statusOf(old)).isEqualTo(Status.JOINED);
        assertThat(bench.statusOf(next)).isEqualTo(Status.JOINED);
        assertThat(bench.registry.held.get(Events.id(1))).isEqualTo(CommitToken.of(FIRST, 1));
        assertThat(bench.registry.held.get(Events.id(2))).isEqualTo(CommitToken.of(SECOND, 1));
        assertThat(bench.registry.stateOf(FIRST)).isEqualTo(IncarnationState.CLEAN);
        assertThat(bench.files.published).hasSize(1);
        assertThat(bench.joiner.status().unpublishedRecords()).isEqualTo(1);
    }

    /** Two is all that memory, and the two slots, have room for. */
    @Test
    void whileOneDrainsNoneFollows() {
        bench.registry.decideAtOnce = false;
        bench.send(1);
        bench.main.advance(Duration.ofHours(1));
        bench.registry.closeCleanAnswers = false;
        bench.registry.decideAtOnce = true;
        publishFiles(5);
        assertThat(bench.story).containsExactly("serving 7-1", "serving 17-1");
        bench.main.advance(Duration.ofMinutes(11));
        assertThat(bench.story).containsExactly("serving 7-1", "serving 17-1", "serving 7-2");
        assertThat(bench.registry.fencedByCall).as("it was not closed in time").contains(FIRST);
        assertThat(bench.joiner.status().restarts()).isZero();
    }

    @Test
    void aRollThatFailsIsTriedAgainAndTheOldOneServesOn() {
        bench.registry.refuseRegister = new RegistryUnavailableException("away");
        bench.main.advance(Duration.ofHours(2));
        assertThat(bench.join(1)).isEqualTo(Status.JOINED);
        assertThat(bench.joiner.status().state()).isEqualTo(LifeState.SERVING);
        assertThat(bench.joiner.status().lastTrouble()).startsWith("does not roll yet");
        bench.registry.refuseRegister = null;
        bench.main.advance(Duration.ofSeconds(20));
        assertThat(bench.story).containsExactly("serving 7-1", "serving 17-1");
        assertThat(bench.joiner.status().lastTrouble()).isEmpty();
    }

    @Test
    void aDiskThatTakesNoNewDirectoryDoesNotStopTheOldIncarnation() {
        bench.files.fails = call -> call == MemoryOutput.Call.CREATE_DIRECTORY;
        bench.main.advance(Duration.ofHours(1).plusSeconds(1));
        assertThat(bench.join(1)).isEqualTo(Status.JOINED);
        assertThat(bench.registry.stateOf(SECOND)).isEqualTo(IncarnationState.CLEAN);
        assertThat(bench.registry.stateOf(FIRST)).isEqualTo(IncarnationState.OPEN);
        bench.files.fails = call -> false;
        bench.main.advance(Duration.ofSeconds(20));
        assertThat(bench.story).hasSize(2);
        assertThat(bench.joiner.status().restarts()).isZero();
        assertThat(bench.joiner.status().incarnation().orElseThrow().slot()).isEqualTo(17);
    }

    @Test
    void ofTwoIncarnationsEachIsFencedForItself() {
        bench.registry.decideAtOnce = false;
        long old = bench.send(1);
        bench.main.advance(Duration.ofHours(1));
        long next = bench.send(2);
        bench.run();
        bench.registry.lowestLive = 2;
        bench.registry.decideAll(false);
        bench.registry.decideAtOnce = true;
        bench.run();
        assertThat(bench.statusOf(old)).isEqualTo(Status.ABANDONED);
        assertThat(bench.statusOf(next)).isEqualTo(Status.JOINED);
        assertThat(bench.joiner.status().draining()).isEmpty();
        assertThat(bench.joiner.status().restarts()).isZero();
        assertThat(bench.joiner.status().inFlight()).isZero();
        assertThat(bench.join(3)).isEqualTo(Status.JOINED);
        assertThat(bench.registry.stateOf(FIRST)).as("repaired").isEqualTo(IncarnationState.OPEN);
    }

    /** Registered afresh, the next one would fence what drains. */
    @Test
    void aServingOneThatEndsBesideADrainingOneIsFollowedInItsOwnSlot() {
        bench.registry.decideAtOnce = false;
        long old = bench.send(1);
        bench.main.advance(Duration.ofHours(1));
        bench.registry.secondLowestLive = 2;
        bench.main.advance(Duration.ofSeconds(10));
        assertThat(bench.story)
                .containsExactly(
                        "serving 7-1", "serving 17-1", "ended 17-1 FENCED 1", "serving 17-2");
        bench.registry.decideAll(false);
        bench.run();
        assertThat(bench.statusOf(old)).isEqualTo(Status.JOINED);
        assertThat(bench.registry.stateOf(FIRST)).isEqualTo(IncarnationState.CLEAN);
    }

    @Test
    void bothPromiseAndRenewUntilTheOldOneIsClosed() {
        bench.registry.decideAtOnce = false;
        bench.send(1);
        bench.main.advance(Duration.ofHours(1));
        bench.registry.renewedBy.clear();
        bench.main.advance(Duration.ofSeconds(11));
        assertThat(bench.registry.renewedBy).contains(FIRST, SECOND);
        bench.registry.decideAll(false);
        bench.run();
        bench.registry.renewedBy.clear();
        bench.main.advance(Duration.ofSeconds(11));
        assertThat(bench.registry.renewedBy).contains(SECOND).doesNotContain(FIRST);
    }

    @Test
    void theOldOnePromisesNothingAboveWhatItStillHas() {
        bench.registry.decideAtOnce = false;
        bench.send(1);
        bench.main.advance(Duration.ofHours(1));
        assertThat(bench.joiner.status().draining()).contains(FIRST);
        long id = Events.id(1).micros();
        bench.registry.limitMicros = id;
        bench.registry.wantedMicros = id + Duration.ofDays(1).toNanos() / 1_000;
        bench.registry.renewals.clear();
        bench.registry.renewedBy.clear();
        bench.main.advance(Duration.ofMinutes(1));
        assertThat(promisedBy(FIRST)).contains(id).allMatch(promised -> promised <= id);
        assertThat(promisedBy(SECOND)).anyMatch(promised -> promised > id);
    }

    private List<Long> promisedBy(Incarnation incarnation) {
        return IntStream.range(0, bench.registry.renewals.size())
                .filter(i -> bench.registry.renewedBy.get(i).equals(incarnation))
                .mapToObj(bench.registry.renewals::get)
                .toList();
    }

    @Test
    void aCloseDrainsBoth() {
        bench.registry.decideAtOnce = false;
        long old = bench.send(1);
        bench.main.advance(Duration.ofHours(1));
        long next = bench.send(2);
        bench.run();
        List<Boolean> closed = new ArrayList<>();
        bench.joiner.close(closed::add);
        bench.run();
        assertThat(bench.join(3)).isEqualTo(Status.RETRY_ALL);
        assertThat(closed).isEmpty();
        bench.registry.decideAll(false);
        bench.run();
        assertThat(closed).containsExactly(true);
        assertThat(bench.statusOf(old)).isEqualTo(Status.JOINED);
        assertThat(bench.statusOf(next)).isEqualTo(Status.JOINED);
        assertThat(bench.files.published).hasSize(2);
        assertThat(bench.registry.stateOf(FIRST)).isEqualTo(IncarnationState.CLEAN);
        assertThat(bench.registry.stateOf(SECOND)).isEqualTo(IncarnationState.CLEAN);
    }

    @Test
    void aCloseBoundsTheDrainThatWasUnderWay() {
        bench.registry.decideAtOnce = false;
        long old = bench.send(1);
        bench.main.advance(Duration.ofHours(1));
        List<Boolean> closed = new ArrayList<>();
        bench.joiner.close(closed::add);
        bench.main.advance(Duration.ofSeconds(21));
        assertThat(closed).containsExactly(false);
        assertThat(bench.statusOf(old)).isEqualTo(Status.ABANDONED);
        assertThat(bench.registry.fencedByCall).containsExactly(FIRST);
        assertThat(bench.registry.stateOf(SECOND)).isEqualTo(IncarnationState.CLEAN);
    }

    @Test
    void whatWasRegisteredForARollThatAClosePreventsIsClosedToo() {
        JoinerBench slow =
                new JoinerBench(
                        JoinerBench.settings(
                                "merge",
                                JoinerBench.limits(
                                        100, 50, Duration.ofSeconds(2), Duration.ofHours(1), 3)),
                        1,
                        true);
        JoinerTest.serve(slow);
        slow.main.advance(Duration.ofHours(1));
        assertThat(slow.registry.secondInfos).hasSize(1);
        List<Boolean> closed = new ArrayList<>();
        slow.joiner.close(closed::add);
        for (int i = 0; i < 5; i++) {
            slow.run();
            slow.output.runUntilIdle();
        }
        assertThat(closed).containsExactly(true);
        assertThat(slow.registry.stateOf(SECOND)).isEqualTo(IncarnationState.CLEAN);
    }

    @Test
    void aProcessThatTookTheSlotsWhileItRolledStopsThisOneForGood() {
        bench.main.advance(Duration.ofHours(1));
        bench.registry.registered(JoinerBench.SLOT, "10.0.0.2:7400", 42, 1_000);
        assertThat(bench.join(1)).isEqualTo(Status.ABANDONED);
        bench.main.advance(Duration.ofMinutes(5));
        assertThat(bench.joiner.status().state()).isEqualTo(LifeState.STOPPED);
        assertThat(bench.story.get(bench.story.size() - 1)).startsWith("taken over: ");
        assertThat(bench.registry.infos).as("never fences back").hasSize(2);
        assertThat(bench.registry.secondInfos).hasSize(1);
    }

    @Test
    void aProcessThatTookTheSlotsIsNotRolledFrom() {
        bench.registry.registered(JoinerBench.SLOT, "10.0.0.2:7400", 42, 1_000);
        bench.main.advance(Duration.ofHours(1));
        assertThat(bench.registry.secondInfos).isEmpty();
        assertThat(bench.joiner.status().state()).isEqualTo(LifeState.STOPPED);
    }

    @Test
    void theTokensOfTheOneThatDrainsAndOfTheOneThatWasClosedLastAreKnown() {
        bench.registry.decideAtOnce = false;
        bench.send(1);
        bench.main.advance(Duration.ofHours(1));
        bench.send(2);
        bench.run();
        assertThat(bench.known(CommitToken.of(FIRST, 1), CommitToken.of(SECOND, 1)))
                .isEqualTo("[IN_FLIGHT, IN_FLIGHT]");
        bench.registry.decideAll(false);
        bench.run();
        assertThat(bench.known(CommitToken.of(FIRST, 1), CommitToken.of(THIRD, 1)))
                .isEqualTo("[FLUSHED, NOT_HERE]");
    }
}

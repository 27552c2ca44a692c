package photon.verifier.repair;

import static org.assertj.core.api.Assertions.assertThat;
import static photon.verifier.repair.RepairWorld.DEAD;
import static photon.verifier.repair.RepairWorld.PIPELINE;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import photon.core.id.CommitToken;
import photon.core.id.EventId;
import photon.core.id.Incarnation;
import photon.registry.api.ControlClient.IncarnationState;
import photon.storage.files.LoggedWarnings;
import photon.storage.ledger.LedgerRetention;
import photon.storage.output.LostFiles;
import photon.storage.output.Manifest;
import photon.storage.output.RetiredIncarnations;
import photon.storage.output.RetiredIncarnations.Left;
import photon.verifier.retention.RetentionLoop;
import photon.verifier.retention.RetentionStatus;

/** What is taken away of incarnations that ended, and when. */
final class RetentionTest {
    private static final Duration INTERVAL = Duration.ofMinutes(1);

    private final RepairWorld world = new RepairWorld();
    private final Map<Incarnation, RetentionLoop.Lost> lost = new HashMap<>();
    private final List<Incarnation> dropped = new ArrayList<>();
    private int dropsFail;
    private RetentionStatus status = RetentionStatus.NOTHING_KNOWN;
    private RetiredIncarnations toldRetired = RetiredIncarnations.NONE;

    private RetentionLoop start(int atOnce) {
        RetentionLoop retention =
                new RetentionLoop(
                        world.loop,
                        world.registry.client(world.loop),
                        PIPELINE,
                        "east/",
                        world.output,
                        new RetentionLoop.Records() {
                            @Override
                            public RetentionLoop.Lost lost(Incarnation incarnation) {
                                return lost.getOrDefault(
                                        incarnation, new RetentionLoop.Lost(0, -1));
                            }

                            @Override
                            public void drop(Incarnation incarnation) throws IOException {
                                if (dropsFail-- > 0) {
                                    throw new IOException("the disk of the state");
                                }
                                dropped.add(incarnation);
                            }

                            @Override
                            public LedgerRetention.Figures shortenLedger(
                                    RetiredIncarnations retired) {
                                toldRetired = retired;
                                return new LedgerRetention.Figures(1, 2, 3);
                            }
                        },
                        new RetentionLoop.Limits(INTERVAL, atOnce, atOnce),
                        changed -> status = changed);
        retention.start();
        return retention;
    }

    @Test
    void afterEachPassTheLedgerIsShortenedByWhoIsRetired() throws IOException {
        has(new Incarnation(1, 1), IncarnationState.REPAIRED, 5, 7);
        world.registry.boundaryMicros = 8;
        start(10);
        world.loop.advance(INTERVAL.multipliedBy(2));
        assertThat(toldRetired.contains(new Incarnation(1, 1))).isTrue();
        assertThat(status.ledger()).isEqualTo(new LedgerRetention.Figures(1, 2, 3));
    }

    /** One with manifests of these timestamps, an event each. */
    private void has(Incarnation incarnation, IncarnationState state, long... micros)
            throws IOException {
        world.registry.put(incarnation, "east/joiner-0", state, true, "out-1");
        for (int i = 0; i < micros.length; i++) {
            world.output.publish(
                    incarnation,
                    List.of(
                            new Manifest.Entry(
                                    new EventId(micros[i], 1, 2, 3),
                                    CommitToken.of(incarnation, i + 1),
                                    "content",
                                    1)));
        }
        world.output.seal(incarnation);
    }

    private void pass() {
        world.loop.advance(INTERVAL.plusSeconds(1));
    }

    private boolean retired(Incarnation incarnation) throws IOException {
        return world.output.retired().contains(incarnation);
    }

    @Test
    void oneIsRetiredWhenTheBoundaryHasPassedItsLastId() throws IOException {
        has(DEAD, IncarnationState.REPAIRED, 5_000, 9_000, 7_000);
        world.registry.boundaryMicros = 9_000;
        start(10);
        pass();
        assertThat(retired(DEAD)).as("its last id is not passed").isFalse();
        assertThat(status.waiting()).containsExactly(Map.entry("boundary", 1L));
        world.registry.boundaryMicros = 9_001;
        pass();
        assertThat(retired(DEAD)).isTrue();
        assertThat(world.output.retired().sum()).isEqualTo(new Left(1, 3, 3, 0, 9_000));
        assertThat(world.output.incarnations()).isEmpty();
        assertThat(world.output.leftovers()).isEmpty();
        assertThat(dropped).containsExactly(DEAD);
        assertThat(status.retired()).isEqualTo(1);
        assertThat(status.retiredEvents()).isEqualTo(3);
        assertThat(status.waiting()).isEmpty();
    }

    @Test
    void whatARepairHadFoundLostCountsToo() throws IOException {
        has(DEAD, IncarnationState.REPAIRED, 5_000);
        lost.put(DEAD, new RetentionLoop.Lost(2, 12_000));
        world.registry.boundaryMicros = 12_000;
        start(10);
        pass();
        assertThat(retired(DEAD)).isFalse();
        world.registry.boundaryMicros = 12_001;
        pass();
        assertThat(world.output.retired().sum()).isEqualTo(new Left(1, 1, 1, 2, 12_000));
    }

    @Test
    void withoutAnyIdTheBoundaryMustHavePassedItsLastWord() throws IOException {
        has(DEAD, IncarnationState.CLEAN); // started at 1
        world.registry.boundaryMicros = 1;
        start(10);
        pass();
        assertThat(retired(DEAD)).isFalse();
        world.registry.boundaryMicros = 2;
        pass();
        assertThat(retired(DEAD)).isTrue();
    }

    @Test
    void theOpenAndThoseOfOtherOutputsStay() throws IOException {
        has(DEAD, IncarnationState.OPEN, 5_000);
        Incarnation other = new Incarnation(2, 1);
        world.registry.put(other, "east/joiner-1", IncarnationState.CLEAN, true, "out-9");
        world.registry.boundaryMicros = 1_000_000;
        start(10);
        pass();
        pass();
        assertThat(world.output.retired().sum()).isEqualTo(Left.NOTHING);
        assertThat(world.registry.scans).isZero();
    }

    @Test
    void oneThatHoldsAnIdStays() throws IOException {
        has(DEAD, IncarnationState.REPAIRED, 5_000);
        world.registry.hold(new EventId(20_000, 1, 2, 3), CommitToken.of(DEAD, 77));
        world.registry.boundaryMicros = 10_000;
        start(10);
        pass();
        assertThat(retired(DEAD)).isFalse();
        assertThat(status.waiting()).containsExactly(Map.entry("held", 1L));
    }

    @Test
    void oneWithALostFileThatIsNotLookedForYetStays() throws IOException {
        has(DEAD, IncarnationState.REPAIRED, 5_000);
        world.output.declare(
                new LostFiles.Declaration(
                        new LostFiles.Named(DEAD, 1), List.of("a"), 1, "burned", "ann", 5, 0));
        world.registry.boundaryMicros = 10_000;
        start(10);
        pass();
        assertThat(retired(DEAD)).isFalse();
        assertThat(status.waiting()).containsExactly(Map.entry("declared_lost", 1L));
    }

    @Test
    void aPassDoesSoMuchAndTheNextGoesOn() throws IOException {
        for (int n = 1; n <= 5; n++) {
            has(new Incarnation(1, n), IncarnationState.REPAIRED, 1_000L * n);
        }
        world.registry.boundaryMicros = 1_000_000;
        start(2);
        pass();
        assertThat(world.output.retired().sum().incarnations()).isEqualTo(2);
        assertThat(status.waiting()).containsEntry("not_measured", 3L);
        pass();
        pass();
        assertThat(world.output.retired().sum().incarnations()).isEqualTo(5);
    }

    @Test
    void aRegistryThatDoesNotAnswerEndsThePassAlone() throws IOException {
        has(DEAD, IncarnationState.REPAIRED, 5_000);
        world.registry.boundaryMicros = 10_000;
        world.registry.listsFail = 1;
        start(10);
        pass();
        assertThat(status.failedPasses()).isEqualTo(1);
        pass();
        assertThat(retired(DEAD)).isTrue();
    }

    @Test
    void oneThatCannotBeReadStaysAndOthersDoNotWaitForIt() throws IOException {
        Incarnation broken = new Incarnation(1, 7);
        has(broken, IncarnationState.REPAIRED, 4_000);
        has(DEAD, IncarnationState.REPAIRED, 5_000);
        world.output.breakManifests(broken);
        world.registry.boundaryMicros = 10_000;
        start(10);
        try (LoggedWarnings warnings = new LoggedWarnings(RetentionLoop.class)) {
            pass();
            assertThat(retired(DEAD)).isTrue();
            assertThat(retired(broken)).isFalse();
            assertThat(status.waiting()).containsExactly(Map.entry("unreadable", 1L));
            world.loop.advance(INTERVAL.multipliedBy(5));
            assertThat(warnings.texts())
                    .as("not with each pass")
                    .singleElement()
                    .asString()
                    .startsWith("What 1-7 has left cannot be read, so it stays: ");
        }
    }

    @Test
    void whatACrashHasLeftOfARetiredOneIsRemoved() throws IOException {
        has(DEAD, IncarnationState.REPAIRED, 5_000);
        world.output.retired(DEAD, new Left(1, 1, 1, 0, 5_000));
        assertThat(world.output.leftovers()).containsExactly(DEAD);
        start(10);
        pass();
        assertThat(world.output.leftovers()).isEmpty();
        assertThat(dropped).containsExactly(DEAD);
        assertThat(world.output.retired().sum().incarnations()).as("summed once").isEqualTo(1);
    }

    @Test
    void recordsThatCouldNotBeDroppedAreDroppedByTheNextPass() throws IOException {
        has(DEAD, IncarnationState.REPAIRED, 5_000);
        world.registry.boundaryMicros = 10_000;
        dropsFail = 1;
        start(10);
        pass();
        assertThat(status.failedPasses()).isEqualTo(1);
        assertThat(dropped).isEmpty();
        pass();
        assertThat(dropped).containsExactly(DEAD);
        assertThat(world.output.leftovers()).isEmpty();
    }

    @Test
    void oneThatIsOpenedAgainIsSettledAgainAndNothingOfItLooksLost() throws IOException {
        world.registry.add(DEAD, "east/joiner-0", true, "out-1");
        world.output.retired(DEAD, new Left(1, 1, 1, 0, 5_000));
        world.output.remove(DEAD);
        world.start(RepairLimits.DEFAULTS, changed -> {});
        world.loop.advance(Duration.ofSeconds(10));
        assertThat(world.registry.scans).as("it has no manifests to compare with").isZero();
        assertThat(world.output.leftovers()).as("nor is it sealed anew").isEmpty();
        assertThat(world.journal).isEmpty();
        assertThat(world.stateOf(DEAD)).isEqualTo(IncarnationState.REPAIRED);
    }
}

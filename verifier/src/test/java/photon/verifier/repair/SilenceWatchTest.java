package photon.verifier.repair;

import static org.assertj.core.api.Assertions.assertThat;
import static photon.verifier.repair.RepairWorld.DEAD;
import static photon.verifier.repair.RepairWorld.LIVE;

import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import photon.core.id.Incarnation;
import photon.registry.api.ControlClient.IncarnationState;

/** A joiner is dead, and nobody has fenced it. */
final class SilenceWatchTest {
    private static final Incarnation WEST = new Incarnation(9, 1);
    private static final Duration FENCE_AFTER = Duration.ofSeconds(30);

    private final RepairWorld world = new RepairWorld();
    private RepairStatus repair = RepairStatus.NOTHING_KNOWN;
    private SilenceStatus silence = SilenceStatus.NONE;
    private long entries = 100;

    private SilenceWatch start(Optional<Duration> fenceAfter) {
        world.registry.add(DEAD, "east/joiner-0", false, "out-1");
        world.registry.add(LIVE, "east/joiner-1", false, "out-1");
        world.registry.add(WEST, "west/joiner-0", false, "out-2");
        world.registry.renewed(DEAD, ++entries);
        world.registry.renewed(WEST, ++entries);
        RepairLoop loop = world.start(RepairLimits.DEFAULTS, changed -> repair = changed);
        SilenceWatch watch =
                new SilenceWatch(
                        world.parts(RepairLimits.DEFAULTS),
                        world.loop,
                        world.registry.client(world.loop),
                        "east/",
                        fenceAfter,
                        changed -> silence = changed,
                        loop::wake);
        watch.start();
        return watch;
    }

    /** The one that lives renews. */
    private void pass(int seconds) {
        for (int i = 0; i < seconds; i++) {
            world.registry.renewed(LIVE, ++entries);
            world.loop.advance(Duration.ofSeconds(1));
        }
    }

    @Test
    void aSilentSlotOfThisDatacenterIsFencedAndRepaired() {
        var lost = world.lost(3);
        start(Optional.of(FENCE_AFTER));
        pass(25);
        assertThat(silence.silent())
                .singleElement()
                .satisfies(
                        s -> {
                            assertThat(s.incarnation()).isEqualTo(DEAD);
                            assertThat(s.secondsLeft()).isPositive();
                        });
        assertThat(world.registry.silentFences).isEmpty();
        pass(15);
        assertThat(world.registry.silentFences).containsExactly(DEAD);
        assertThat(world.stateOf(DEAD)).isEqualTo(IncarnationState.REPAIRED);
        assertThat(world.journalIds()).containsExactly(lost);
        assertThat(silence.fenced()).isEqualTo(1);
        assertThat(silence.silent()).isEmpty();
        pass(120);
        assertThat(world.registry.silentFences).as("once, and no other").hasSize(1);
        assertThat(world.stateOf(LIVE)).isEqualTo(IncarnationState.OPEN);
    }

    @Test
    void theFenceIsForTheRenewalThatWasSeenLast() {
        start(Optional.of(FENCE_AFTER));
        pass(25);
        // Behind the listing by which it is fenced, and before the fence.
        world.registry.beforeSilentFence = () -> world.registry.renewed(DEAD, ++entries);
        pass(15);
        assertThat(world.registry.silentFences).isEmpty();
        assertThat(silence.fenced()).isZero();
        world.registry.beforeSilentFence = () -> {};
        pass(60);
        assertThat(world.registry.silentFences).containsExactly(DEAD);
    }

    @Test
    void aRegistryThatDoesNotListIsNoSilence() {
        start(Optional.of(FENCE_AFTER));
        pass(25);
        world.registry.listsFail = 1_000;
        pass(60);
        world.registry.listsFail = 0;
        pass(20);
        assertThat(world.registry.silentFences).isEmpty();
        pass(20);
        assertThat(world.registry.silentFences).containsExactly(DEAD);
    }

    @Test
    void whereItIsOffNothingIsFencedAndAPersonIsTold() {
        start(Optional.empty());
        pass(300);
        assertThat(world.registry.silentFences).isEmpty();
        RepairStatus status = repair.with(silence);
        assertThat(status.alarms()).singleElement().asString().contains("east/joiner-0");
        assertThat(status.unfinished()).hasSize(1);
    }

    @Test
    void nothingHappensAfterItsEnd() {
        SilenceWatch watch = start(Optional.of(FENCE_AFTER));
        pass(25);
        watch.close();
        pass(60);
        assertThat(world.registry.silentFences).isEmpty();
    }

    @Test
    void aListThatDoesNotComeIsKnown() {
        SilenceWatch watch = start(Optional.of(FENCE_AFTER));
        assertThat(watch.listingNanos()).hasValue(world.loop.nanoTime());
        pass(1);
        assertThat(watch.listingNanos()).isEmpty();
    }
}

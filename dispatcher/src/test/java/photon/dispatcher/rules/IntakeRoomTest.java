package photon.dispatcher.rules;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import photon.dispatcher.rules.IntakeRoom.Bounds;
import photon.dispatcher.rules.IntakeRoom.Load;

class IntakeRoomTest {
    private static final Bounds BOUNDS = new Bounds(2_048, 250, 1_000, 1_000_000, 1_000_000, 9_000);
    private static final Load NOTHING = new Load(0, 0, 0, 0, 0, 0);

    @Test
    void anEmptyIntakeTakesAsManyAsMayHaveToBeHeldAndABacklogHalfOfThem() {
        assertThat(IntakeRoom.of(BOUNDS, NOTHING, NOTHING)).isEqualTo(new IntakeRoom(1_000, 500));
    }

    @Test
    void eachBoundStopsAll() {
        for (Load live :
                new Load[] {
                    new Load(751, 0, 0, 0, 0, 0),
                    new Load(0, 1_000_000, 0, 0, 0, 0),
                    new Load(0, 0, 751, 0, 0, 0),
                    new Load(0, 0, 0, 2_049, 0, 0),
                    new Load(0, 0, 0, 0, 1_000_000, 0),
                    new Load(0, 0, 0, 0, 0, 8_001)
                }) {
            assertThat(IntakeRoom.of(BOUNDS, live, NOTHING).records()).as("%s", live).isZero();
        }
    }

    @Test
    void whatABacklogFillsLeavesRoomForOthers() {
        for (Load backlog :
                new Load[] {
                    new Load(300, 0, 0, 0, 0, 0),
                    new Load(0, 500_000, 0, 0, 0, 0),
                    new Load(0, 0, 300, 0, 0, 0),
                    new Load(0, 0, 0, 2_048, 0, 0),
                    new Load(0, 0, 0, 0, 500_000, 0),
                    new Load(0, 0, 0, 0, 0, 4_500)
                }) {
            IntakeRoom room = IntakeRoom.of(BOUNDS, NOTHING, backlog);
            assertThat(room.ofBacklog()).as("%s", backlog).isZero();
            assertThat(room.records()).as("%s", backlog).isPositive();
        }
    }

    /** Else it would wait for ever: with nothing of it on its way, there is room for it. */
    @Test
    void aBacklogNeverStarvesHoweverSmallTheBounds() {
        SplittableRandom random = new SplittableRandom(5);
        for (int i = 0; i < 10_000; i++) {
            int held = random.nextInt(1, 100_000);
            int pollMin = Math.min(2_048, Math.max(1, held / 4));
            int inFlight = random.nextInt(1, 10_000);
            Bounds bounds =
                    new Bounds(
                            2_048,
                            pollMin,
                            held,
                            96 << 20,
                            inFlight * 8_192L,
                            2 * 2_048 + held + 4 * inFlight);
            IntakeRoom room = IntakeRoom.of(bounds, NOTHING, NOTHING);
            assertThat(room.ofBacklog()).as("%s", bounds).isBetween(1, room.records());
        }
    }
}

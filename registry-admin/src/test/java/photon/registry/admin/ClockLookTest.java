package photon.registry.admin;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import photon.proto.v1.ServerClock;

class ClockLookTest {
    private static ServerClock at(long micros) {
        return ServerClock.newBuilder()
                .setEarliestMicros(micros - 500)
                .setLatestMicros(micros + 500)
                .build();
    }

    @Test
    void theMiddleOfTheCallIsComparedAndHalfOfItIsInDoubt() {
        ClockLook look = ClockLook.of(at(10_400), 10_000, 10_800);
        assertThat(look).isEqualTo(new ClockLook(0, 400));
        assertThat(ClockLook.of(at(9_000), 10_000, 10_800)).isEqualTo(new ClockLook(-1_400, 400));
    }

    @Test
    void whatIsWithinTheDoubtMayBeEqual() {
        assertThat(new ClockLook(400, 400).maybeEqual()).isTrue();
        assertThat(new ClockLook(-400, 400).maybeEqual()).isTrue();
        assertThat(new ClockLook(401, 400).maybeEqual()).isFalse();
    }

    @Test
    void aQuickerAnswerKnowsMore() {
        ClockLook slow = new ClockLook(300_000, 350_000);
        ClockLook quick = new ClockLook(100, 800);
        assertThat(slow.orBetter(quick)).isEqualTo(quick);
        assertThat(quick.orBetter(slow)).isEqualTo(quick);
    }

    @Test
    void aClockThatIsSetBackBetweenLeavesNoDoubtBelowZero() {
        assertThat(ClockLook.of(at(10_000), 10_000, 9_000)).isEqualTo(new ClockLook(0, 0));
    }
}

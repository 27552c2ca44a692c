package photon.core.time;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import photon.core.time.ClockState.Source;

class ChronyClockTest {
    private static final long NOW = 1_700_000_000_000_000L;

    private String answer = ChronyTrackingTest.NORMAL;
    private String failure = "";
    private long nanos = 5;
    private final ChronyClock clock =
            new ChronyClock(
                    () -> new IntervalClock.Interval(NOW, NOW),
                    () -> nanos,
                    () -> {
                        if (!failure.isEmpty()) {
                            throw new IOException(failure);
                        }
                        return answer;
                    });

    private void assertNotSynchronised(String why) {
        assertThat(clock.state().synchronised()).isFalse();
        assertThat(clock.state().source()).isEqualTo(Source.CHRONY);
        assertThat(clock.state().trouble()).isEqualTo(why);
        assertThat(clock.state().boundMicros())
                .isGreaterThanOrEqualTo(ChronyClock.BOUND_WITHOUT.toNanos() / 1_000);
    }

    @Test
    void itIsSynchronisedWhileChronydSaysSo() {
        assertNotSynchronised("chronyd has not been asked yet");
        clock.read();
        assertThat(clock.state()).isEqualTo(new ClockState(Source.CHRONY, true, 6_650, ""));
        assertThat(clock.now()).isEqualTo(new IntervalClock.Interval(NOW - 6_650, NOW + 6_650));
        answer = ChronyTrackingTest.UNSYNCHRONISED;
        clock.read();
        assertNotSynchronised("chronyd says: Not synchronised, stratum 0");
        answer = ChronyTrackingTest.NORMAL;
        clock.read();
        assertThat(clock.state().synchronised()).isTrue();
    }

    @Test
    void anOldAnswerHoldsForAWhileAndGrowsWide() {
        clock.read();
        failure = "506 Cannot talk to daemon";
        nanos += ChronyClock.READING_AGE_MAX.toNanos();
        clock.read();
        assertThat(clock.state()).isEqualTo(new ClockState(Source.CHRONY, true, 6_683, ""));
        nanos += Duration.ofSeconds(1).toNanos();
        assertNotSynchronised("chronyd has not answered for 31 s: 506 Cannot talk to daemon");
        failure = "";
        clock.read();
        assertThat(clock.state().synchronised()).isTrue();
    }

    @Test
    void withoutChronydItIsNotSynchronisedAndSaysWhy() {
        failure = "Cannot run program \"chronyc\"";
        clock.read();
        assertNotSynchronised("Cannot run program \"chronyc\"");
        assertThat(clock.now()).isEqualTo(new IntervalClock.Interval(NOW - 250_000, NOW + 250_000));
    }

    @Test
    void anAnswerThatHangsCountsFromWhenItWasAskedFor() {
        ChronyClock slow =
                new ChronyClock(
                        () -> new IntervalClock.Interval(NOW, NOW),
                        () -> nanos,
                        () -> {
                            nanos += ChronyClock.READING_AGE_MAX.plusSeconds(1).toNanos();
                            return answer;
                        });
        slow.read();
        assertThat(slow.state().synchronised()).isFalse();
    }

    @Test
    void aClockThatSaysNothingOfItselfIsTakenAtItsWord() {
        IntervalClock plain = () -> new IntervalClock.Interval(NOW - 7, NOW + 8);
        assertThat(plain.state()).isEqualTo(ClockState.configured(8));
        assertThat(new SystemClock(Duration.ofMillis(50)).state())
                .isEqualTo(ClockState.configured(50_000));
    }
}

package photon.server.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class ShutdownTest {
    private final Shutdown shutdown = new Shutdown();
    private int steps;

    private static int steps(Duration length) {
        return (int) length.dividedBy(Shutdown.STEP);
    }

    /** It takes what is in its log to be in good order, and has a joiner to close, say. */
    @Test
    void aRunWhoseStartEndsAfterTheSignalHasTheTimeOfOneThatRuns() throws Exception {
        shutdown.starting();
        boolean ended =
                shutdown.endsInTime(
                        () -> {
                            if (++steps == 5) {
                                shutdown.started();
                            }
                            return steps == steps(Duration.ofSeconds(50));
                        });
        assertThat(ended).isTrue();
    }

    @Test
    void aStartIsNotWaitedForLong() throws Exception {
        shutdown.starting();
        assertThat(shutdown.endsInTime(() -> ++steps < 0)).isFalse();
        assertThat(steps).isEqualTo(steps(Duration.ofSeconds(3)));
    }

    @Test
    void aStartThatIsEndedHasTheStatusThatWasSaid() {
        shutdown.starting();
        assertThat(shutdown.exitStatus()).isZero();
        shutdown.startingWith(1);
        assertThat(shutdown.exitStatus()).isEqualTo(1);
        shutdown.started();
        shutdown.finished(0);
        assertThat(shutdown.exitStatus()).isZero();
    }

    @Test
    void aRunThatDoesNotEndIsCutOff() throws Exception {
        assertThat(shutdown.endsInTime(() -> ++steps < 0)).isFalse();
        assertThat(steps).isEqualTo(steps(Duration.ofSeconds(60)));
    }
}

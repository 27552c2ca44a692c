package photon.server.health;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import photon.core.loop.LoopProbe;
import photon.core.loop.ManualLoop;

class ConditionsTest {
    private static long nanos(long seconds) {
        return TimeUnit.SECONDS.toNanos(seconds);
    }

    private static Optional<String> commit(OptionalLong since, long now) {
        return Conditions.answered("the oldest commit", since, "the registry [a:1]", now)
                .map(Failure::reason);
    }

    @Test
    void onlyWhatWaitsCanBeLate() {
        assertThat(commit(OptionalLong.empty(), nanos(1_000_000))).isEmpty();
        assertThat(commit(OptionalLong.of(0), nanos(10) - 1)).isEmpty();
        assertThat(commit(OptionalLong.of(0), nanos(10)))
                .hasValue("the oldest commit has waited 10 s for the answer of the registry [a:1]");
    }

    @Test
    void aClockThatOverflowsIsNoMatter() {
        long before = Long.MAX_VALUE - 5;
        assertThat(commit(OptionalLong.of(before), before + nanos(3))).isEmpty();
        assertThat(commit(OptionalLong.of(before), before + nanos(11))).isPresent();
    }

    @Test
    void logsSayWhy() {
        assertThat(
                        Conditions.logsRead(
                                        "foreign",
                                        OptionalLong.of(0),
                                        "java.io.IOException: No such host",
                                        nanos(12))
                                .map(Failure::reason))
                .hasValue(
                        "the foreign logs could not be read for 12 s: java.io.IOException: No such host");
        assertThat(Conditions.logsRead("foreign", OptionalLong.empty(), "old", nanos(12)))
                .isEmpty();
    }

    @Test
    void aLoopThatStandsStillIsNotReadyLongBeforeItIsNotLive() {
        ManualLoop loop = new ManualLoop();
        DaemonChecks checks = DaemonChecks.of(List.of(), List.of(LoopProbe.of("reader", loop)));
        checks.asks().forEach(ask -> ask.accept(0));
        assertThat(failing(checks.ready(), 29)).isEmpty();
        assertThat(failing(checks.ready(), 30))
                .hasValue("loop reader has been busy with one thing for 30 s");
        assertThat(failing(checks.live(), 119)).isEmpty();
        assertThat(failing(checks.live(), 120))
                .hasValue("loop reader has been busy with one thing for 120 s");
        loop.runUntilIdle();
        assertThat(failing(checks.live(), 121)).isEmpty();
        assertThat(checks.live().get(0).name()).isEqualTo("loop-reader");
    }

    /** A slow disk with a long queue before it is no reason to start anew. */
    @Test
    void aReaderThatStandsStillIsNotReadyAndStaysLive() {
        ManualLoop loop = new ManualLoop();
        DaemonChecks checks =
                DaemonChecks.of(List.of(), List.of())
                        .withReaders(List.of(LoopProbe.of("read-0", loop)), "events wait");
        checks.asks().forEach(ask -> ask.accept(nanos(0)));
        assertThat(failing(checks.ready(), 29)).isEmpty();
        assertThat(failing(checks.ready(), 30))
                .hasValue("loop read-0 has been busy with one thing for 30 s");
        assertThat(checks.live()).isEmpty();
        loop.runUntilIdle();
        assertThat(failing(checks.ready(), 31)).isEmpty();
    }

    private static Optional<String> failing(List<Check> checks, long second) {
        return checks.get(0).condition().look(nanos(second)).map(Failure::reason);
    }
}

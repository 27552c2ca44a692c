package photon.eventstore.tail;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import photon.core.loop.ManualLoop;
import photon.core.time.ClockState;
import photon.core.time.IntervalClock;

class IndexRetentionTest {
    private static final long NOW = 1_700_000_000_000_000L;
    private static final long DAY = 86_400L * 1_000_000;

    private final ManualLoop loop = new ManualLoop();
    private final List<Long> expired = new ArrayList<>();
    private boolean synchronised = true;
    private long boundary = NOW;

    @Test
    void whatNothingCanJoinAnyMoreIsDroppedAgainAndAgain() {
        start(Optional.of(Duration.ofDays(1)));
        assertThat(expired).isEmpty();
        loop.advance(IndexRetention.EVERY.multipliedBy(2));
        assertThat(expired).containsExactly(NOW - 5 - 2 * DAY, NOW - 5 - 2 * DAY);
    }

    @Test
    void whatARepairMayStillJoinIsKept() {
        boundary = NOW - 9 * DAY;
        start(Optional.of(Duration.ofDays(1)));
        loop.advance(IndexRetention.EVERY);
        assertThat(expired).containsExactly(NOW - 10 * DAY);
    }

    @Test
    void nothingIsDroppedBeforeABoundaryWasHeardOf() {
        boundary = Long.MIN_VALUE;
        start(Optional.of(Duration.ofDays(1)));
        loop.advance(IndexRetention.EVERY.multipliedBy(2));
        assertThat(expired).isEmpty();
        boundary = NOW;
        loop.advance(IndexRetention.EVERY);
        assertThat(expired).hasSize(1);
    }

    @Test
    void nothingIsDroppedWhileTheClockMayBeWrong() {
        synchronised = false;
        start(Optional.of(Duration.ofDays(2)));
        loop.advance(IndexRetention.EVERY.multipliedBy(2));
        assertThat(expired).isEmpty();
        synchronised = true;
        loop.advance(IndexRetention.EVERY);
        assertThat(expired).hasSize(1);
    }

    @Test
    void nothingIsDroppedWithoutARetention() {
        start(Optional.empty());
        loop.advance(IndexRetention.EVERY.multipliedBy(2));
        assertThat(expired).isEmpty();
    }

    private void start(Optional<Duration> retention) {
        IntervalClock clock =
                new IntervalClock() {
                    @Override
                    public Interval now() {
                        return new Interval(NOW - 5, NOW + 5);
                    }

                    @Override
                    public ClockState state() {
                        return new ClockState(
                                ClockState.Source.CHRONY,
                                synchronised,
                                5,
                                synchronised ? "" : "no source");
                    }
                };
        new IndexRetention(
                        loop,
                        before -> {
                            expired.add(before);
                            return 1;
                        },
                        clock,
                        retention,
                        () -> boundary)
                .start();
        loop.runUntilIdle();
    }
}

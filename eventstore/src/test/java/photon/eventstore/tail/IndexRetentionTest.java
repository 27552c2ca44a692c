package photon.eventstore.tail;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import photon.core.loop.ManualLoop;
import photon.core.time.ClockState;
import photon.core.time.IntervalClock;
import photon.storage.files.MemoryFileStore;
import photon.storage.ledger.Ledger;
import photon.storage.ledger.LedgerEntry;
import photon.storage.ledger.LedgerRetention;

class IndexRetentionTest {
    private static final long NOW = 1_700_000_000_000_000L;
    private static final long DAY = 86_400L * 1_000_000;

    private static final String LEDGER = "/state/ledger";

    private final ManualLoop loop = new ManualLoop();
    private final List<Long> expired = new ArrayList<>();
    private final MemoryFileStore files = new MemoryFileStore();
    private final LedgerRetention badRecords = new LedgerRetention(files, LEDGER);
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
    void badRecordsLeaveTheLedgerWhenTheBoundaryHasPassedTheTimeOfTheirReading()
            throws IOException {
        try (Ledger ledger = Ledger.open(files, LEDGER)) {
            ledger.append(
                    new LedgerEntry(
                            LedgerEntry.Kind.BAD_RECORD, null, "", "no id", "/a", 7, "x", 5_000));
        }
        boundary = 5_000_000;
        start(Optional.of(Duration.ofDays(1)));
        loop.advance(IndexRetention.EVERY.multipliedBy(2));
        assertThat(inLedger()).isEqualTo(1);
        assertThat(badRecords.figures().bytes()).isPositive();
        boundary = 5_000_001;
        loop.advance(IndexRetention.EVERY.multipliedBy(2));
        assertThat(inLedger()).isZero();
        assertThat(badRecords.figures()).isEqualTo(new LedgerRetention.Figures(0, 0, 1));
    }

    private int inLedger() throws IOException {
        List<LedgerEntry> entries = new ArrayList<>();
        Ledger.forEach(files, LEDGER, entries::add);
        return entries.size();
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
                        badRecords,
                        Duration.ofDays(7),
                        clock,
                        retention,
                        () -> boundary)
                .start();
        loop.runUntilIdle();
    }
}

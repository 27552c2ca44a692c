package photon.storage.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import photon.core.id.EventId;
import photon.core.time.ClockState;
import photon.core.time.IntervalClock;
import photon.storage.files.MemoryFileStore;
import photon.storage.ledger.LedgerEntry.Kind;

final class LedgerRetentionTest {
    private static final String DIRECTORY = "/state/ledger";
    private static final long SEGMENT_BYTES = 400;
    private static final long HOUR_MICROS = 3_600_000_000L;

    private final MemoryFileStore files = new MemoryFileStore();
    private final LedgerRetention retention = new LedgerRetention(files, DIRECTORY);

    /** Of an event of this hour that was written down in another. */
    private static LedgerEntry entry(Kind kind, int number, long hour, long writtenHour) {
        return new LedgerEntry(
                kind,
                kind == Kind.BAD_RECORD ? null : new EventId(hour * HOUR_MICROS, number, 2, 3),
                "id:" + number,
                "because",
                "/logs/a.csv",
                number * 10L,
                "{\"n\":" + number + "}",
                writtenHour * HOUR_MICROS / 1_000);
    }

    private static LedgerEntry skipped(int number, long hour) {
        return entry(Kind.SKIPPED, number, hour, hour);
    }

    private List<LedgerEntry> read() throws IOException {
        List<LedgerEntry> entries = new ArrayList<>();
        Ledger.forEach(files, DIRECTORY, entries::add);
        return entries;
    }

    private void write(LedgerEntry... entries) throws IOException {
        try (Ledger ledger = Ledger.open(files, DIRECTORY, SEGMENT_BYTES)) {
            for (LedgerEntry entry : entries) {
                ledger.append(entry);
            }
        }
    }

    /** By events and by the time of writing. */
    private static LedgerAge age(long hour) {
        return new LedgerAge(hour * HOUR_MICROS, hour * HOUR_MICROS);
    }

    private void passes(int count, long boundaryHour) {
        for (int i = 0; i < count; i++) {
            retention.pass(age(boundaryHour), entry -> false);
        }
    }

    @Test
    void aYearOfEntriesTakesAsMuchRoomAsItsRetention() throws IOException {
        long most = 0;
        try (Ledger ledger = Ledger.open(files, DIRECTORY, SEGMENT_BYTES)) {
            for (int hour = 1; hour <= 365 * 24; hour++) {
                ledger.append(skipped(hour, hour));
                ledger.sync();
                passes(1, hour - 72);
                most = Math.max(most, retention.figures().bytes());
            }
        }
        assertThat(most).isLessThan(80 * 250);
        assertThat(read()).hasSizeBetween(72, 80);
        assertThat(retention.figures().ended() + read().size()).isEqualTo(365 * 24);
        assertThat(files.list(DIRECTORY)).hasSizeLessThan(100);
    }

    @Test
    void aSegmentGoesOnlyWhenTheBoundaryIsAboveEachIdAndEachTimeOfWriting() throws IOException {
        write(skipped(1, 5), skipped(2, 7));
        write(entry(Kind.SKIPPED, 3, 1, 9));
        passes(3, 7);
        assertThat(read()).hasSize(3);
        passes(1, 8);
        assertThat(read()).extracting(LedgerEntry::idText).containsExactly("id:3");
        passes(3, 9);
        assertThat(read()).hasSize(1);
        passes(1, 10);
        assertThat(read()).isEmpty();
    }

    /** The registry's clocks have leapt: the boundary is above all that is written now. */
    @Test
    void whatIsYoungByTheDaemonsOwnClockStays() throws IOException {
        write(skipped(1, 5), skipped(2, 7));
        LedgerAge early = LedgerAge.of(100 * HOUR_MICROS, clock(9), Duration.ofHours(2));
        retention.pass(early, entry -> false);
        retention.pass(early, entry -> false);
        assertThat(read()).hasSize(2);
        LedgerAge late = LedgerAge.of(100 * HOUR_MICROS, clock(9), Duration.ofMinutes(119));
        retention.pass(late, entry -> false);
        assertThat(read()).isEmpty();
    }

    /** Its own clock has leapt. */
    @Test
    void whatIsYoungByTheBoundaryStays() throws IOException {
        write(entry(Kind.SKIPPED, 1, 1, 7));
        retention.pass(
                LedgerAge.of(7 * HOUR_MICROS, clock(900), Duration.ofHours(2)), entry -> false);
        assertThat(read()).hasSize(1);
    }

    @Test
    void whileTheOwnClockMayBeWrongNothingGoes() throws IOException {
        write(skipped(1, 5));
        IntervalClock lost =
                new IntervalClock() {
                    @Override
                    public Interval now() {
                        return clock(900).now();
                    }

                    @Override
                    public ClockState state() {
                        return new ClockState(ClockState.Source.CHRONY, false, 5, "no source");
                    }
                };
        retention.pass(LedgerAge.of(800 * HOUR_MICROS, lost, Duration.ZERO), entry -> false);
        assertThat(read()).hasSize(1);
    }

    private static IntervalClock clock(long hour) {
        return () -> new IntervalClock.Interval(hour * HOUR_MICROS, hour * HOUR_MICROS);
    }

    @Test
    void withoutABoundaryNothingGoes() throws IOException {
        write(skipped(1, 5));
        retention.pass(LedgerAge.of(Long.MIN_VALUE, clock(100), Duration.ZERO), entry -> false);
        assertThat(read()).hasSize(1);
        assertThat(retention.figures().bytes()).isPositive();
    }

    @Test
    void whatIsNeededStays() throws IOException {
        write(skipped(1, 5), skipped(2, 5));
        write(skipped(3, 5));
        for (int i = 0; i < 3; i++) {
            retention.pass(age(100), entry -> entry.idText().equals("id:2"));
        }
        assertThat(read()).extracting(LedgerEntry::idText).containsExactly("id:1", "id:2");
        passes(100, 100);
        assertThat(read()).isEmpty();
    }

    @Test
    void whatWentIsSummedByKindAndReasonAndRepeatsCountOnce() throws IOException {
        write(
                skipped(1, 5),
                skipped(1, 5),
                entry(Kind.DEAD_LETTER, 2, 4, 5),
                entry(Kind.BAD_RECORD, 3, 0, 5));
        write(skipped(4, 6));
        passes(2, 100);
        EndedEntries ended = Ledger.ended(files, DIRECTORY);
        assertThat(ended.sums().get(Kind.SKIPPED))
                .containsEntry("because", new EndedEntries.Sum(2, 6 * HOUR_MICROS));
        assertThat(ended.sums().get(Kind.DEAD_LETTER))
                .containsEntry("because", new EndedEntries.Sum(1, 4 * HOUR_MICROS));
        assertThat(ended.sums().get(Kind.BAD_RECORD))
                .containsEntry("because", new EndedEntries.Sum(1, -1));
        assertThat(ended.entries()).isEqualTo(4);
    }

    @Test
    void reasonsAreBounded() {
        EndedEntries ended = EndedEntries.NONE;
        for (int i = 0; i < 3 * EndedEntries.REASONS_MAX; i++) {
            ended =
                    ended.with(
                            i + 1,
                            java.util.Map.of(
                                    Kind.SKIPPED,
                                    java.util.Map.of("reason " + i, new EndedEntries.Sum(1, i))));
        }
        assertThat(ended.sums().get(Kind.SKIPPED)).hasSizeLessThan(EndedEntries.REASONS_MAX + 2);
        assertThat(ended.entries()).isEqualTo(3 * EndedEntries.REASONS_MAX);
    }

    /** The number must not be used again: a reader leaves out what has gone. */
    @Test
    void whatIsWrittenAfterAllHasGoneIsRead() throws IOException {
        write(skipped(1, 5));
        passes(1, 100);
        write(skipped(2, 200));
        assertThat(read()).extracting(LedgerEntry::idText).containsExactly("id:2");
        passes(3, 100);
        assertThat(read()).hasSize(1);
    }

    /** Such as another verifier's, which has slept since it wrote its last entry. */
    @Test
    void whatAWriterAddsToASegmentThatHasGoneIsNotLost() throws IOException {
        try (Ledger ledger = Ledger.open(files, DIRECTORY)) {
            ledger.append(skipped(1, 5));
            ledger.sync();
            passes(1, 100);
            assertThat(read()).isEmpty();
            ledger.append(skipped(2, 200));
            ledger.append(skipped(3, 200));
            ledger.sync();
            files.crashLosingAllUnsynced();
            assertThat(read()).extracting(LedgerEntry::idText).containsExactly("id:2", "id:3");
        }
    }

    /** It has read that all are old; the writer adds a young one before the segment is away. */
    @Test
    void whatIsAddedWhileASegmentIsLookedAtIsNotLost() throws IOException {
        Ledger ledger = Ledger.open(files, DIRECTORY);
        ledger.append(skipped(1, 5));
        ledger.sync();
        boolean[] added = new boolean[1];
        files.setHook(
                (operation, path) -> {
                    if (operation == MemoryFileStore.Operation.RENAME && !added[0]) {
                        added[0] = true;
                        ledger.append(skipped(2, 200));
                        ledger.sync();
                    }
                });
        passes(1, 100);
        files.setHook((operation, path) -> {});
        assertThat(added[0]).isTrue();
        assertThat(read()).extracting(LedgerEntry::idText).contains("id:2");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20})
    void noCrashLosesWhatIsYoungNorCountsWhatWentTwice(int seed) throws IOException {
        SplittableRandom random = new SplittableRandom(seed);
        MemoryFileStore disk = new MemoryFileStore(seed);
        TreeSet<String> synced = new TreeSet<>();
        long ended = 0;
        int hour = 100;
        for (int life = 0; life < 30; life++) {
            try (Ledger ledger = Ledger.open(disk, DIRECTORY, SEGMENT_BYTES)) {
                for (int i = random.nextInt(8); i >= 0; i--) {
                    LedgerEntry entry = skipped(hour, hour++);
                    ledger.append(entry);
                    ledger.sync();
                    synced.add(entry.idText());
                }
            }
            LedgerAge boundary = age(hour - 20);
            LedgerRetention again = new LedgerRetention(disk, DIRECTORY);
            int crashAt = random.nextInt(40);
            int[] operations = new int[1];
            disk.setHook(
                    (operation, path) -> {
                        if (operations[0]++ == crashAt) {
                            throw new IOException("the process dies here");
                        }
                    });
            for (int i = random.nextInt(4); i >= 0; i--) {
                again.pass(boundary, entry -> false);
            }
            disk.setHook((operation, path) -> {});
            disk.crash();
            TreeSet<String> read = new TreeSet<>();
            Ledger.forEach(disk, DIRECTORY, entry -> read.add(entry.idText()));
            int youngest = hour - 20;
            assertThat(read)
                    .as("seed %d", seed)
                    .containsAll(
                            synced.stream()
                                    .filter(id -> Integer.parseInt(id.substring(3)) >= youngest)
                                    .toList());
            ended = Ledger.ended(disk, DIRECTORY).entries();
            assertThat(ended + read.size()).as("seed %d", seed).isEqualTo(synced.size());
        }
        assertThat(ended).isPositive();
    }
}

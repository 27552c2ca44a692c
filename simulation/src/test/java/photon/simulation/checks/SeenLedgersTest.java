package photon.simulation.checks;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import photon.core.id.EventId;
import photon.storage.files.MemoryFileStore;
import photon.storage.ledger.Ledger;
import photon.storage.ledger.LedgerEntry;

final class SeenLedgersTest {
    private static final String STATE = "/state";
    private static final String DIRECTORY = STATE + "/ledger";
    private static final String SEGMENT = DIRECTORY + "/ledger-0000000001.jsonl";
    private static final long SECOND = 1_000_000;
    private static final long WRITTEN = 1_000 * SECOND;
    private static final LedgerEntry ENTRY =
            new LedgerEntry(
                    LedgerEntry.Kind.SKIPPED,
                    new EventId(900 * SECOND, 1, 2, 3),
                    "id",
                    "too old",
                    "/log",
                    0,
                    "{}",
                    WRITTEN / 1_000);

    private final MemoryFileStore files = new MemoryFileStore(1);
    private final SeenLedgers seen = new SeenLedgers(files, List.of(STATE), Duration.ofMinutes(2));

    private void write() throws IOException {
        try (Ledger ledger = Ledger.open(files, DIRECTORY)) {
            ledger.append(ENTRY);
        }
    }

    private List<LedgerEntry> ended() throws IOException {
        List<LedgerEntry> standing = new ArrayList<>();
        Ledger.forEach(files.durableCopy(), DIRECTORY, standing::add);
        return seen.ended(DIRECTORY, standing);
    }

    private void remove(long ownMicros) throws IOException {
        seen.changes(SEGMENT, ownMicros);
        files.delete(SEGMENT);
        files.syncDirectory(DIRECTORY);
    }

    @Test
    void whatIsWrittenAndTakenBetweenTwoLooksIsSeen() throws IOException {
        write();
        assertThat(ended()).isEmpty();
        remove(WRITTEN + 120 * SECOND);
        assertThat(ended()).containsExactly(ENTRY);
    }

    @Test
    void anEntryMayGoWhenItIsOldByItsEventByTheBoundaryAndByTheOwnClock() throws IOException {
        write();
        remove(WRITTEN + 120 * SECOND);
        assertThat(seen.wrong(DIRECTORY, ENTRY, WRITTEN + 1)).isNull();
        assertThat(seen.wrong(DIRECTORY, ENTRY, WRITTEN)).contains("the time of its writing");
        assertThat(seen.wrong(DIRECTORY, ENTRY, 900 * SECOND)).contains("its event");
    }

    @Test
    void anEntryThatDidNotStandForItsTimeMustNotHaveGone() throws IOException {
        write();
        remove(WRITTEN + 120 * SECOND - 1);
        assertThat(seen.wrong(DIRECTORY, ENTRY, Long.MAX_VALUE)).contains("did not stand");
    }

    @Test
    void whatNoProcessHasTakenMustBeThere() throws IOException {
        write();
        seen.see(DIRECTORY, List.of(ENTRY));
        files.delete(SEGMENT);
        files.syncDirectory(DIRECTORY);
        assertThat(ended()).containsExactly(ENTRY);
        assertThat(seen.wrong(DIRECTORY, ENTRY, Long.MAX_VALUE)).contains("no process");
    }

    @Test
    void otherFilesAreNoLedgers() throws IOException {
        write();
        seen.changes("/elsewhere/ledger-0000000001.jsonl", Long.MAX_VALUE);
        seen.changes(DIRECTORY + "/ended.1", Long.MAX_VALUE);
        files.delete(SEGMENT);
        files.syncDirectory(DIRECTORY);
        assertThat(ended()).isEmpty();
    }
}

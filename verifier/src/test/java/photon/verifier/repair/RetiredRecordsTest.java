package photon.verifier.repair;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static photon.verifier.repair.RepairWorld.id;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import photon.core.id.CommitToken;
import photon.core.id.EventId;
import photon.core.id.Incarnation;
import photon.core.time.IntervalClock.Interval;
import photon.storage.document.VersionedDocument;
import photon.storage.files.MemoryFileStore;
import photon.storage.ledger.Ledger;
import photon.storage.ledger.LedgerRetention;
import photon.storage.output.RetiredIncarnations;
import photon.verifier.source.MemoryOutput;

class RetiredRecordsTest {
    private static final String STATE = "/state/verifier";
    private static final String LEDGER = STATE + "/ledger";
    private static final Incarnation ONE = new Incarnation(3, 17);
    private static final Incarnation OTHER = new Incarnation(3, 18);
    private static final long AT_MICROS = 5_000_000;

    private static final Duration KEEP = Duration.ofHours(2);

    private final MemoryFileStore files = new MemoryFileStore();
    private long ownMicros = AT_MICROS + KEEP.toMillis() * 1_000 + 1;
    private final LostOutcomes outcomes =
            new LostOutcomes(
                    new LostOutcomes.LedgerStore(files, LEDGER),
                    () -> new Interval(AT_MICROS, AT_MICROS));
    private final RepairTally tally = new RepairTally(files, STATE);
    private final RetiredRecords records =
            new RetiredRecords(
                    new RepairRecords(files, STATE),
                    new WriteOffOrders(files, STATE),
                    tally,
                    new LedgerRetention(files, LEDGER),
                    () -> new Interval(ownMicros, ownMicros),
                    KEEP);
    private final MemoryOutput output = new MemoryOutput("out");

    RetiredRecordsTest() throws IOException {}

    private void writtenOff(int event, Incarnation holder) throws IOException {
        outcomes.record(id(event), CommitToken.of(holder, event), "its event stands in no log");
        outcomes.sync();
        outcomes.close(); // a segment for each
    }

    private void retired(Incarnation incarnation, long lastMicros) throws IOException {
        output.retired(incarnation, new RetiredIncarnations.Left(1, 1, 1, 1, lastMicros));
    }

    private List<EventId> written() throws IOException {
        List<EventId> ids = new ArrayList<>();
        Ledger.forEach(files, LEDGER, entry -> ids.add(entry.id()));
        return ids;
    }

    private LedgerRetention.Figures passes() throws IOException {
        LedgerRetention.Figures figures = LedgerRetention.Figures.NOTHING_KNOWN;
        for (int i = 0; i < 100; i++) {
            figures = records.shortenLedger(output.retired());
        }
        return figures;
    }

    @Test
    void aWriteOffStaysUntilItsIncarnationIsRetired() throws IOException {
        writtenOff(1, ONE);
        writtenOff(2, OTHER);
        retired(OTHER, AT_MICROS + 1);
        assertThat(passes().bytes()).isPositive();
        assertThat(written()).containsExactly(id(1));
        retired(ONE, AT_MICROS);
        assertThat(passes()).isEqualTo(new LedgerRetention.Figures(0, 0, 2));
        assertThat(written()).isEmpty();
    }

    /** What retired ones had is what the boundary is known to have passed. */
    @Test
    void aWriteOffStaysUntilTheBoundaryHasPassedItsTime() throws IOException {
        writtenOff(1, ONE);
        retired(ONE, AT_MICROS);
        passes();
        assertThat(written()).hasSize(1);
        retired(OTHER, AT_MICROS + 1);
        passes();
        assertThat(written()).isEmpty();
    }

    @Test
    void aWriteOffStandsForItsTimeByTheVerifiersOwnClock() throws IOException {
        writtenOff(1, ONE);
        retired(ONE, Long.MAX_VALUE);
        ownMicros--;
        passes();
        assertThat(written()).hasSize(1);
        ownMicros++;
        passes();
        assertThat(written()).isEmpty();
    }

    @Test
    void whatWasHandedOverForARetiredIncarnationStillCounts() throws IOException {
        tally.raise(ONE, 5);
        tally.raise(OTHER, 2);
        records.drop(ONE);
        assertThat(tally.total()).isEqualTo(7);
        byte[] lines =
                new VersionedDocument(files, STATE, "repaired").read().orElseThrow().content();
        assertThat(new String(lines, UTF_8)).contains(OTHER + " 2").doesNotContain(ONE + " ");
    }

    @Test
    void withoutRetiredOnesNothingGoes() throws IOException {
        writtenOff(1, ONE);
        assertThat(passes().segments()).isEqualTo(1);
        assertThat(written()).hasSize(1);
    }
}

package photon.verifier.repair;

import java.io.IOException;
import java.time.Duration;
import photon.core.id.EventId;
import photon.core.id.Incarnation;
import photon.core.time.IntervalClock;
import photon.storage.files.FileStore;
import photon.storage.ledger.LedgerAge;
import photon.storage.ledger.LedgerRetention;
import photon.storage.output.RetiredIncarnations;
import photon.verifier.retention.RetentionLoop;

/** What repairs have written down of an incarnation, for when it is retired. */
record RetiredRecords(
        RepairRecords records,
        WriteOffOrders orders,
        RepairTally tally,
        LedgerRetention ledger,
        IntervalClock clock,
        Duration keepLedger)
        implements RetentionLoop.Records {
    static RetiredRecords of(
            RepairSettings settings,
            FileStore files,
            RepairRecords records,
            RepairTally tally,
            IntervalClock clock) {
        return new RetiredRecords(
                records,
                new WriteOffOrders(files, settings.stateDirectory()),
                tally,
                new LedgerRetention(files, settings.ledgerDirectory()),
                clock,
                settings.keepLedger());
    }

    @Override
    public RetentionLoop.Lost lost(Incarnation incarnation) throws IOException {
        long events = 0;
        long lastMicros = -1;
        for (EventId id : records.read(incarnation).keySet()) {
            events++;
            lastMicros = Math.max(lastMicros, id.micros());
        }
        return new RetentionLoop.Lost(events, lastMicros);
    }

    @Override
    public void drop(Incarnation incarnation) throws IOException {
        records.drop(incarnation);
        orders.drop(incarnation);
        tally.retire(incarnation);
    }

    /**
     * Entries of others stay: {@code photon repair} tells by them what became of lost events. The
     * boundary is above all that retired ones had.
     */
    @Override
    public LedgerRetention.Figures shortenLedger(RetiredIncarnations retired) {
        ledger.pass(
                LedgerAge.of(retired.sum().lastMicros(), clock, keepLedger),
                entry -> LostOutcomes.holderOf(entry).filter(retired::contains).isEmpty());
        return ledger.figures();
    }
}

package photon.eventstore.tail;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.util.List;
import photon.core.time.IntervalClock;
import photon.storage.ledger.Ledger;
import photon.storage.ledger.LedgerEntry;
import photon.storage.tail.TailBatch.Item;

/** Where records without a usable identity are written down. One loop owns it. */
@FunctionalInterface
public interface BadRecordLog {
    /**
     * Durable on return. After a crash the same record may come again, with the same file and
     * offset: whoever counts entries counts those once.
     */
    void append(List<Item> bad) throws IOException;

    /** Writes to a ledger, which stays the caller's to close. */
    static BadRecordLog of(Ledger ledger, IntervalClock clock) {
        return bad -> {
            if (bad.isEmpty()) {
                return;
            }
            long nowMillis = clock.now().earliestMicros() / 1_000;
            for (Item item : bad) {
                ledger.append(entry(item, nowMillis));
            }
            ledger.sync();
        };
    }

    private static LedgerEntry entry(Item item, long nowMillis) {
        var bad = java.util.Objects.requireNonNull(item.bad(), "bad");
        return new LedgerEntry(
                LedgerEntry.Kind.BAD_RECORD,
                null,
                "",
                bad.reason(),
                item.path(),
                item.offset(),
                new String(bad.head(), UTF_8),
                nowMillis);
    }
}

package photon.eventstore.lookup;

import java.util.concurrent.atomic.LongAdder;

/** What lookups came to, counted a key. Thread-safe. */
public final class LookupCounts {
    final LongAdder lookups = new LongAdder();
    final LongAdder elsewhere = new LongAdder();
    final LongAdder refused = new LongAdder();

    /** Keys that were looked up. */
    public long lookups() {
        return lookups.sum();
    }

    /** Of these, keys that were not found and are not of this store's share. */
    public long elsewhere() {
        return elsewhere.sum();
    }

    /** Keys that were not looked up because too much was waiting. */
    public long refused() {
        return refused.sum();
    }
}

package photon.idregistry.table;

import static photon.core.error.Checks.check;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * How much of the heap the ids of all tables of a process may take, about, before old ones are
 * sealed. Freezing and sealing take something beside it, for a while. Thread-safe.
 */
public final class MemoryBudget {
    private final long bytes;
    private final AtomicLong used = new AtomicLong();
    private final AtomicInteger tables = new AtomicInteger();

    private MemoryBudget(long bytes) {
        this.bytes = bytes;
    }

    /**
     * @param bytes above this, tables seal
     */
    public static MemoryBudget of(long bytes) {
        check(bytes > 0, "Expected a budget above 0 bytes, but got %s", bytes);
        return new MemoryBudget(bytes);
    }

    /** Nothing is ever sealed. */
    public static MemoryBudget unlimited() {
        return new MemoryBudget(Long.MAX_VALUE / 4);
    }

    /** What all tables take now, about. */
    public long usedBytes() {
        return used.get();
    }

    void enter() {
        tables.incrementAndGet();
    }

    void leave(long own) {
        tables.decrementAndGet();
        used.addAndGet(-own);
    }

    void change(long difference) {
        used.addAndGet(difference);
    }

    /**
     * Whether a table should seal: too much is used, and not less by it than its part of what all
     * may use. Of the average of what is used nothing is asked: where a few tables hold much and
     * cannot seal, that is more than the many others should ever hold.
     */
    boolean exceededBy(long own) {
        return used.get() > bytes && own >= bytes / Math.max(1, tables.get());
    }

    /** The same, by half as much again: sealing is slower than what comes. */
    boolean farExceededBy(long own) {
        return used.get() > bytes + bytes / 2 && exceededBy(own);
    }
}

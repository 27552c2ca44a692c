package photon.idregistry.raft;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Whether Ratis' flush index can be believed. Entries of which a new leader knows nothing are cut
 * off the log by its writer, some time after others have taken their place in memory. Until then
 * the flush index speaks of the old ones, while a heartbeat may already commit the new ones (Ratis
 * 3.3.0, RaftLogBase.updateCommitIndex).
 *
 * <p>A cut that Ratis drops, for the sake of a snapshot, counts as queued for ever: then nothing is
 * believed until the next start. Thread-safe.
 */
final class LogCuts {
    private final AtomicInteger queued = new AtomicInteger();
    private volatile boolean unflushed;

    /**
     * One is queued for the log's writer.
     *
     * @return a future that is done, and that the writer asks when it has cut the files
     */
    CompletableFuture<Void> queued() {
        queued.incrementAndGet();
        return new Cut();
    }

    /** The writer begins a flush: it has corrected the flush index after the last cut. */
    void flushing() {
        unflushed = false;
    }

    /** True if the flush index that is read from now on speaks of the entries that are there. */
    boolean none() {
        return queued.get() == 0 && !unflushed;
    }

    private final class Cut extends CompletableFuture<Void> {
        Cut() {
            complete(null);
        }

        @Override
        public Void get() {
            unflushed = true;
            queued.decrementAndGet();
            return join();
        }
    }
}

package photon.verifier.repair;

import java.io.IOException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import photon.core.id.EventId;
import photon.core.time.IntervalClock;
import photon.storage.files.FileStore;
import photon.storage.ledger.Ledger;
import photon.storage.ledger.LedgerEntry;
import photon.verifier.source.IdIndex;

/**
 * The verifier's own ledger: ids that a dead incarnation holds and that nobody can join again, once
 * an id (docs/protocol.md section 6). Remembers each in about 40 bytes. Not thread-safe.
 */
final class LostOutcomes implements AutoCloseable {
    private final Store store;
    private final IntervalClock clock;
    private @Nullable IdIndex known;
    private @Nullable Log log;

    LostOutcomes(Store store, IntervalClock clock) {
        this.store = store;
        this.clock = clock;
    }

    /**
     * Writes it down unless it is there already; durable after {@link #sync}.
     *
     * @param reason for people, short: the books count by it
     */
    void record(EventId id, String reason) throws IOException {
        if (known == null) {
            IdIndex read = new IdIndex();
            store.forEach(read::add);
            known = read;
        }
        if (known.find(id) != IdIndex.ABSENT) {
            return;
        }
        try {
            if (log == null) {
                log = store.open();
            }
            long nowMillis = clock.now().latestMicros() / 1_000;
            log.append(
                    new LedgerEntry(
                            LedgerEntry.Kind.OUTCOME_LOST,
                            id,
                            id.toString(),
                            reason,
                            "",
                            -1,
                            "",
                            nowMillis));
        } catch (IOException e) {
            forget();
            throw e;
        }
        known.add(id);
    }

    void sync() throws IOException {
        try {
            if (log != null) {
                log.sync();
            }
        } catch (IOException e) {
            forget();
            throw e;
        }
    }

    /** What the broken log holds is not known: the next call reads it anew. */
    private void forget() {
        known = null;
        close();
    }

    @Override
    public void close() {
        Log open = log;
        log = null;
        if (open != null) {
            try {
                open.close();
            } catch (IOException e) {
                // What matters was synced, and what was not is written again.
                known = null;
            }
        }
    }

    /** Where it is kept. */
    interface Store {
        void forEach(Consumer<EventId> ids) throws IOException;

        Log open() throws IOException;
    }

    /** The open end of it. */
    interface Log {
        void append(LedgerEntry entry) throws IOException;

        void sync() throws IOException;

        void close() throws IOException;
    }

    /** The ledger in a directory. */
    record LedgerStore(FileStore files, String directory) implements Store {
        @Override
        public void forEach(Consumer<EventId> ids) throws IOException {
            Ledger.forEach(
                    files,
                    directory,
                    entry -> {
                        EventId id = entry.id();
                        if (id != null && entry.kind() == LedgerEntry.Kind.OUTCOME_LOST) {
                            ids.accept(id);
                        }
                    });
        }

        @Override
        public Log open() throws IOException {
            return new OpenLedger(Ledger.open(files, directory));
        }
    }

    private record OpenLedger(Ledger ledger) implements Log {
        @Override
        public void append(LedgerEntry entry) throws IOException {
            ledger.append(entry);
        }

        @Override
        public void sync() throws IOException {
            ledger.sync();
        }

        @Override
        public void close() throws IOException {
            ledger.close();
        }
    }
}

package photon.verifier.repair;

import java.io.IOException;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import photon.core.id.CommitToken;
import photon.core.id.EventId;
import photon.core.id.Incarnation;
import photon.core.time.IntervalClock;
import photon.storage.files.FileStore;
import photon.storage.ledger.Ledger;
import photon.storage.ledger.LedgerEntry;
import photon.verifier.source.IdIndex;

/**
 * The verifier's own ledger: ids that a dead incarnation holds and that nobody can join again, once
 * an id and process (docs/protocol.md section 6). Remembers up to {@link #KNOWN_MAX} in about 40
 * bytes each. Not thread-safe.
 *
 * <p>What stood in the ledger before is not read: whoever wrote it may have died, or failed, before
 * it was durable, and an incarnation is called repaired on the word of this class.
 */
final class LostOutcomes implements AutoCloseable {
    private static final Pattern TOKEN =
            Pattern.compile("\\{\"token\":\"(\\d+-\\d+)-\\d+(?:-[a-z]+)?\"}");

    private final Store store;
    private final IntervalClock clock;

    /** More are forgotten once they are durable: then one may be written twice. */
    static final int KNOWN_MAX = 100_000;

    /** Durable, or in the batch of the open log. */
    private IdIndex known = new IdIndex();

    private @Nullable Log log;

    LostOutcomes(Store store, IntervalClock clock) {
        this.store = store;
        this.clock = clock;
    }

    /**
     * Writes it down unless it did so before; durable after {@link #sync}. After a failure all that
     * was recorded since the last sync is to be recorded again: several repairs share this, so each
     * records and syncs without a break.
     *
     * @param token that held it
     * @param reason for people, short: the books count by it
     */
    void record(EventId id, CommitToken token, String reason) throws IOException {
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
                            "{\"token\":\"" + token + "\"}",
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
        if (known.size() > KNOWN_MAX) {
            known = new IdIndex();
        }
    }

    /** Whose token held it, of an entry that this class wrote; empty: it is another's. */
    static Optional<Incarnation> holderOf(LedgerEntry entry) {
        Matcher token = TOKEN.matcher(entry.content());
        return token.matches() ? Optional.of(Incarnation.parse(token.group(1))) : Optional.empty();
    }

    /** What the broken log holds is not known, also if it can be read: it is written again. */
    private void forget() {
        known = new IdIndex();
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
                known = new IdIndex();
            }
        }
    }

    /** Where it is kept. */
    interface Store {
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

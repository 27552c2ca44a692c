package photon.verifier.books;

import com.google.common.hash.HashFunction;
import com.google.common.hash.Hashing;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import photon.core.event.LogEvent;
import photon.core.id.EventId;
import photon.storage.tail.Checkpoint;
import photon.storage.tail.FilePosition;
import photon.storage.tail.TailBatch;
import photon.storage.tail.Unterminated;
import photon.verifier.source.ForeignLogs;
import photon.verifier.source.IdIndex;
import photon.verifier.source.IntColumn;

/**
 * Reads the foreign logs for the books: once from the start, for what there is; then once a
 * datacenter from its checkpoint on, for what it has yet to read. That way it is the tail itself
 * that knows a file again, by the same rules as the dispatcher's.
 */
final class ForeignReading {
    private static final int RECORDS_A_POLL = 8_192;
    private static final int EMPTY_POLLS_MAX = 1_000;
    private static final int UNTERMINATED_MAX = 100;
    private static final HashFunction CONTENT = Hashing.murmur3_128(0x70686f74);

    private final ForeignLogs logs;
    private final LongSupplier nanoTime;
    private final Map<String, Long> readUpTo = new HashMap<>();
    private final List<String> unterminated = new ArrayList<>();

    ForeignReading(ForeignLogs logs, LongSupplier nanoTime) {
        this.logs = logs;
        this.nanoTime = nanoTime;
    }

    /** Where logs end half-written, as {@link #readAll} found them, for people. */
    List<String> unterminated() {
        return unterminated;
    }

    /** All that there is now. */
    void readAll(Accounts accounts, BadRecords bad) throws IOException {
        read(
                List.of(),
                this::noteUnterminated,
                (reading, item, nextIsOfAnother) -> {
                    if (nextIsOfAnother) {
                        String file = reading.position(item.file(), item.endOffset()).key();
                        readUpTo.merge(file, item.endOffset(), Math::max);
                    }
                    LogEvent event = item.event();
                    if (event != null) {
                        accounts.read(event.id(), contentOf(event));
                    }
                    if (item.bad() != null) {
                        bad.add(item.path(), item.offset(), item.bad().reason());
                    }
                });
    }

    /** The ids of these events as their records have them. */
    Map<EventId, String> namesOf(Set<EventId> wanted) throws IOException {
        Map<EventId, String> names = new HashMap<>();
        forEachEvent(
                event -> {
                    if (wanted.contains(event.id())) {
                        names.put(event.id(), event.idText());
                    }
                });
        return names;
    }

    /** Hands over every event that has a usable identity, repeats too. */
    void forEachEvent(Consumer<LogEvent> each) throws IOException {
        read(
                List.of(),
                reading -> {},
                (reading, item, nextIsOfAnother) -> {
                    LogEvent event = item.event();
                    if (event != null) {
                        each.accept(event);
                    }
                });
    }

    /** Notes what the checkpoint has passed. What came after {@link #readAll} is left out. */
    void readBeyond(Checkpoint checkpoint, Accounts accounts) throws IOException {
        IntColumn beyond = new IntColumn();
        Map<Integer, Long> upTo = new HashMap<>(); // by the number in this reading
        read(
                checkpoint.positions(),
                reading -> {},
                (reading, item, nextIsOfAnother) -> {
                    LogEvent event = item.event();
                    if (event == null) {
                        return;
                    }
                    long known =
                            upTo.computeIfAbsent(
                                    item.file(),
                                    file ->
                                            readUpTo.getOrDefault(
                                                    reading.position(file, item.endOffset()).key(),
                                                    -1L));
                    if (item.endOffset() > known) {
                        return;
                    }
                    int row = accounts.rowOf(event.id());
                    if (row != IdIndex.ABSENT) {
                        beyond.add(row, 1);
                    }
                });
        accounts.passed(beyond);
    }

    private void noteUnterminated(ForeignLogs.Reading reading) {
        for (Unterminated end : reading.unterminated()) {
            if (unterminated.size() < UNTERMINATED_MAX) {
                unterminated.add(
                        "%s: %s bytes at %s".formatted(end.path(), end.length(), end.offset()));
            }
        }
    }

    private void read(
            List<FilePosition> resume, Consumer<ForeignLogs.Reading> atEnd, ItemReader reader)
            throws IOException {
        try (ForeignLogs.Reading reading = logs.open(resume)) {
            int emptyPolls = 0;
            while (true) {
                TailBatch batch = reading.poll(RECORDS_A_POLL, nanoTime.getAsLong());
                List<TailBatch.Item> items = batch.items();
                for (int i = 0; i < items.size(); i++) {
                    TailBatch.Item item = items.get(i);
                    boolean last = i + 1 == items.size();
                    reader.read(reading, item, last || items.get(i + 1).file() != item.file());
                }
                if (batch.caughtUp()) {
                    atEnd.accept(reading);
                    return;
                }
                emptyPolls = batch.items().isEmpty() && !batch.more() ? emptyPolls + 1 : 0;
                if (emptyPolls > EMPTY_POLLS_MAX) {
                    throw new IOException("The end of the foreign logs did not come into sight");
                }
            }
        }
    }

    private static long contentOf(LogEvent event) {
        return CONTENT.hashBytes(event.json().asReadOnlyByteBuffer()).asLong();
    }

    private interface ItemReader {
        /**
         * @param nextIsOfAnother the next item is of another file, or is in another batch
         */
        void read(ForeignLogs.Reading reading, TailBatch.Item item, boolean nextIsOfAnother);
    }
}

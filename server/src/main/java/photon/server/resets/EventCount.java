package photon.server.resets;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import photon.core.id.EventId;
import photon.dispatcher.flow.LogRange;
import photon.dispatcher.rules.ResetPlan.FileReset;
import photon.registry.api.LookupAnswers;
import photon.registry.api.RegistryClient.Found;
import photon.storage.tail.FilePosition;
import photon.storage.tail.TailBatch;

/**
 * How many events parts of logs hold, and what the registry says of some of them. What is skipped
 * is counted; what is read again is counted as far as a bounded sample reaches, and estimated from
 * there. Not thread-safe.
 */
final class EventCount {
    /** Of this many events at the most the ids are kept, for the registry. */
    static final int ASKED_MAX = 10_000;

    /** Logs of which something is read, at the most. */
    private static final int FILES_MAX = 64;

    private final List<EventId> ids = new ArrayList<>();
    private long bytes;
    private long readBytes;
    private long readEvents;
    private int known;
    private int tooOld;

    /** Counts what was read. */
    void add(TailBatch.Item item) {
        readBytes += item.endOffset() - item.offset();
        if (item.event() != null) {
            readEvents++;
            if (ids.size() < ASKED_MAX) {
                ids.add(item.event().id());
            }
        }
    }

    /** All bytes that are counted, read or not. */
    void ofBytes(long all) {
        bytes = all;
    }

    /** Reads a sample of what is to be read again. */
    static EventCount sample(LogRange logs, List<FileReset> files) throws IOException {
        EventCount count = new EventCount();
        count.ofBytes(files.stream().mapToLong(FileReset::bytes).sum());
        int some = Math.min(files.size(), FILES_MAX);
        for (int i = 0; i < some; i++) {
            // Spread over all, from the first to the last.
            FileReset file = files.get((int) ((long) i * files.size() / some));
            logs.read(
                    file.after().path(),
                    Optional.of(file.after()).filter(after -> after.offset() > 0),
                    file.before().offset(),
                    ASKED_MAX / some,
                    count::add);
        }
        return count;
    }

    List<EventId> ids() {
        return ids;
    }

    /** What the registry says of {@link #ids}. */
    void answered(LookupAnswers answers) {
        for (int i = 0; i < answers.size(); i++) {
            known += answers.state(i) == Found.State.HELD ? 1 : 0;
            tooOld += answers.state(i) == Found.State.TOO_OLD ? 1 : 0;
        }
    }

    private boolean isExact() {
        return readBytes >= bytes;
    }

    private long events() {
        return isExact() || readBytes == 0
                ? readEvents
                : Math.round((double) readEvents * bytes / readBytes);
    }

    CountedEvents counted() {
        return new CountedEvents(bytes, events(), isExact(), ids.size(), known, tooOld);
    }

    /** The position behind the last item. */
    static Optional<FilePosition> toTheEnd(
            LogRange logs, String path, Optional<FilePosition> from, EventCount count)
            throws IOException {
        return logs.read(path, from, Long.MAX_VALUE, Long.MAX_VALUE, count::add);
    }
}

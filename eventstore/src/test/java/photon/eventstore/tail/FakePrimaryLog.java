package photon.eventstore.tail;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import photon.core.event.LogEvent;
import photon.storage.tail.FilePosition;
import photon.storage.tail.LiveReading;
import photon.storage.tail.LogTroubles;
import photon.storage.tail.TailBatch;
import photon.storage.tail.TailLag;

/** Logs whose records have offsets 0, 1, 2, ...; a life reads on from the positions it is given. */
final class FakePrimaryLog implements PrimaryLog {
    /** Whether the directories of the globs are there. */
    boolean inSight = true;

    Optional<LiveReading> live = Optional.empty();

    /** The file cannot be read on from here, which each life reports once. */
    static final Object CORRUPT = new Object();

    private final List<List<Object>> files;
    private final Set<Integer> reported = new HashSet<>();
    private final long[] next;
    boolean failing;
    int recordsRead;
    long latestMicros = Long.MAX_VALUE;
    private long listedNanos;

    /** So long each poll has taken. */
    Duration pollTook = Duration.ZERO;

    /**
     * @param files per file its records: a LogEvent, a String (a bad record), "" (filtered out) or
     *     {@link #CORRUPT}
     */
    FakePrimaryLog(List<List<Object>> files, List<FilePosition> resume) {
        this.files = files;
        this.next = new long[files.size()];
        for (FilePosition position : resume) {
            next[Integer.parseInt(position.key())] = position.offset();
        }
    }

    @Override
    public TailBatch poll(int recordsMax, long nanoTime) throws IOException {
        if (failing) {
            throw new IOException("the store is away");
        }
        listedNanos = nanoTime - pollTook.toNanos();
        List<TailBatch.Item> items = new ArrayList<>();
        for (int file = 0; file < files.size(); file++) {
            while (next[file] < files.get(file).size() && items.size() < recordsMax) {
                if (files.get(file).get((int) next[file]) == CORRUPT) {
                    if (reported.add(file)) {
                        items.add(corrupt(file, next[file]));
                    }
                    break;
                }
                items.add(item(file, next[file], files.get(file).get((int) next[file])));
                next[file]++;
                recordsRead++;
            }
        }
        return new TailBatch(items, items.size() < recordsMax);
    }

    private static TailBatch.Item item(int file, long offset, Object record) {
        @Nullable LogEvent event = record instanceof LogEvent e ? e : null;
        TailBatch.@Nullable BadRecord bad =
                record instanceof String s && !s.isEmpty()
                        ? new TailBatch.BadRecord(s, new byte[] {'?'})
                        : null;
        return new TailBatch.Item(file, "/logs/" + file, offset, offset + 1, event, bad);
    }

    private static TailBatch.Item corrupt(int file, long offset) {
        TailBatch.BadRecord bad = new TailBatch.BadRecord("corrupt gzip", new byte[0]);
        return new TailBatch.Item(file, "/logs/" + file, offset, offset, null, bad);
    }

    @Override
    public FilePosition position(int file, long offset) {
        return new FilePosition("/logs/" + file, String.valueOf(file), 0, "", offset);
    }

    @Override
    public boolean unread(int file) {
        return next[file] < files.get(file).size();
    }

    @Override
    public TailLag lag() {
        long lag = 0;
        for (int file = 0; file < files.size(); file++) {
            lag += files.get(file).size() - next[file];
        }
        return new TailLag(lag, 0, 0, TailLag.NONE_WAITS, live, LogTroubles.NONE);
    }

    @Override
    public long listedNanos() {
        return listedNanos;
    }

    @Override
    public Duration listEvery() {
        return Duration.ZERO;
    }

    @Override
    public boolean inSight() {
        return inSight;
    }

    @Override
    public List<String> forget(long nanoTime) {
        return List.of();
    }

    @Override
    public int files() {
        return 0;
    }

    @Override
    public long latestMicros() {
        return latestMicros;
    }

    @Override
    public void close() {}
}

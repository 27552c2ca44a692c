package photon.verifier.source;

import com.google.protobuf.ByteString;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import photon.core.event.LogEvent;
import photon.core.id.EventId;
import photon.storage.tail.FilePosition;
import photon.storage.tail.TailBatch;
import photon.storage.tail.Unterminated;

/** Foreign logs in memory: each record of a file is {@link #RECORD_BYTES} long. */
public final class MemoryLogs implements ForeignLogs {
    public static final int RECORD_BYTES = 10;

    private final Map<String, List<Line>> files = new LinkedHashMap<>();
    private final Set<String> broken = new TreeSet<>();
    private final Set<String> missingDirectories = new TreeSet<>();
    private final List<Unterminated> unterminated = new ArrayList<>();
    private int pollsBlind;
    private int opened;
    private int openedLater;
    private int openNow;
    private int mostOpen;
    private long polled;

    /** Whoever reads is told first; may throw. */
    private Runnable onPoll = () -> {};

    public static LogEvent event(EventId id, String content) {
        return new LogEvent(
                id,
                ByteString.copyFrom(id.toBytes()),
                "text-of-" + id.micros(),
                ByteString.EMPTY,
                "",
                ByteString.copyFromUtf8(content));
    }

    /** Appends an event to a file, making it. */
    public void append(String file, EventId id) {
        append(file, id, "{\"of\":" + id.micros() + "}");
    }

    public void append(String file, EventId id, String content) {
        records(file).add(new Line(event(id, content), null));
    }

    public void appendBad(String file) {
        records(file).add(new Line(null, new TailBatch.BadRecord("torn", new byte[] {'x'})));
    }

    public void leaveHalfWritten(String file, long bytes) {
        long offset = (long) records(file).size() * RECORD_BYTES;
        unterminated.add(new Unterminated(file, offset, bytes));
    }

    /** The rest of this file cannot be read, now or ever. */
    public void breakFile(String file) {
        broken.add(file);
    }

    public void mendFile(String file) {
        broken.remove(file);
    }

    public void appendFiltered(String file) {
        records(file).add(new Line(null, null));
    }

    /** The next so many polls find no file at all. */
    public void hideForPolls(int polls) {
        pollsBlind = polls;
    }

    /** A glob names this one. */
    public void removeDirectory(String directory) {
        missingDirectories.add(directory);
    }

    public void bringBackDirectory(String directory) {
        missingDirectories.remove(directory);
    }

    public void onPoll(Runnable hook) {
        onPoll = hook;
    }

    public int opened() {
        return opened;
    }

    /** How often not from the start. */
    public int openedLater() {
        return openedLater;
    }

    /** Readings that are not closed. */
    public int openNow() {
        return openNow;
    }

    public int mostOpen() {
        return mostOpen;
    }

    public long polled() {
        return polled;
    }

    /** The position behind so many records. */
    public FilePosition position(String file, int records) {
        return new FilePosition(file, "key-of-" + file, 0, "", (long) records * RECORD_BYTES);
    }

    private List<Line> records(String file) {
        return files.computeIfAbsent(file, unknown -> new ArrayList<>());
    }

    @Override
    public Reading open(List<FilePosition> resume) {
        opened++;
        openedLater += resume.isEmpty() ? 0 : 1;
        openNow++;
        mostOpen = Math.max(mostOpen, openNow);
        return new MemoryReading(resume);
    }

    private record Line(@Nullable LogEvent event, TailBatch.@Nullable BadRecord bad) {}

    private final class MemoryReading implements Reading {
        private final List<String> names = new ArrayList<>();
        private final Map<String, Integer> next = new HashMap<>();
        private boolean closed;

        MemoryReading(List<FilePosition> resume) {
            for (FilePosition position : resume) {
                next.put(position.path(), (int) (position.offset() / RECORD_BYTES));
            }
        }

        /** Each poll does. */
        @Override
        public void listNext() {}

        @Override
        public TailBatch poll(int recordsMax, long nanoTime) throws IOException {
            onPoll.run();
            if (closed) {
                throw new IOException("closed");
            }
            polled++;
            List<TailBatch.Item> items = new ArrayList<>();
            boolean caughtUp = true;
            boolean blind = pollsBlind > 0;
            pollsBlind = Math.max(0, pollsBlind - 1);
            for (Map.Entry<String, List<Line>> file : files.entrySet()) {
                if (blind) {
                    break;
                }
                if (!names.contains(file.getKey())) {
                    names.add(file.getKey());
                }
                if (broken.contains(file.getKey())) {
                    items.add(
                            new TailBatch.Item(
                                    names.indexOf(file.getKey()),
                                    file.getKey(),
                                    0,
                                    0,
                                    null,
                                    new TailBatch.BadRecord("cannot be read", new byte[0])));
                    continue;
                }
                int at = next.getOrDefault(file.getKey(), 0);
                while (at < file.getValue().size() && items.size() < recordsMax) {
                    Line record = file.getValue().get(at);
                    items.add(
                            new TailBatch.Item(
                                    names.indexOf(file.getKey()),
                                    file.getKey(),
                                    (long) at * RECORD_BYTES,
                                    (at + 1L) * RECORD_BYTES,
                                    record.event(),
                                    record.bad()));
                    at++;
                }
                next.put(file.getKey(), at);
                caughtUp &= at >= file.getValue().size();
            }
            return new TailBatch(items, caughtUp);
        }

        @Override
        public FilePosition position(int file, long offset) {
            return MemoryLogs.this.position(names.get(file), (int) (offset / RECORD_BYTES));
        }

        @Override
        public List<FilePosition> reached() {
            List<FilePosition> reached = new ArrayList<>();
            names.forEach(name -> reached.add(at(name, next.getOrDefault(name, 0))));
            return reached;
        }

        private FilePosition at(String name, int records) {
            return MemoryLogs.this.position(name, records);
        }

        @Override
        public SortedMap<Integer, String> unreadable() {
            SortedMap<Integer, String> found = new TreeMap<>();
            broken.forEach(file -> found.put(names.indexOf(file), "cannot be read"));
            return found;
        }

        @Override
        public Optional<List<FilePosition>> recognise(
                FilePosition file, Collection<FilePosition> wanted) {
            return Optional.of(List.of());
        }

        @Override
        public List<String> missingDirectories() {
            return List.copyOf(missingDirectories);
        }

        @Override
        public List<Unterminated> unterminated() {
            return List.copyOf(unterminated);
        }

        @Override
        public void close() {
            openNow -= closed ? 0 : 1;
            closed = true;
        }
    }
}

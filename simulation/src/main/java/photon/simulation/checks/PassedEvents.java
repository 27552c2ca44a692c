package photon.simulation.checks;

import com.google.common.hash.Hashing;
import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.zip.GZIPInputStream;
import photon.core.id.EventId;
import photon.storage.files.FileStore.FileInfo;
import photon.storage.files.MemoryFileStore;
import photon.storage.format.EventParser;
import photon.storage.format.FileParser;
import photon.storage.format.Parsed;
import photon.storage.tail.FilePosition;

/**
 * Which foreign identities a checkpoint has passed: those whose line ends at or before its offset.
 * Reads each line of a datacenter's logs once, and remembers also what stood in files that are
 * gone.
 */
final class PassedEvents {
    private final DatacenterFiles datacenter;
    private final List<String> globs;
    private final EventParser parser;

    /** Keys of files that are gone are used again. */
    private final Map<String, List<LogFile>> byKey = new TreeMap<>();

    private final TreeSet<String> badPlaces = new TreeSet<>();

    /** The lines of one file that hold an event. */
    private static final class LogFile {
        final FileParser parser;
        final List<Line> lines = new ArrayList<>();
        int readTo;

        /** As it stood on the disk then. */
        byte[] raw = {};

        LogFile(FileParser parser) {
            this.parser = parser;
        }

        boolean mayBe(byte[] now) {
            return now.length >= raw.length
                    && Arrays.equals(now, 0, raw.length, raw, 0, raw.length);
        }

        boolean isMeantBy(FilePosition position) {
            int length = position.prefixLength();
            return length <= raw.length
                    && Hashing.sha256()
                            .hashBytes(raw, 0, length)
                            .toString()
                            .equals(position.prefixHash());
        }
    }

    private record Line(long endOffset, EventId id) {}

    PassedEvents(DatacenterFiles datacenter) {
        this(datacenter, datacenter.allLogs());
    }

    /**
     * @param globs of the logs
     */
    PassedEvents(DatacenterFiles datacenter, List<String> globs) {
        this.datacenter = datacenter;
        this.globs = List.copyOf(globs);
        this.parser = EventParser.of(datacenter.foreign());
    }

    /** Of all lines. */
    SortedSet<EventId> all() throws IOException {
        readOn();
        TreeSet<EventId> ids = new TreeSet<>();
        for (List<LogFile> files : byKey.values()) {
            files.forEach(file -> file.lines.forEach(line -> ids.add(line.id())));
        }
        return ids;
    }

    SortedSet<EventId> passed(List<FilePosition> checkpoint) throws IOException {
        readOn();
        TreeSet<EventId> passed = new TreeSet<>();
        for (FilePosition position : checkpoint) {
            for (LogFile file : byKey.getOrDefault(position.key(), List.of())) {
                if (file.isMeantBy(position)) {
                    file.lines.stream()
                            .filter(line -> line.endOffset() <= position.offset())
                            .forEach(line -> passed.add(line.id()));
                }
            }
        }
        return passed;
    }

    private void readOn() throws IOException {
        MemoryFileStore files = datacenter.files().copy();
        for (String glob : globs) {
            for (FileInfo info : files.glob(glob)) {
                byte[] raw = files.content(info.path());
                LogFile file = file(info.key(), raw);
                if (raw.length > file.raw.length) {
                    file.raw = raw;
                    readOn(file, info.path(), unpacked(raw));
                }
            }
        }
    }

    private LogFile file(String key, byte[] raw) {
        List<LogFile> known = byKey.computeIfAbsent(key, unknown -> new ArrayList<>());
        for (LogFile file : known) {
            if (file.mayBe(raw)) {
                return file;
            }
        }
        LogFile file = new LogFile(parser.forFile());
        known.add(file);
        return file;
    }

    /** Nothing of a compressed file that is not whole. */
    private static byte[] unpacked(byte[] bytes) throws IOException {
        boolean packed = bytes.length > 1 && bytes[0] == 0x1F && bytes[1] == (byte) 0x8B;
        if (!packed) {
            return bytes;
        }
        try (GZIPInputStream gzip = new GZIPInputStream(new ByteArrayInputStream(bytes))) {
            return gzip.readAllBytes();
        } catch (EOFException e) {
            return new byte[0];
        }
    }

    /** Where lines without a usable identity stand, see {@link #place}. */
    SortedSet<String> badPlaces() throws IOException {
        readOn();
        return badPlaces;
    }

    /** The same for one place, whatever name its log has by now. */
    static String place(String path, long offset) {
        String name = path.substring(path.lastIndexOf('/') + 1);
        int dot = name.indexOf('.');
        return (dot < 0 ? name : name.substring(0, dot)) + "@" + offset;
    }

    private void readOn(LogFile file, String path, byte[] bytes) {
        int from = file.readTo;
        for (int at = from; at < bytes.length; at++) {
            if (bytes[at] == '\n') {
                byte[] line = Arrays.copyOfRange(bytes, from, at);
                Parsed parsed = file.parser.parse(line, 0, line.length);
                if (parsed instanceof Parsed.Event event) {
                    file.lines.add(new Line(at + 1L, event.event().id()));
                } else if (parsed instanceof Parsed.Bad) {
                    badPlaces.add(place(path, from));
                }
                from = at + 1;
            }
        }
        file.readTo = from;
    }
}

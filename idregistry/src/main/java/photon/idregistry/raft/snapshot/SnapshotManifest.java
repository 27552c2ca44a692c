package photon.idregistry.raft.snapshot;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.CRC32C;

/**
 * What a snapshot consists of: the last file that is written into it. Lines of text for people; the
 * last is a checksum of those before.
 *
 * @param index the last log index that the snapshot holds
 */
record SnapshotManifest(long term, long index, List<Row> files) {
    static final String NAME = "manifest";

    private static final Pattern FILE_NAME =
            Pattern.compile("[a-z0-9][a-z0-9_-]*(\\.[a-z0-9_-]+)*");
    private static final String HEAD = "photon snapshot ";

    /** Of this text and of the directory. A snapshot of any other version is refused. */
    private static final int VERSION = 1;

    private static final Pattern AT = Pattern.compile("at (\\d+) (\\d+)");
    private static final Pattern FILE = Pattern.compile("file (\\d+) ([0-9a-f]{8}|-) (\\S+)");
    private static final String END = "end ";

    /** A manifest of this many files is some megabytes. */
    private static final long BYTES_MAX = 64 << 20;

    SnapshotManifest {
        files = List.copyOf(files);
    }

    /**
     * One file.
     *
     * @param checksum CRC32C of its bytes; without it the file has checksums of its own
     */
    record Row(String name, long length, Checksum checksum) {}

    /** A CRC32C, or none. */
    record Checksum(boolean present, int crc) {
        static final Checksum NONE = new Checksum(false, 0);

        static Checksum of(CRC32C crc) {
            return new Checksum(true, (int) crc.getValue());
        }

        @Override
        public String toString() {
            return present ? String.format("%08x", crc) : "-";
        }
    }

    /** True for what a file of a snapshot may be called; Ratis adds {@code .md5} to names. */
    static boolean isFileName(String name) {
        return FILE_NAME.matcher(name).matches() && !name.equals(NAME) && !name.endsWith(".md5");
    }

    byte[] toBytes() {
        StringBuilder text = new StringBuilder(HEAD).append(VERSION).append('\n');
        text.append("at ").append(term).append(' ').append(index).append('\n');
        for (Row row : files) {
            text.append("file ").append(row.length()).append(' ').append(row.checksum());
            text.append(' ').append(row.name()).append('\n');
        }
        Checksum before = checksum(text.toString());
        text.append(END).append(before).append('\n');
        return text.toString().getBytes(StandardCharsets.UTF_8);
    }

    private static Checksum checksum(String text) {
        CRC32C crc = new CRC32C();
        crc.update(text.getBytes(StandardCharsets.UTF_8));
        return Checksum.of(crc);
    }

    /**
     * Reads it.
     *
     * @throws IOException naming the file, if it is not whole
     */
    static SnapshotManifest read(Path file) throws IOException {
        if (!Files.exists(file)) {
            throw new IOException("Expected snapshot file " + file + ", but it is missing");
        }
        if (Files.size(file) > BYTES_MAX) {
            throw damaged(file, "it is larger than any");
        }
        return parse(new String(Files.readAllBytes(file), StandardCharsets.UTF_8), file);
    }

    private static SnapshotManifest parse(String text, Path file) throws IOException {
        int end = text.lastIndexOf("\n" + END) + 1;
        String body = text.substring(0, end);
        if (!text.substring(end).equals(END + checksum(body) + "\n")) {
            throw damaged(file, "its checksum is another");
        }
        List<String> lines = body.lines().toList();
        Matcher at = AT.matcher(lines.size() < 2 ? "" : lines.get(1));
        if (!at.matches() || !lines.get(0).equals(HEAD + VERSION)) {
            throw damaged(
                    file,
                    "expected '%s%d' as its first line, but got '%s'"
                            .formatted(HEAD, VERSION, lines.isEmpty() ? "" : lines.get(0)));
        }
        List<Row> rows = new ArrayList<>();
        Set<String> names = new HashSet<>();
        for (String line : lines.subList(2, lines.size())) {
            Matcher row = FILE.matcher(line);
            if (!row.matches() || !isFileName(row.group(3)) || !names.add(row.group(3))) {
                throw damaged(file, "got the line '" + line + "'");
            }
            Checksum checksum =
                    row.group(2).equals("-")
                            ? Checksum.NONE
                            : new Checksum(true, Integer.parseUnsignedInt(row.group(2), 16));
            rows.add(new Row(row.group(3), Long.parseLong(row.group(1)), checksum));
        }
        return new SnapshotManifest(Long.parseLong(at.group(1)), Long.parseLong(at.group(2)), rows);
    }

    private static IOException damaged(Path file, String what) {
        return new IOException("Expected a whole snapshot manifest in " + file + ", but " + what);
    }
}

package photon.idregistry.raft;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.CRC32C;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A small file beside a group's log: up to which index this replica once had on disk what was
 * committed. It is what a log that was cut short is told by; see {@link LogEnd}.
 *
 * <p>It lags behind the log and is not forced to disk: one that is too low only sees less. One line
 * of a fixed length, overwritten in place, with a checksum: what is torn counts for nothing. For
 * one thread.
 */
final class LogMark {
    /** There is none, or it cannot be believed. */
    static final long NONE = -1;

    static final String NAME = "mark";

    private static final Logger LOG = LoggerFactory.getLogger(LogMark.class);
    private static final Pattern FORM =
            Pattern.compile("(photon mark 1: .* up to (\\d{19}) )([0-9a-f]{8})\n");

    private final Path file;
    private long index;

    /**
     * @param group the directory of the group
     */
    LogMark(Path group) throws IOException {
        this.file = group.resolve(NAME);
        this.index = read(group);
        if (index == NONE && Files.exists(file)) {
            LOG.warn("{} was torn: nobody could tell at this start whether the log is whole", file);
        }
    }

    /**
     * What the mark of a group says; {@link #NONE} if there is none, or one that is torn.
     *
     * @throws IOException naming the file, if the disk does not give it
     */
    static long read(Path group) throws IOException {
        Path file = group.resolve(NAME);
        if (!Files.exists(file)) {
            return NONE;
        }
        byte[] bytes;
        try {
            bytes = Files.readAllBytes(file);
        } catch (IOException e) {
            throw new IOException("Cannot read " + file + ": " + e.getMessage(), e);
        }
        Matcher form = FORM.matcher(new String(bytes, StandardCharsets.US_ASCII));
        if (!form.matches() || !form.group(3).equals(crc(form.group(1)))) {
            return NONE;
        }
        return Long.parseLong(form.group(2));
    }

    private static String crc(String text) {
        CRC32C crc = new CRC32C();
        crc.update(text.getBytes(StandardCharsets.US_ASCII));
        return String.format(Locale.ROOT, "%08x", (int) crc.getValue());
    }

    /** All that is committed up to there is on disk. What is not above the mark changes nothing. */
    void raise(long to) throws IOException {
        if (to <= index) {
            return;
        }
        String text =
                String.format(Locale.ROOT, "photon mark 1: committed and on disk up to %019d ", to);
        ByteBuffer bytes =
                ByteBuffer.wrap((text + crc(text) + "\n").getBytes(StandardCharsets.US_ASCII));
        try (FileChannel out =
                FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            while (bytes.hasRemaining()) {
                out.write(bytes);
            }
        }
        index = to;
    }
}

package photon.storage.document;

import static photon.core.error.Checks.check;

import com.google.common.hash.Hashing;
import com.google.common.primitives.Bytes;
import com.google.common.primitives.Longs;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import photon.storage.files.FileStore;
import photon.storage.files.FileStore.FileInfo;
import photon.storage.files.WholeFile;

/**
 * A small document that is replaced as a whole, atomically and durably: each version is a file of
 * its own ({@code NAME.00000000000000000007}), whose exclusive creation is the compare-and-set; two
 * generations are kept. Checksummed. Not thread-safe; other processes may write the same document.
 */
public final class VersionedDocument {
    private static final String MARK = "photon-document-1 ";
    private static final int NUMBER_DIGITS = 20;

    /** Before the name of what is not a version yet. */
    private static final char ASIDE = '_';

    private static final int READ_TRIES_MAX = 10;

    private final FileStore files;
    private final String directory;
    private final String name;

    /** The document {@code name} in {@code directory}, which must exist. */
    public VersionedDocument(FileStore files, String directory, String name) {
        this.files = files;
        this.directory = directory;
        this.name = name;
    }

    /**
     * The newest whole content, under the number of the newest version: where that one is damaged,
     * an older content is handed out, and the next write still comes after the damaged one.
     *
     * @throws IOException if there are versions but none is whole
     */
    public Optional<Version> read() throws IOException {
        for (int i = 0; i < READ_TRIES_MAX; i++) {
            List<Long> numbers = numbers();
            if (numbers.isEmpty()) {
                return Optional.empty();
            }
            for (long number : numbers) {
                byte[] content = content(number);
                if (content != null) {
                    return Optional.of(new Version(numbers.get(0), content));
                }
            }
            if (numbers.equals(numbers())) { // else a writer removed them while we looked
                break;
            }
        }
        throw new IOException(
                "Expected a whole version of the document %s in %s, but each one is damaged"
                        .formatted(name, directory));
    }

    /**
     * Writes version {@code expected + 1} (0: there is none yet), synced.
     *
     * @return false if that version exists already, or a later one: somebody else wrote
     */
    public boolean write(long expected, byte[] content) throws IOException {
        check(expected >= 0, "Expected a version from 0 on, but got %s", expected);
        if (newest() != expected) {
            return false;
        }
        long number = expected + 1;
        byte[] head = header(content).getBytes(StandardCharsets.US_ASCII);
        if (!WholeFile.publishIn(files, directory, fileName(number), Bytes.concat(head, content))) {
            return false;
        }
        files.syncDirectory(directory);
        if (newest() != number) {
            // While we were stalled others wrote on and removed the version that we then made.
            return false;
        }
        removeBefore(number - 1);
        return true;
    }

    /** Whether nobody has written since this version; 0: nobody at all. */
    public boolean isNewest(long number) throws IOException {
        return newest() == number;
    }

    /** One version. */
    public record Version(long number, byte[] content) {}

    private long newest() throws IOException {
        List<Long> numbers = numbers();
        return numbers.isEmpty() ? 0 : numbers.get(0);
    }

    private void removeBefore(long first) throws IOException {
        for (FileInfo entry : files.list(directory)) {
            String file = lastName(entry.path());
            Long number = numberOf(file);
            if (number == null && file.startsWith("_" + name + ".") && file.contains(".aside-")) {
                number = numberOf(file.substring(1, file.indexOf(".aside-")));
            }
            if (number != null && number < first) {
                files.delete(entry.path());
            }
        }
    }

    /** Newest first. */
    private List<Long> numbers() throws IOException {
        return files.list(directory).stream()
                .map(entry -> numberOf(lastName(entry.path())))
                .filter(Objects::nonNull)
                .sorted(Comparator.reverseOrder())
                .toList();
    }

    private @Nullable Long numberOf(String file) {
        return parse(file).filter(f -> f.name().equals(name)).map(FileName::number).orElse(null);
    }

    /** What the name of a version's file says. */
    record FileName(String name, long number) {}

    /** Empty: no version of any document. */
    static Optional<FileName> parse(String file) {
        int dot = file.length() - NUMBER_DIGITS - 1;
        if (dot <= 0 || file.charAt(dot) != '.' || file.charAt(0) == ASIDE) {
            return Optional.empty();
        }
        Long number = Longs.tryParse(file.substring(dot + 1));
        return number == null
                ? Optional.empty()
                : Optional.of(new FileName(file.substring(0, dot), number));
    }

    /** Null: it is damaged, or gone. */
    private byte @Nullable [] content(long number) throws IOException {
        byte[] all;
        try {
            all = WholeFile.read(files, path(number));
        } catch (NoSuchFileException e) {
            return null;
        }
        int headLength = header(new byte[0]).length();
        if (all.length < headLength) {
            return null;
        }
        byte[] content = Arrays.copyOfRange(all, headLength, all.length);
        String head = new String(all, 0, headLength, StandardCharsets.ISO_8859_1);
        return head.equals(header(content)) ? content : null;
    }

    /** Of the same length for every content. */
    private static String header(byte[] content) {
        return MARK + Hashing.sha256().hashBytes(content) + "\n";
    }

    private String path(long number) {
        return directory + "/" + fileName(number);
    }

    private String fileName(long number) {
        return name + "." + ("%0" + NUMBER_DIGITS + "d").formatted(number);
    }

    private static String lastName(String path) {
        return path.substring(path.lastIndexOf('/') + 1);
    }
}

package photon.storage.tail;

import java.io.IOException;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import photon.core.hash.Sha256;
import photon.storage.files.FileStore;
import photon.storage.files.FileStore.FileInfo;
import photon.storage.files.FileStore.ReadFile;
import photon.storage.tail.OpenFile.Kind;

/**
 * Tells whether a file is one that a position names, also when it was compressed or copied since
 * and so has another key: it begins with the same bytes, as it is or without its compression.
 *
 * <p>The first 8 KiB do not tell two files apart that begin alike over more than these. So whoever
 * goes by this asks, too, that the file is as long.
 */
public final class FileRecognition {
    private FileRecognition() {}

    /**
     * Reads the first bytes of a file.
     *
     * @param file where it stood when it was read
     * @param wanted any number of positions; the work grows with the different lengths of prefixes
     * @return those of them that may be positions in this file; empty: it cannot be told now, since
     *     the file is not there, or cannot be read
     */
    public static Optional<List<FilePosition>> recognise(
            FileStore files, FilePosition file, Collection<FilePosition> wanted) {
        SortedSet<Integer> lengths = new TreeSet<>();
        wanted.forEach(position -> lengths.add(position.prefixLength()));
        Beginnings read;
        try (ReadFile open = files.open(file.path())) {
            FileInfo now = files.stat(file.path());
            if (now == null || !now.key().equals(file.key())) {
                return Optional.empty();
            }
            read = beginnings(open, lengths);
        } catch (IOException e) {
            return Optional.empty(); // The tail that reads this file reports errors that go on.
        }
        List<FilePosition> found = new ArrayList<>();
        for (FilePosition position : wanted) {
            String hash = position.prefixHash();
            if (hash.equals(read.raw().get(position.prefixLength()))
                    || hash.equals(read.plain().get(position.prefixLength()))) {
                found.add(position);
            }
        }
        return Optional.of(found);
    }

    /**
     * Hashes of a file's first parts, by length.
     *
     * @param raw as it is
     * @param plain without its compression; empty: it has none
     */
    record Beginnings(Map<Integer, String> raw, Map<Integer, String> plain) {}

    /**
     * Reads the first bytes of an open file.
     *
     * @param lengths of the parts to be hashed; those that it has not are left out
     * @throws IOException if it cannot be read now
     */
    static Beginnings beginnings(ReadFile file, SortedSet<Integer> lengths) throws IOException {
        byte[] raw = new byte[Prefix.BYTES_MAX];
        byte[] plain = new byte[Prefix.BYTES_MAX];
        int rawLength = Prefix.readFirst(file, raw);
        int plainLength = 0;
        Kind kind = OpenFile.kind(raw, rawLength);
        if (kind == Kind.GZIP || kind == Kind.ZSTD) {
            plainLength = readPlain(file, kind, plain);
        }
        return new Beginnings(hashes(raw, rawLength, lengths), hashes(plain, plainLength, lengths));
    }

    private static int readPlain(ReadFile file, Kind kind, byte[] into) throws IOException {
        int length = 0;
        // Its checksum may not have come yet: a hash of these bytes is compared, nothing is joined.
        try (ByteSource source =
                new TrustedSource(
                        kind == Kind.GZIP ? new GzipSource(file) : new ZstdSource(file),
                        MemberBoundary.NONE)) {
            while (length < into.length) {
                int n = source.read(into, length, into.length - length);
                if (n == 0) {
                    break;
                }
                length += n;
            }
        } catch (CorruptStreamException e) {
            return length; // As far as it can be read.
        }
        return length;
    }

    /** The hash of each first part of the bytes, of those lengths that they have. */
    private static Map<Integer, String> hashes(
            byte[] bytes, int available, SortedSet<Integer> lengths) {
        Map<Integer, String> hashes = new HashMap<>();
        MessageDigest digest = Sha256.begin();
        int at = 0;
        for (int length : lengths) {
            if (length > available) {
                break;
            }
            digest.update(bytes, at, length - at);
            at = length;
            hashes.put(length, HexFormat.of().formatHex(copy(digest).digest()));
        }
        return hashes;
    }

    private static MessageDigest copy(MessageDigest digest) {
        try {
            return (MessageDigest) digest.clone();
        } catch (CloneNotSupportedException e) {
            throw new IllegalStateException(e); // That of every Java can be copied.
        }
    }
}

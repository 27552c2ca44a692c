package photon.storage.ledger;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.Optional;
import java.util.function.Consumer;
import photon.storage.files.FileStore;

/**
 * Reads one segment. Entries are written in batches, each synced before the next begins; so only
 * the last batch may be torn, in any way. Damage before it is not explained by a crash.
 */
final class LedgerSegment {
    private static final int READ_BYTES = 1 << 16;

    private final String path;
    private final byte[] bytes;

    private LedgerSegment(String path, byte[] bytes) {
        this.path = path;
        this.bytes = bytes;
    }

    /** Empty: there is no such file. */
    static Optional<LedgerSegment> read(FileStore files, String path) throws IOException {
        try {
            return Optional.of(new LedgerSegment(path, readAll(files, path)));
        } catch (NoSuchFileException e) {
            return Optional.empty();
        }
    }

    private static byte[] readAll(FileStore files, String path) throws IOException {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        byte[] buffer = new byte[READ_BYTES];
        try (FileStore.ReadFile file = files.open(path)) {
            while (true) {
                int count = file.read(all.size(), buffer, 0, buffer.length);
                if (count < 0) {
                    return all.toByteArray();
                }
                all.write(buffer, 0, count);
            }
        }
    }

    /**
     * Hands out the whole entries before the first damage.
     *
     * @throws IOException if the damage is older than the last batch
     */
    void forEach(Consumer<LedgerEntry> entries) throws IOException {
        long whole = 0;
        boolean torn = false;
        int from = 0;
        for (int at = 0; at < bytes.length; at++) {
            if (bytes[at] != '\n') {
                continue;
            }
            LedgerLine line = LedgerLine.decode(bytes, from, at);
            if (line == null) {
                torn = true;
            } else if (!torn) {
                entries.accept(line.entry());
                whole++;
            } else if (line.batchStart() > whole) {
                throw new IOException(
                        "The ledger %s is damaged behind its entry %d: whole entries follow, which a crash cannot explain"
                                .formatted(path, whole));
            }
            from = at + 1;
        }
    }
}

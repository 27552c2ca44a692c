package photon.bench;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.stream.Stream;
import photon.idregistry.table.IdRow;
import photon.idregistry.table.IdTable;
import photon.idregistry.table.LocalTableFiles;
import photon.idregistry.table.MemoryBudget;
import photon.idregistry.table.TableHome;

/** The id table of a shard. */
final class PhotonStore implements TableBench.Store {
    private final Path directory;
    private final IdTable table;
    private final IdRow row = new IdRow();
    private long index;

    /** Seals by itself, and in this thread, so that it is in what is measured. */
    PhotonStore(Path directory, MemoryBudget budget) throws IOException {
        this.directory = directory;
        this.table =
                new IdTable(new TableHome(LocalTableFiles.in(directory), budget, Runnable::run));
    }

    @Override
    public int commit(ByteBuffer packedIds, ByteBuffer packedTokens) {
        table.begin(++index);
        int free = 0;
        while (packedIds.hasRemaining()) {
            row.readId(packedIds);
            row.readToken(packedTokens);
            free += table.putIfAbsent(row) ? 1 : 0;
        }
        return free;
    }

    @Override
    public void seal() {
        // It does so by itself.
    }

    @Override
    public int lookup(ByteBuffer packedIds) {
        int held = 0;
        while (packedIds.hasRemaining()) {
            row.readId(packedIds);
            held += table.find(row) ? 1 : 0;
        }
        return held;
    }

    @Override
    public String size() {
        long sealed = table.sealedRows();
        return String.format(
                Locale.ROOT,
                "%.1f bytes an id in memory, %.1f in files (%d)",
                (double) table.memoryBytes() / (table.count() - sealed),
                (double) bytesOf(directory) / sealed,
                table.sealedFiles());
    }

    static long bytesOf(Path directory) {
        try (Stream<Path> files = Files.list(directory)) {
            long sum = 0;
            for (Path file : files.toList()) {
                sum += Files.size(file);
            }
            return sum;
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        table.close();
    }
}

package photon.idregistry.replicated;

import static photon.core.error.Checks.check;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A snapshot in memory, for the simulator and for tests. Not thread-safe. */
public final class MemorySnapshot implements SnapshotReader {
    private final SortedMap<String, MemoryFile> files = new TreeMap<>();

    private MemorySnapshot() {}

    /**
     * Freezes, writes and closes at once.
     *
     * @param previous what {@link SnapshotWriter#reuse} finds; null for nothing
     */
    public static MemorySnapshot of(ReplicatedState state, @Nullable MemorySnapshot previous)
            throws IOException {
        try (FrozenState frozen = state.freeze()) {
            return of(frozen, previous);
        }
    }

    /** Writes, but does not close, what was frozen. */
    public static MemorySnapshot of(FrozenState frozen, @Nullable MemorySnapshot previous)
            throws IOException {
        MemorySnapshot made = new MemorySnapshot();
        frozen.write(made.new Writer(previous));
        return made;
    }

    /** One that holds a single file. */
    public static MemorySnapshot of(String name, byte[] content) {
        MemorySnapshot made = new MemorySnapshot();
        made.files.put(name, new MemoryFile(content));
        return made;
    }

    @Override
    public List<String> names() {
        return List.copyOf(files.keySet());
    }

    @Override
    public StoredFile file(String name) throws IOException {
        MemoryFile file = files.get(name);
        if (file == null) {
            throw new NoSuchFileException(name);
        }
        return file;
    }

    private final class Writer implements SnapshotWriter {
        private final @Nullable MemorySnapshot previous;
        private boolean open;

        Writer(@Nullable MemorySnapshot previous) {
            this.previous = previous;
        }

        @Override
        public OutputStream create(String name) {
            checkFree(name);
            open = true;
            return new ByteArrayOutputStream() {
                @Override
                public void close() {
                    if (open) {
                        open = false;
                        files.put(name, new MemoryFile(toByteArray()));
                    }
                }
            };
        }

        @Override
        public boolean reuse(String name) {
            checkFree(name);
            MemoryFile file = previous == null ? null : previous.files.get(name);
            if (file != null) {
                files.put(name, file);
            }
            return file != null;
        }

        @Override
        public void link(String name, StoredFile file) throws IOException {
            checkFree(name);
            if (file instanceof MemoryFile inMemory) {
                files.put(name, inMemory);
                return;
            }
            try (InputStream in = file.open()) {
                files.put(name, new MemoryFile(in.readAllBytes()));
            }
        }

        private void checkFree(String name) {
            check(!open, "Expected the last file to be closed before %s", name);
            check(!files.containsKey(name), "Expected each file once, but got %s again", name);
        }
    }

    /** Bytes that nobody changes. */
    private record MemoryFile(byte[] content) implements StoredFile {
        @Override
        public InputStream open() {
            return new ByteArrayInputStream(content);
        }

        @Override
        public long size() {
            return content.length;
        }

        @Override
        public @Nullable Path path() {
            return null;
        }
    }
}

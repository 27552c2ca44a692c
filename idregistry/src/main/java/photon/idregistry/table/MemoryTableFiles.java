package photon.idregistry.table;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import photon.idregistry.replicated.StoredFile;

/** Sealed files in memory, for the simulator and for tests. */
public final class MemoryTableFiles implements TableFiles {
    private final AtomicLong made = new AtomicLong();

    @Override
    public NewFile create() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        return new NewFile() {
            @Override
            public void write(ByteBuffer from) {
                byte[] copy = new byte[from.remaining()];
                from.get(copy);
                bytes.writeBytes(copy);
            }

            @Override
            public TableFile finish() {
                return new MemoryFile(bytes.toByteArray());
            }

            @Override
            public void close() {
                // Nothing is left of it.
            }
        };
    }

    @Override
    public TableFile adopt(StoredFile file) throws IOException {
        try (InputStream in = file.open()) {
            return new MemoryFile(in.readAllBytes());
        }
    }

    @Override
    public void close() {
        // Nothing is open.
    }

    private final class MemoryFile implements TableFile {
        private final String name = "sealed-" + made.incrementAndGet();
        private final byte[] content;

        MemoryFile(byte[] content) {
            this.content = content;
        }

        @Override
        public void read(ByteBuffer into, long position) throws IOException {
            if (position + into.remaining() > content.length) {
                throw new DamagedFileException(name, content.length, "it ends");
            }
            into.put(content, (int) position, into.remaining());
        }

        @Override
        public void delete() {
            // Goes with its last reader.
        }

        @Override
        public String name() {
            return name;
        }

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

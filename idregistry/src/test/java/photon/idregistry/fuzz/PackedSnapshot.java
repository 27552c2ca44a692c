package photon.idregistry.fuzz;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import photon.idregistry.replicated.SnapshotReader;
import photon.idregistry.replicated.StoredFile;

/**
 * A snapshot's files as one string of bytes, so that whoever changes bytes reaches all of them: a
 * byte with the length of the name, the name, two bytes with the length of the content, the
 * content. What is cut short ends there.
 */
final class PackedSnapshot implements SnapshotReader {
    private final TreeMap<String, byte[]> files = new TreeMap<>();

    static byte[] pack(SnapshotReader snapshot) throws IOException {
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        for (String name : snapshot.names()) {
            byte[] named = name.getBytes(StandardCharsets.ISO_8859_1);
            try (InputStream in = snapshot.file(name).open()) {
                byte[] content = in.readAllBytes();
                packed.write(named.length);
                packed.writeBytes(named);
                packed.write(content.length >>> 8);
                packed.write(content.length);
                packed.writeBytes(content);
            }
        }
        return packed.toByteArray();
    }

    static PackedSnapshot unpack(byte[] packed) {
        PackedSnapshot snapshot = new PackedSnapshot();
        ByteBuffer in = ByteBuffer.wrap(packed);
        while (in.remaining() > 2) {
            byte[] name = cut(in, Byte.toUnsignedInt(in.get()));
            int length = in.remaining() < 2 ? 0 : Short.toUnsignedInt(in.getShort());
            snapshot.files.put(new String(name, StandardCharsets.ISO_8859_1), cut(in, length));
        }
        return snapshot;
    }

    private static byte[] cut(ByteBuffer in, int length) {
        byte[] bytes = new byte[Math.min(length, in.remaining())];
        in.get(bytes);
        return bytes;
    }

    @Override
    public List<String> names() {
        return List.copyOf(files.keySet());
    }

    @Override
    public StoredFile file(String name) throws IOException {
        byte[] content = files.get(name);
        if (content == null) {
            throw new NoSuchFileException(name);
        }
        return new StoredFile() {
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
        };
    }
}

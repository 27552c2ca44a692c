package photon.storage.tail;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.zip.CRC32C;
import photon.storage.files.FileStore;

/**
 * Many positions in one file: in order of path, of each path only what differs from the one before,
 * hashes as bytes; behind them, what is known of their contents. About 85 bytes per position. Ends
 * with a CRC32C of all before it.
 */
final class PositionsCodec {
    private static final int MAGIC = 0x50485031; // "PHP1"
    private static final int HASH_BYTES = 32;

    private PositionsCodec() {}

    /** Makes the file, exclusively, and syncs it; its name is durable once its directory was. */
    static void write(FileStore files, String path, List<FilePosition> positions)
            throws IOException {
        byte[] bytes = encode(positions);
        try (FileStore.AppendFile file = files.create(path)) {
            file.write(bytes, 0, bytes.length);
            file.sync();
        }
    }

    /**
     * @throws java.nio.file.NoSuchFileException if there is no such file
     * @throws IOException if it is damaged
     */
    static List<FilePosition> read(FileStore files, String path) throws IOException {
        byte[] bytes;
        try (FileStore.ReadFile file = files.open(path)) {
            bytes = new byte[Math.toIntExact(file.length())];
            int at = 0;
            while (at < bytes.length) {
                int count = file.read(at, bytes, at, bytes.length - at);
                if (count < 0) {
                    break;
                }
                at += count;
            }
            if (at < bytes.length || !isWhole(bytes)) {
                throw new IOException(
                        "The file of positions %s is damaged: restore it, or move the directory that it lies in away and let the dispatcher read its logs again"
                                .formatted(path));
            }
        }
        return decode(bytes);
    }

    static byte[] encode(List<FilePosition> positions) throws IOException {
        List<FilePosition> ordered = new ArrayList<>(positions);
        ordered.sort(Comparator.comparing(FilePosition::path).thenComparing(FilePosition::key));
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        out.writeInt(MAGIC);
        out.writeInt(ordered.size());
        String before = "";
        for (FilePosition position : ordered) {
            int shared = shared(before, position.path());
            out.writeShort(shared);
            out.writeUTF(position.path().substring(shared));
            out.writeUTF(position.key());
            out.writeShort(position.prefixLength());
            writeHash(out, position.prefixHash());
            out.writeLong(position.offset());
            out.writeLong(position.modifiedMillis());
            before = position.path();
        }
        for (FilePosition position : ordered) {
            Integer content = position.contentCrc();
            out.writeBoolean(content != null);
            if (content != null) {
                out.writeInt(content);
            }
        }
        out.writeInt(crc(bytes.toByteArray(), bytes.size()));
        return bytes.toByteArray();
    }

    private static boolean isWhole(byte[] bytes) {
        int end = bytes.length - Integer.BYTES;
        return end >= 2 * Integer.BYTES
                && ByteBuffer.wrap(bytes).getInt() == MAGIC
                && ByteBuffer.wrap(bytes).getInt(end) == crc(bytes, end);
    }

    private static List<FilePosition> decode(byte[] bytes) throws IOException {
        DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes));
        in.readInt();
        int count = in.readInt();
        List<FilePosition> positions = new ArrayList<>(count);
        String before = "";
        for (int i = 0; i < count; i++) {
            String path = before.substring(0, in.readUnsignedShort()) + in.readUTF();
            positions.add(
                    new FilePosition(
                            path,
                            in.readUTF(),
                            in.readUnsignedShort(),
                            readHash(in),
                            in.readLong(),
                            in.readLong()));
            before = path;
        }
        for (int i = 0; i < count && in.available() > Integer.BYTES; i++) {
            if (in.readBoolean()) {
                positions.set(i, positions.get(i).withContent(in.readInt()));
            }
        }
        return positions;
    }

    /** A hash of another form stands as it is. */
    private static void writeHash(DataOutputStream out, String hash) throws IOException {
        byte[] raw = hash.matches("[0-9a-f]{64}") ? HexFormat.of().parseHex(hash) : new byte[0];
        out.writeByte(raw.length);
        if (raw.length > 0) {
            out.write(raw);
        } else {
            out.writeUTF(hash);
        }
    }

    private static String readHash(DataInputStream in) throws IOException {
        int length = in.readByte();
        return length == HASH_BYTES
                ? HexFormat.of().formatHex(in.readNBytes(length))
                : in.readUTF();
    }

    private static int shared(String one, String other) {
        int mismatch = Arrays.mismatch(one.toCharArray(), other.toCharArray());
        int shared = mismatch < 0 ? one.length() : mismatch;
        return Math.min(shared, 0xFFFF);
    }

    private static int crc(byte[] bytes, int end) {
        CRC32C crc = new CRC32C();
        crc.update(bytes, 0, end);
        return (int) crc.getValue();
    }
}

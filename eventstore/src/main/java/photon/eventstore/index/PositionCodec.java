package photon.eventstore.index;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import photon.storage.tail.FilePosition;

/** A file's position as the index stores it. */
final class PositionCodec {
    private static final int VERSION = 2;

    private PositionCodec() {}

    static byte[] encode(FilePosition position) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.writeByte(VERSION);
            out.writeUTF(position.path());
            out.writeUTF(position.key());
            out.writeInt(position.prefixLength());
            out.writeUTF(position.prefixHash());
            out.writeLong(position.offset());
            out.writeLong(position.modifiedMillis());
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot encode " + position, e);
        }
        return bytes.toByteArray();
    }

    static FilePosition decode(byte[] encoded) throws IOException {
        DataInputStream in = new DataInputStream(new ByteArrayInputStream(encoded));
        int version = in.readByte();
        if (version != VERSION) {
            throw new OtherIndexException(
                    "it has a position of format version %d, and this version of Photon writes %d"
                            .formatted(version, VERSION));
        }
        return new FilePosition(
                in.readUTF(),
                in.readUTF(),
                in.readInt(),
                in.readUTF(),
                in.readLong(),
                in.readLong());
    }
}

package photon.idregistry.replicated;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInput;
import java.io.DataInputStream;
import java.io.DataOutput;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;

/** The file of a snapshot that holds what is small: made whole at the freeze. */
public final class StateFile {
    /** Its name. */
    public static final String NAME = "state";

    private StateFile() {}

    /** Writes a state to a stream that does not fail. */
    public interface Content {
        void writeTo(DataOutput out) throws IOException;
    }

    /** Reads a state from a stream. */
    public interface Parser {
        void readFrom(DataInput in) throws IOException;
    }

    /** The content as bytes. */
    public static byte[] bytes(Content content) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            content.writeTo(out);
        } catch (IOException e) {
            throw new UncheckedIOException("Memory takes all that is written to it", e);
        }
        return bytes.toByteArray();
    }

    /** A snapshot of nothing but this file, made now. */
    public static FrozenState freeze(Content content) {
        byte[] bytes = bytes(content);
        return new FrozenState() {
            @Override
            public void write(SnapshotWriter to) throws IOException {
                StateFile.write(bytes, to);
            }

            @Override
            public void close() {
                // Nothing is held.
            }
        };
    }

    /**
     * Refuses a form that this Photon does not read.
     *
     * @param what has the version, as in "a shard's snapshot"
     * @throws IOException if the versions differ
     */
    public static void checkVersion(String what, int expected, int found) throws IOException {
        if (found != expected) {
            throw new IOException(
                    "Expected %s in version %d, but it is in version %d: run the Photon that wrote it"
                            .formatted(what, expected, found));
        }
    }

    /**
     * Reads a length and so many bytes.
     *
     * @param max the most that there can be: a damaged length must not take all memory
     * @throws IOException if the length cannot be right, or the bytes are not there
     */
    public static byte[] readBytes(DataInput in, int max) throws IOException {
        int length = in.readInt();
        if (length < 0 || length > max) {
            throw new IOException("Expected at most " + max + " bytes, but got " + length);
        }
        byte[] bytes = new byte[length];
        in.readFully(bytes);
        return bytes;
    }

    /** Writes the file into a snapshot. */
    public static void write(byte[] bytes, SnapshotWriter to) throws IOException {
        try (OutputStream out = to.create(NAME)) {
            out.write(bytes);
        }
    }

    /**
     * Reads the file of a snapshot, to its end.
     *
     * @throws IOException if it is not there, or goes on behind what is read of it
     */
    public static void read(SnapshotReader from, Parser parser) throws IOException {
        try (DataInputStream in =
                new DataInputStream(new BufferedInputStream(from.file(NAME).open(), 1 << 16))) {
            parser.readFrom(in);
            if (in.read() >= 0) {
                throw new IOException(
                        "Expected the end of snapshot file " + NAME + ", but it goes on");
            }
        }
    }
}

package photon.storage.format;

import com.google.protobuf.ByteString;

/** Parses the records of one file. Not thread-safe. */
public interface FileParser {
    /**
     * Parses one record.
     *
     * @param bytes holds it from {@code from} (inclusive) to {@code to} (exclusive): a line without
     *     its line end, or a frame's payload
     */
    Parsed parse(byte[] bytes, int from, int to);

    /** True: the file is an Avro container file, and records are what the tail makes of it. */
    default boolean readsAvro() {
        return false;
    }

    /** The record that was parsed last, for people; empty: its bytes may be shown as they are. */
    default ByteString shown() {
        return ByteString.EMPTY;
    }

    /**
     * True: the file's header has not been seen yet, so records from the file's beginning are
     * needed before any other.
     */
    default boolean needsHeader() {
        return false;
    }
}

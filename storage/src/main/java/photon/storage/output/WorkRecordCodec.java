package photon.storage.output;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.protobuf.ByteString;
import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import photon.core.error.BugException;
import photon.core.id.CommitToken;
import photon.core.id.EventId;
import photon.core.id.Incarnation;
import photon.storage.output.WorkRecord.JoinedEvent;

/**
 * The payloads of a work log's frames, big-endian. The first frame is the header: kind 0, version,
 * slot, generation, sequence; of version 2 also the format, as text. Each other is a record: kind
 * 1, id, token, content hash, count, and each joined event as output name and bytes with their
 * lengths; of kind 2 with the primary event's id behind the token. A changed layout is a new kind.
 */
final class WorkRecordCodec {
    private static final byte HEADER = 0;
    private static final byte RECORD = 1;
    private static final byte RECORD_WITH_PRIMARY_ID = 2;
    private static final byte VERSION = 1;

    /** With the format that the log is published in, if that is not plain JSON lines. */
    private static final byte VERSION_WITH_FORMAT = 2;

    private WorkRecordCodec() {}

    /**
     * Whose log it is.
     *
     * @param format that it is published in, as {@link
     *     photon.storage.output.format.OutputFormat#description} says it
     */
    record Header(Incarnation incarnation, long sequence, String format) {}

    static byte[] encode(Header header) {
        byte[] format = header.format().getBytes(UTF_8);
        return ByteBuffer.allocate(2 + 4 + 4 + 8 + format.length)
                .put(HEADER)
                .put(format.length == 0 ? VERSION : VERSION_WITH_FORMAT)
                .putInt(header.incarnation().slot())
                .putInt(header.incarnation().generation())
                .putLong(header.sequence())
                .put(format)
                .array();
    }

    static Header decodeHeader(byte[] payload) throws IOException {
        try {
            ByteBuffer from = ByteBuffer.wrap(payload);
            byte kind = from.get();
            byte version = from.get();
            if (kind != HEADER || (version != VERSION && version != VERSION_WITH_FORMAT)) {
                throw new IOException(
                        "Expected a header of version %d or %d, but got kind %d version %d"
                                .formatted(VERSION, VERSION_WITH_FORMAT, kind, version));
            }
            Incarnation incarnation = new Incarnation(from.getInt(), from.getInt());
            long sequence = from.getLong();
            return new Header(
                    incarnation, sequence, version == VERSION ? "" : text(from, from.remaining()));
        } catch (BufferUnderflowException | BugException e) {
            throw new IOException("The header cannot be decoded", e);
        }
    }

    static int sizeMax(WorkRecord record) {
        long size =
                1 + 2 * EventId.BYTES + CommitToken.BYTES + 1 + 3L * record.contentHash().length();
        size += 4;
        for (JoinedEvent event : record.joined()) {
            size += 2 + 3L * event.output().length() + 4 + event.bytes().size();
        }
        return (int) Math.min(size, Integer.MAX_VALUE);
    }

    /**
     * Needs {@link #sizeMax} bytes in the buffer.
     *
     * @param primaryId of the primary event; null: it is left out
     */
    static void encode(WorkRecord record, @Nullable EventId primaryId, ByteBuffer into) {
        into.put(primaryId == null ? RECORD : RECORD_WITH_PRIMARY_ID);
        record.id().write(into);
        record.token().write(into);
        if (primaryId != null) {
            primaryId.write(into);
        }
        byte[] hash = record.contentHash().getBytes(UTF_8);
        into.put((byte) hash.length).put(hash);
        into.putInt(record.joined().size());
        for (JoinedEvent event : record.joined()) {
            byte[] output = event.output().getBytes(UTF_8);
            into.putShort((short) output.length).put(output);
            into.putInt(event.bytes().size());
            event.bytes().copyTo(into);
        }
    }

    /** The joined events' bytes are not copied: they stay parts of the payload. */
    static WorkRecord decode(byte[] payload) throws IOException {
        try {
            ByteBuffer from = ByteBuffer.wrap(payload);
            byte kind = from.get();
            if (kind != RECORD && kind != RECORD_WITH_PRIMARY_ID) {
                throw new IOException("Expected a record, but got kind " + kind);
            }
            EventId id = EventId.read(from);
            CommitToken token = CommitToken.read(from);
            EventId primaryId = kind == RECORD ? null : EventId.read(from);
            String hash = text(from, from.get() & 0xFF);
            int count = from.getInt();
            List<JoinedEvent> joined = new ArrayList<>();
            ByteString all = com.google.protobuf.UnsafeByteOperations.unsafeWrap(payload);
            for (int i = 0; i < count; i++) {
                String output = text(from, from.getShort() & 0xFFFF);
                int length = from.getInt();
                int at = from.position();
                joined.add(new JoinedEvent(output, all.substring(at, at + length)));
                from.position(at + length);
            }
            return new WorkRecord(id, token, primaryId, hash, joined);
        } catch (BufferUnderflowException
                | BugException
                | IndexOutOfBoundsException
                | IllegalArgumentException e) {
            throw new IOException("The record cannot be decoded", e);
        }
    }

    private static String text(ByteBuffer from, int length) {
        if (length == 0) {
            return "";
        }
        byte[] text = new byte[length];
        from.get(text);
        return new String(text, UTF_8);
    }
}

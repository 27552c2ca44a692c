package photon.storage.journal;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import photon.core.event.LogEvent;
import photon.core.id.CommitToken;
import photon.core.id.EventId;
import photon.proto.v1.Event;

/**
 * One change of the table, as it stands in a segment.
 *
 * <p>Versions are numbers that no two changes of a journal share. So a delete can never hit a row
 * that was put after it was decided.
 */
sealed interface JournalEntry {
    JournalRow.Key key();

    /** The row as it was when this was written; replaces an older one of the key. */
    record Put(JournalRow row, long version) implements JournalEntry {
        @Override
        public JournalRow.Key key() {
            return row.key();
        }
    }

    /** New numbers for a row whose event stands in an earlier put. */
    record Update(
            JournalRow.Key key,
            long version,
            long insertedMillis,
            long dueMillis,
            int attempts,
            int priority,
            boolean attemptOpen,
            String reason)
            implements JournalEntry {}

    /** The row of this version is gone; a row of another version stays. */
    record Delete(JournalRow.Key key, long version) implements JournalEntry {}

    byte PUT = 1;
    byte UPDATE = 2;
    byte DELETE = 3;
    int REASON_BYTES_MAX = 1 << 12;

    /** Appends the entry: length, kind, key, version, then what its kind needs. */
    static void write(JournalEntry entry, ByteArrayOutputStream out) {
        byte[] tail = tail(entry);
        CommitToken token = entry.key().lostToken();
        int length =
                2
                        + EventId.BYTES
                        + (token == null ? 0 : CommitToken.BYTES)
                        + Long.BYTES
                        + tail.length;
        ByteBuffer buffer = ByteBuffer.allocate(Integer.BYTES + length);
        buffer.putInt(length);
        buffer.put(entry instanceof Put ? PUT : entry instanceof Update ? UPDATE : DELETE);
        buffer.put((byte) (token == null ? 0 : 1));
        entry.key().id().write(buffer);
        if (token != null) {
            token.write(buffer);
        }
        buffer.putLong(version(entry)).put(tail);
        out.write(buffer.array(), 0, buffer.position());
    }

    private static long version(JournalEntry entry) {
        if (entry instanceof Put put) {
            return put.version();
        }
        return entry instanceof Update update ? update.version() : ((Delete) entry).version();
    }

    private static byte[] tail(JournalEntry entry) {
        if (entry instanceof Put put) {
            JournalRow row = put.row();
            byte[] event = row.event().toProto().toByteArray();
            return numbers(
                    row.insertedMillis(),
                    row.dueMillis(),
                    row.attempts(),
                    row.priority(),
                    row.attemptOpen(),
                    row.reason(),
                    event);
        }
        if (entry instanceof Update update) {
            return numbers(
                    update.insertedMillis(),
                    update.dueMillis(),
                    update.attempts(),
                    update.priority(),
                    update.attemptOpen(),
                    update.reason(),
                    new byte[0]);
        }
        return new byte[0];
    }

    private static byte[] numbers(
            long insertedMillis,
            long dueMillis,
            int attempts,
            int priority,
            boolean attemptOpen,
            String reason,
            byte[] event) {
        byte[] text = reason.getBytes(StandardCharsets.UTF_8);
        int textLength = Math.min(text.length, REASON_BYTES_MAX);
        return ByteBuffer.allocate(27 + textLength + event.length)
                .putLong(insertedMillis)
                .putLong(dueMillis)
                .putInt(attempts)
                .putInt(priority)
                .put((byte) (attemptOpen ? 1 : 0))
                .putShort((short) textLength)
                .put(text, 0, textLength)
                .put(event)
                .array();
    }

    /**
     * Reads one entry at the buffer's position, behind its length.
     *
     * @param where for the error
     */
    static JournalEntry read(ByteBuffer from, String where) throws IOException {
        byte kind = from.get();
        boolean hasToken = from.get() == 1;
        EventId id = EventId.read(from);
        @Nullable CommitToken token = hasToken ? CommitToken.read(from) : null;
        JournalRow.Key key = new JournalRow.Key(id, token);
        long version = from.getLong();
        if (kind == DELETE) {
            return new Delete(key, version);
        }
        if (kind != PUT && kind != UPDATE) {
            throw new IOException(
                    "Expected a journal entry in %s, but got kind %d".formatted(where, kind));
        }
        long insertedMillis = from.getLong();
        long dueMillis = from.getLong();
        int attempts = from.getInt();
        int priority = from.getInt();
        boolean attemptOpen = from.get() == 1;
        byte[] text = new byte[from.getShort()];
        from.get(text);
        String reason = new String(text, StandardCharsets.UTF_8);
        if (kind == UPDATE) {
            return new Update(
                    key,
                    version,
                    insertedMillis,
                    dueMillis,
                    attempts,
                    priority,
                    attemptOpen,
                    reason);
        }
        try {
            LogEvent event = LogEvent.fromProto(Event.parseFrom(ByteString.copyFrom(from)));
            return new Put(
                    new JournalRow(
                            key,
                            event,
                            insertedMillis,
                            dueMillis,
                            attempts,
                            priority,
                            reason,
                            attemptOpen),
                    version);
        } catch (InvalidProtocolBufferException e) {
            throw new IOException("Expected an event in " + where, e);
        }
    }
}

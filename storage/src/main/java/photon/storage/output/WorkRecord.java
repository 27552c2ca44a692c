package photon.storage.output;

import com.google.protobuf.ByteString;
import java.util.List;
import org.jspecify.annotations.Nullable;
import photon.core.id.CommitToken;
import photon.core.id.EventId;

/**
 * All that one foreign event gave: one record of a work log.
 *
 * @param primaryId the primary event's id; null: there is none, or it is not known. A work log
 *     keeps it only where its formats need it
 * @param contentHash 128-bit hash of the foreign record's content, hex: tells a changed repeat of
 *     an identity
 * @param joined in order; empty output name: the main output
 */
public record WorkRecord(
        EventId id,
        CommitToken token,
        @Nullable EventId primaryId,
        String contentHash,
        List<JoinedEvent> joined) {
    /** Longest record, in {@link #encodedBytes()}: the joiner refuses what is longer. */
    public static final int BYTES_MAX = 15 << 20;

    public WorkRecord {
        joined = List.copyOf(joined);
    }

    /** One whose primary event's id no format asks for. */
    public WorkRecord(EventId id, CommitToken token, String contentHash, List<JoinedEvent> joined) {
        this(id, token, null, contentHash, joined);
    }

    /** About how many bytes it takes in a work log, never less. */
    public int encodedBytes() {
        return WorkRecordCodec.sizeMax(this);
    }

    /** One joined event: a line without its line feed, in JSON lines. */
    public record JoinedEvent(String output, ByteString bytes) {}
}

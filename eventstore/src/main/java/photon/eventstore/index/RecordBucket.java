package photon.eventstore.index;

import com.google.protobuf.ByteString;
import com.google.protobuf.CodedOutputStream;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import photon.proto.v1.Event;

/**
 * The records at one place of the index: nearly always one. Several only if different keys hash
 * alike; then all are kept, since dropping one would lose every event that refers to it.
 */
final class RecordBucket {
    private RecordBucket() {}

    /** The record with exactly this key, or null. */
    static @Nullable Event find(byte[] bucket, ByteString key) throws IOException {
        ByteArrayInputStream in = new ByteArrayInputStream(bucket);
        while (true) {
            Event event = Event.parseDelimitedFrom(in);
            if (event == null || event.getKey().equals(key)) {
                return event;
            }
        }
    }

    /** The bucket with one more record. */
    static byte[] with(byte @Nullable [] bucket, Event event) {
        int before = bucket == null ? 0 : bucket.length;
        int size = event.getSerializedSize();
        int header = CodedOutputStream.computeUInt32SizeNoTag(size);
        byte[] grown =
                bucket == null
                        ? new byte[header + size]
                        : Arrays.copyOf(bucket, before + header + size);
        CodedOutputStream out = CodedOutputStream.newInstance(grown, before, header + size);
        try {
            out.writeUInt32NoTag(size);
            event.writeTo(out);
            out.checkNoSpaceLeft();
        } catch (IOException e) {
            throw new UncheckedIOException("An array cannot fail", e);
        }
        return grown;
    }
}

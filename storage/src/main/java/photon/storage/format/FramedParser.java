package photon.storage.format;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.UnsafeByteOperations;
import org.jspecify.annotations.Nullable;
import photon.proto.v1.FramedRecord;

/** Frames with a {@link FramedRecord} each. */
final class FramedParser implements FileParser {
    private static final ByteString NO_FIELDS = ByteString.copyFromUtf8("{}");

    private final EventRules rules;
    private final JsonFields fields;

    FramedParser(EventRules rules) {
        this.rules = rules;
        this.fields = new JsonFields(rules.fieldNames());
    }

    @Override
    public Parsed parse(byte[] bytes, int from, int to) {
        try {
            FramedRecord record = FramedRecord.parser().parseFrom(bytes, from, to - from);
            ByteString json = record.getJson().isEmpty() ? NO_FIELDS : record.getJson();
            byte[] jsonBytes = json.toByteArray();
            fields.read(jsonBytes, 0, jsonBytes.length);
            return rules.judge(new Frame(record, oneLine(json, jsonBytes)));
        } catch (InvalidProtocolBufferException e) {
            return new Parsed.Bad(
                    "Expected the frame to hold a FramedRecord, but it is broken: "
                            + e.getMessage());
        } catch (BadRecordException e) {
            return e.bad();
        }
    }

    /** Between JSON's tokens a line feed means no more than a space; elsewhere it cannot stand. */
    private static ByteString oneLine(ByteString json, byte[] bytes) {
        boolean changed = false;
        for (int i = 0; i < bytes.length; i++) {
            if (bytes[i] == '\n') {
                bytes[i] = ' ';
                changed = true;
            }
        }
        return changed ? UnsafeByteOperations.unsafeWrap(bytes) : json;
    }

    private final class Frame implements RecordFields {
        private final FramedRecord record;
        private final ByteString json;

        private Frame(FramedRecord record, ByteString json) {
            this.record = record;
            this.json = json;
        }

        @Override
        public @Nullable String text(int index) throws BadRecordException {
            return fields.text(index);
        }

        @Override
        public ByteString json() {
            return json;
        }

        @Override
        public ByteString nativeId() {
            return record.getId();
        }

        @Override
        public boolean joined() {
            return !record.getToken().isEmpty();
        }

        @Override
        public int ordinal() {
            return record.getOrdinal();
        }

        @Override
        public ByteString nativePrimaryId() {
            return record.getPrimaryId();
        }
    }
}

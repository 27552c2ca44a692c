package photon.storage.format;

import com.google.protobuf.ByteString;
import org.jspecify.annotations.Nullable;

/** Lines with a JSON object each. The object's bytes are kept as they are. */
final class JsonLinesParser implements FileParser {
    private final EventRules rules;
    private final JsonFields fields;

    JsonLinesParser(EventRules rules) {
        this.rules = rules;
        this.fields = new JsonFields(rules.fieldNames());
    }

    @Override
    public Parsed parse(byte[] bytes, int from, int to) {
        int start = from;
        int end = to;
        while (start < end && isSpace(bytes[start])) {
            start++;
        }
        while (end > start && isSpace(bytes[end - 1])) {
            end--;
        }
        if (start == end) {
            return Parsed.FILTERED;
        }
        try {
            fields.read(bytes, start, end);
        } catch (BadRecordException e) {
            return e.bad();
        }
        return rules.judge(new Line(bytes, start, end));
    }

    private static boolean isSpace(byte b) {
        return b == ' ' || b == '\t' || b == '\r';
    }

    private final class Line implements RecordFields {
        private final byte[] bytes;
        private final int start;
        private final int end;

        private Line(byte[] bytes, int start, int end) {
            this.bytes = bytes;
            this.start = start;
            this.end = end;
        }

        @Override
        public @Nullable String text(int index) throws BadRecordException {
            return fields.text(index);
        }

        @Override
        public ByteString json() {
            return ByteString.copyFrom(bytes, start, end - start);
        }
    }
}

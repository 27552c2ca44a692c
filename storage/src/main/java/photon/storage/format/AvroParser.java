package photon.storage.format;

import com.google.protobuf.ByteString;
import org.jspecify.annotations.Nullable;
import photon.storage.avro.AvroCursor;
import photon.storage.avro.AvroDatum;
import photon.storage.avro.AvroFormatException;
import photon.storage.avro.AvroHeader;
import photon.storage.avro.AvroPayload;

/**
 * Records of an Avro container file, as the tail hands them over ({@link AvroPayload}). A record
 * becomes a JSON object, whose fields are named as in JSON lines.
 */
final class AvroParser implements FileParser {
    private final EventRules rules;
    private final JsonFields fields;
    private final AvroJson json = new AvroJson();
    private @Nullable AvroDatum datum;
    private ByteString last = ByteString.EMPTY;

    AvroParser(EventRules rules) {
        this.rules = rules;
        this.fields = new JsonFields(rules.fieldNames());
    }

    @Override
    public boolean needsHeader() {
        return datum == null;
    }

    @Override
    public boolean readsAvro() {
        return true;
    }

    @Override
    public ByteString shown() {
        return last;
    }

    @Override
    public Parsed parse(byte[] bytes, int from, int to) {
        last = ByteString.EMPTY;
        try {
            return switch (AvroPayload.kind(bytes, from)) {
                case SCHEMA -> {
                    String text = AvroPayload.schemaText(bytes, from, to);
                    datum = new AvroDatum(AvroHeader.schema(text));
                    yield Parsed.FILTERED;
                }
                case RECORD -> record(AvroPayload.recordIn(bytes, from, to));
                case CORRUPT -> new Parsed.Bad(AvroPayload.reason(bytes, from));
            };
        } catch (AvroFormatException e) {
            json.take();
            return new Parsed.Bad(e.reason());
        }
    }

    private Parsed record(AvroCursor cursor) throws AvroFormatException {
        AvroDatum walk = datum;
        if (walk == null) {
            // The tail has read it; here a schema that is nested deep may take more than is there.
            throw new AvroFormatException(
                    "Expected a record of an Avro file with a schema, but the schema could not be read");
        }
        walk.walk(cursor, json);
        last = json.take();
        byte[] bytes = last.toByteArray();
        try {
            fields.read(bytes, 0, bytes.length);
        } catch (BadRecordException e) {
            return e.bad();
        }
        return rules.judge(new Row(last));
    }

    private final class Row implements RecordFields {
        private final ByteString object;

        private Row(ByteString object) {
            this.object = object;
        }

        @Override
        public @Nullable String text(int index) throws BadRecordException {
            return fields.text(index);
        }

        @Override
        public ByteString json() {
            return object;
        }
    }
}

package photon.storage.avro;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.apache.avro.NameValidator;
import org.apache.avro.Schema;

/**
 * What a container file begins with.
 *
 * @param schemaText the schema as the file has it
 * @param sync the marker that stands behind every block
 * @param length of the header: there the first block begins
 */
public record AvroHeader(
        Schema schema, String schemaText, AvroCodec codec, byte[] sync, int length) {
    public static final int SYNC_BYTES = 16;

    /** A schema of 2,000 records with 30,000 fields takes seconds. */
    private static final long RECORDS_BY_TEXTS_MAX = 200_000_000;

    private static final JsonFactory JSON = new JsonFactory();
    private static final byte[] MAGIC = {'O', 'b', 'j', 1};

    /** Whether a file may be a container file, by as many of its first bytes as are there. */
    public static boolean mayBegin(byte[] first, int available) {
        int length = Math.min(available, MAGIC.length);
        return Arrays.equals(first, 0, length, MAGIC, 0, length);
    }

    /**
     * Reads the header.
     *
     * @throws AvroFormatException if it is none, or is {@link AvroFormatException#tooShort}
     */
    public static AvroHeader parse(byte[] first, int available) throws AvroFormatException {
        if (!mayBegin(first, available)) {
            throw new AvroFormatException(
                    "Expected an Avro container file, but it does not begin with 'Obj' and 1");
        }
        AvroCursor cursor = new AvroCursor(first, 0, available);
        cursor.take(MAGIC.length);
        String schema = "";
        String codec = "null";
        for (long count = cursor.readLong(); count != 0; count = cursor.readLong()) {
            if (count < 0) {
                cursor.readLong();
            }
            for (long i = 0; i < Math.abs(count); i++) {
                String key = text(cursor);
                String value = text(cursor);
                schema = key.equals("avro.schema") ? value : schema;
                codec = key.equals("avro.codec") ? value : codec;
            }
        }
        int sync = cursor.take(SYNC_BYTES);
        String named = codec;
        return new AvroHeader(
                schema(schema),
                schema,
                AvroCodec.of(codec)
                        .orElseThrow(
                                () ->
                                        new AvroFormatException(
                                                "Expected a container file with the codec %s, but its codec is '%s'"
                                                        .formatted(AvroCodec.NAMES, named))),
                Arrays.copyOfRange(first, sync, sync + SYNC_BYTES),
                cursor.at());
    }

    /** The schema of a file's records, as its header has it. */
    public static Schema schema(String text) throws AvroFormatException {
        mustBeParsedSoon(text);
        Schema schema;
        try {
            schema =
                    new Schema.Parser(NameValidator.NO_VALIDATION)
                            .setValidateDefaults(false)
                            .parse(text);
        } catch (RuntimeException e) { // of any kind: Avro trusts the text in many places
            throw broken(String.valueOf(e.getMessage()));
        } catch (StackOverflowError e) {
            throw broken("its types are nested too deep");
        }
        if (schema.getType() != Schema.Type.RECORD) {
            throw new AvroFormatException(
                    "Expected a container file of records, but its schema is of type "
                            + schema.getType().getName());
        }
        return schema;
    }

    /** Avro visits, for each record, all that it leads to. */
    private static void mustBeParsedSoon(String text) throws AvroFormatException {
        long records = 0;
        long texts = 0;
        try (JsonParser json = JSON.createParser(text)) {
            for (JsonToken token = json.nextToken(); token != null; token = json.nextToken()) {
                if (token == JsonToken.FIELD_NAME && json.currentName().equals("fields")) {
                    records++;
                } else if (token == JsonToken.VALUE_STRING) {
                    texts++;
                }
            }
        } catch (IOException e) {
            throw broken(String.valueOf(e.getMessage()));
        }
        if (records * texts > RECORDS_BY_TEXTS_MAX) {
            throw broken(
                    "it has %d records and %d names, more than can be read in time"
                            .formatted(records, texts));
        }
    }

    private static AvroFormatException broken(String why) {
        return new AvroFormatException(
                "Expected a container file with a schema, but it is broken: " + why);
    }

    private static String text(AvroCursor cursor) throws AvroFormatException {
        int length = cursor.readLength();
        int at = cursor.take(length);
        return new String(cursor.bytes(), at, length, StandardCharsets.UTF_8);
    }
}

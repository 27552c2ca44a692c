package photon.storage.avro;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.UUID;
import org.apache.avro.LogicalType;
import org.apache.avro.LogicalTypes;
import org.apache.avro.Schema;

/**
 * Walks through values of one schema as Avro's binary encoding has them. What hostile bytes can ask
 * for is bounded: depth, and values that take no bytes. Not thread-safe.
 */
public final class AvroDatum {
    private static final int DEPTH_MAX = 900;
    private static final int ELEMENTS_MAX = 8 << 20;

    /**
     * A cursor leads through at most this many values for each of its bytes, and {@link
     * #VALUES_WITHOUT_BYTES} more. Without a bound, a schema of a few records that name each other
     * has more values than can be visited, none of which takes a byte.
     */
    private static final long VALUES_PER_BYTE = 4;

    private static final long VALUES_WITHOUT_BYTES = 2L * ELEMENTS_MAX;

    /** Of a larger scale a number would be written with as many digits: it stays bytes. */
    private static final int SCALE_MAX = 1_000;

    /** A longer number stays bytes: its digits take more time the longer it is, by the square. */
    private static final int DECIMAL_BYTES_MAX = 1 << 10;

    private final Schema schema;
    private final IdentityHashMap<Schema, byte[][]> names = new IdentityHashMap<>();
    private AvroCursor from = new AvroCursor(new byte[0], 0, 0);
    private AvroSink to = AvroSink.NONE;
    private int elements;
    private long values;
    private long valuesMax;

    public AvroDatum(Schema schema) {
        this.schema = schema;
    }

    /** Walks through one value, and moves the cursor behind it. */
    public void walk(AvroCursor cursor, AvroSink sink) throws AvroFormatException {
        if (from != cursor) {
            from = cursor;
            values = 0;
            valuesMax = VALUES_WITHOUT_BYTES + VALUES_PER_BYTE * cursor.left();
        }
        to = sink;
        elements = 0;
        value(schema, 0);
    }

    /** How many values the cursor of the last walk has led through, in all its walks. */
    public long values() {
        return values;
    }

    private void value(Schema type, int depth) throws AvroFormatException {
        values++;
        if (values > valuesMax) {
            throw new AvroFormatException(
                    "it has more than %d values, most of which take no bytes".formatted(valuesMax));
        }
        if (depth > DEPTH_MAX) {
            throw new AvroFormatException("it is nested more than %d deep".formatted(DEPTH_MAX));
        }
        to.check();
        switch (type.getType()) {
            case RECORD -> object(type, depth);
            case MAP -> map(type.getValueType(), depth);
            case ARRAY -> array(type.getElementType(), depth);
            case UNION -> value(branch(type.getTypes()), depth + 1);
            case NULL -> to.nothing();
            case BOOLEAN -> to.truth(from.readBoolean());
            case INT -> whole();
            case LONG -> to.whole(from.readLong());
            case FLOAT -> to.number(from.readFloat());
            case DOUBLE -> to.number(from.readDouble());
            case ENUM -> symbol(type);
            case STRING -> {
                int length = from.readLength();
                int at = from.take(length);
                to.text(from.bytes(), at, at + length);
            }
            case BYTES -> octets(type, from.readLength());
            case FIXED -> octets(type, type.getFixedSize());
        }
    }

    private void object(Schema type, int depth) throws AvroFormatException {
        byte[][] fields = names.computeIfAbsent(type, AvroDatum::names);
        to.beginObject();
        for (int i = 0; i < fields.length; i++) {
            to.field(fields[i], 0, fields[i].length);
            value(type.getFields().get(i).schema(), depth + 1);
        }
        to.endObject();
    }

    private static byte[][] names(Schema type) {
        return type.getFields().stream()
                .map(field -> field.name().getBytes(StandardCharsets.UTF_8))
                .toArray(byte[][]::new);
    }

    private void map(Schema type, int depth) throws AvroFormatException {
        to.beginObject();
        for (long count = count(); count > 0; count = count()) {
            for (long i = 0; i < count; i++) {
                int length = from.readLength();
                int at = from.take(length);
                to.field(from.bytes(), at, at + length);
                value(type, depth + 1);
            }
        }
        to.endObject();
    }

    private void array(Schema type, int depth) throws AvroFormatException {
        to.beginArray();
        for (long count = count(); count > 0; count = count()) {
            for (long i = 0; i < count; i++) {
                to.element();
                value(type, depth + 1);
            }
        }
        to.endArray();
    }

    /** How many elements come next; 0: no more. */
    private long count() throws AvroFormatException {
        long count = from.readLong();
        if (count < 0) {
            from.readLong(); // how many bytes they take
            count = -count;
        }
        if (count < 0 || count > ELEMENTS_MAX - elements) {
            throw new AvroFormatException("it has more than %d elements".formatted(ELEMENTS_MAX));
        }
        elements += (int) count;
        return count;
    }

    private Schema branch(List<Schema> types) throws AvroFormatException {
        return types.get(index(types.size(), "a union of %d types has number %d"));
    }

    private void symbol(Schema type) throws AvroFormatException {
        List<String> symbols = type.getEnumSymbols();
        to.text(symbols.get(index(symbols.size(), "an enum of %d symbols has number %d")));
    }

    private int index(int size, String wrong) throws AvroFormatException {
        long index = from.readLong();
        if (index < 0 || index >= size) {
            throw new AvroFormatException(wrong.formatted(size, index));
        }
        return (int) index;
    }

    private void whole() throws AvroFormatException {
        long value = from.readLong();
        if (value != (int) value) {
            throw new AvroFormatException("an int is %d".formatted(value));
        }
        to.whole(value);
    }

    private void octets(Schema type, int length) throws AvroFormatException {
        int at = from.take(length);
        LogicalType logical = type.getLogicalType();
        if (logical instanceof LogicalTypes.Decimal decimal
                && length > 0
                && length <= DECIMAL_BYTES_MAX
                && Math.abs(decimal.getScale()) <= SCALE_MAX) {
            byte[] unscaled = Arrays.copyOfRange(from.bytes(), at, at + length);
            to.decimal(new BigDecimal(new BigInteger(unscaled), decimal.getScale()));
        } else if (logical instanceof LogicalTypes.Uuid && length == 2 * Long.BYTES) {
            ByteBuffer uuid = ByteBuffer.wrap(from.bytes(), at, length);
            to.text(new UUID(uuid.getLong(), uuid.getLong()).toString());
        } else {
            to.octets(from.bytes(), at, at + length);
        }
    }
}

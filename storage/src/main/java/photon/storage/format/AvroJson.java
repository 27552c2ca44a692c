package photon.storage.format;

import com.google.protobuf.ByteString;
import java.math.BigDecimal;
import java.math.MathContext;
import java.nio.charset.StandardCharsets;
import java.util.function.Predicate;
import photon.storage.avro.AvroFormatException;
import photon.storage.avro.AvroSink;

/**
 * Writes Avro values as JSON. A value's text may become a part of an identity, so each has one text
 * in every version of Photon and of Java. Not thread-safe.
 */
final class AvroJson implements AvroSink {
    /** An event may not be larger anyway. */
    private static final int BYTES_MAX = 16 << 20;

    private static final double WHOLE_MAX = 1L << 53;
    private static final byte[] NULL = {'n', 'u', 'l', 'l'};

    private final JsonBytes json = new JsonBytes();
    private boolean first = true;

    ByteString take() {
        first = true;
        return json.take();
    }

    @Override
    public void check() throws AvroFormatException {
        if (json.length() > BYTES_MAX) {
            throw new AvroFormatException(
                    "Expected a record of at most %d bytes as JSON, but it has more"
                            .formatted(BYTES_MAX));
        }
    }

    @Override
    public void beginObject() {
        json.raw('{');
        first = true;
    }

    @Override
    public void field(byte[] utf8, int from, int to) {
        element();
        text(utf8, from, to);
        json.raw(':');
    }

    @Override
    public void endObject() {
        json.raw('}');
        first = false;
    }

    @Override
    public void beginArray() {
        json.raw('[');
        first = true;
    }

    @Override
    public void element() {
        if (!first) {
            json.raw(',');
        }
        first = false;
    }

    @Override
    public void endArray() {
        json.raw(']');
        first = false;
    }

    @Override
    public void nothing() {
        json.raw(NULL);
    }

    @Override
    public void truth(boolean value) {
        ascii(Boolean.toString(value));
    }

    @Override
    public void whole(long value) {
        ascii(Long.toString(value));
    }

    @Override
    public void number(double value) {
        if (Double.isNaN(value) || Double.isInfinite(value)) {
            text(Double.toString(value)); // JSON has no such numbers
        } else if (value == Math.rint(value) && Math.abs(value) < WHOLE_MAX) {
            ascii((value == 0 && 1 / value < 0 ? "-0" : Long.toString((long) value)) + ".0");
        } else {
            ascii(shortest(value, 15, 17, text -> Double.parseDouble(text) == value));
        }
    }

    @Override
    public void number(float value) {
        if (Float.isNaN(value) || Float.isInfinite(value) || value == Math.rint(value)) {
            number((double) value);
        } else {
            ascii(shortest(value, 6, 9, text -> Float.parseFloat(text) == value));
        }
    }

    /** As few digits as give the number back: what Java itself prints differs between versions. */
    private static String shortest(
            double value, int digits, int digitsMax, Predicate<String> same) {
        BigDecimal exact = new BigDecimal(value);
        for (int i = digits; i < digitsMax; i++) {
            String text = exact.round(new MathContext(i)).stripTrailingZeros().toString();
            if (same.test(text)) {
                return text;
            }
        }
        return exact.round(new MathContext(digitsMax)).stripTrailingZeros().toString();
    }

    @Override
    public void decimal(BigDecimal value) {
        ascii(value.toPlainString());
    }

    @Override
    public void text(byte[] utf8, int from, int to) {
        json.raw('"');
        json.text(utf8, from, to);
        json.raw('"');
    }

    @Override
    public void text(String value) {
        json.raw('"');
        json.text(value);
        json.raw('"');
    }

    /** One character for each byte, as Avro's own JSON has it. */
    @Override
    public void octets(byte[] bytes, int from, int to) {
        text(new String(bytes, from, to - from, StandardCharsets.ISO_8859_1));
    }

    private void ascii(String text) {
        json.raw(text.getBytes(StandardCharsets.US_ASCII));
    }
}

package photon.storage.avro;

import java.math.BigDecimal;

/** Gets the parts of a value in order. By default it does nothing with them. */
public interface AvroSink {
    /** Takes no note of values: only where they end matters. */
    AvroSink NONE = new AvroSink() {};

    default void beginObject() {}

    /** What comes next is the value of this field of an object. */
    default void field(byte[] utf8, int from, int to) {}

    default void endObject() {}

    default void beginArray() {}

    /** What comes next is an element of an array. */
    default void element() {}

    default void endArray() {}

    default void nothing() {}

    default void truth(boolean value) {}

    default void whole(long value) {}

    default void number(double value) {}

    default void number(float value) {}

    default void decimal(BigDecimal value) {}

    /** A text, well-formed or not. */
    default void text(byte[] utf8, int from, int to) {}

    default void text(String value) {}

    /** Bytes that are no text. */
    default void octets(byte[] bytes, int from, int to) {}

    /**
     * Called before each value.
     *
     * @throws AvroFormatException if it has had enough
     */
    default void check() throws AvroFormatException {}
}

package photon.storage.avro;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Reads Avro's binary encoding out of an array, value by value. Not thread-safe. */
public final class AvroCursor {
    private static final int LONG_BYTES_MAX = 10;

    private final byte[] bytes;
    private final int end;
    private int at;

    /** Reads from {@code from} on; {@code end} is the first byte that is not the cursor's. */
    public AvroCursor(byte[] bytes, int from, int end) {
        this.bytes = bytes;
        this.at = from;
        this.end = end;
    }

    /** Index of the next byte. */
    public int at() {
        return at;
    }

    /** How many bytes come. */
    int left() {
        return end - at;
    }

    byte[] bytes() {
        return bytes;
    }

    /** A number of up to 64 bits in zigzag encoding; an int is written so, too. */
    public long readLong() throws AvroFormatException {
        long value = 0;
        for (int i = 0; i < LONG_BYTES_MAX; i++) {
            byte b = bytes[take(1)];
            value |= (b & 0x7FL) << (7 * i);
            if (b >= 0) {
                return value >>> 1 ^ -(value & 1);
            }
        }
        throw new AvroFormatException("a number has more than 10 bytes");
    }

    /** The length of what comes next. */
    int readLength() throws AvroFormatException {
        long length = readLong();
        if (length < 0 || length > Integer.MAX_VALUE) {
            throw new AvroFormatException("a value is said to have %d bytes".formatted(length));
        }
        return (int) length;
    }

    boolean readBoolean() throws AvroFormatException {
        byte b = bytes[take(1)];
        if (b != 0 && b != 1) {
            throw new AvroFormatException("a truth value is %d".formatted(b));
        }
        return b == 1;
    }

    float readFloat() throws AvroFormatException {
        int from = take(Float.BYTES);
        return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).getFloat(from);
    }

    double readDouble() throws AvroFormatException {
        int from = take(Double.BYTES);
        return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).getDouble(from);
    }

    /** Moves on by this many bytes, and returns the index of the first. */
    int take(int count) throws AvroFormatException {
        if (count > end - at) {
            throw new AvroFormatException("it ends in the midst of a value", true);
        }
        int from = at;
        at += count;
        return from;
    }
}

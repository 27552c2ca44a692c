package photon.storage.format;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * One line split into fields by RFC 4180: a field that begins with a quote ends at the next quote
 * that is not doubled; a quote inside another field means itself. Keeps positions in the given
 * bytes only, so nothing is copied before it is asked for. Not thread-safe.
 */
final class CsvLine {
    private static final byte PLAIN = 0;
    private static final byte QUOTED = 1;
    private static final byte DOUBLED = 2; // quoted, with doubled quotes inside

    private final byte[] separator;
    private byte[] bytes = new byte[0];
    private int[] starts = new int[32];
    private int[] ends = new int[32];
    private byte[] kinds = new byte[32];
    private int fields;

    CsvLine(char separator) {
        this.separator = String.valueOf(separator).getBytes(StandardCharsets.UTF_8);
    }

    /**
     * @return null, or what is wrong with the line; then the fields mean nothing
     */
    @Nullable String split(byte[] line, int from, int to) {
        bytes = line;
        fields = 0;
        int at = from;
        while (true) {
            if (at < to && line[at] == '"') {
                int close = closingQuote(at + 1, to);
                if (close < 0) {
                    return "Expected the quote of field %s to be closed in its line, but it is not"
                            .formatted(fields + 1);
                }
                ends[fields] = close;
                fields++;
                at = close + 1;
                if (at < to && !isSeparator(at, to)) {
                    return "Expected a separator after the closing quote of field %s, but there is none"
                            .formatted(fields);
                }
            } else {
                int end = at;
                while (end < to && !isSeparator(end, to)) {
                    end++;
                }
                add(at, end, PLAIN);
                at = end;
            }
            if (at >= to) {
                return null;
            }
            at += separator.length;
        }
    }

    int fields() {
        return fields;
    }

    /** Null: the field is no UTF-8. */
    @Nullable String text(int field) {
        int start = starts[field];
        int end = ends[field];
        if (kinds[field] == DOUBLED) {
            byte[] single = undoubled(field);
            return decode(single, 0, single.length);
        }
        return decode(bytes, start, end);
    }

    /** Writes the field as the inside of a JSON string; what is no UTF-8 becomes U+FFFD. */
    void writeTo(JsonBytes json, int field) {
        byte[] source = bytes;
        int start = starts[field];
        int end = ends[field];
        if (kinds[field] == DOUBLED) {
            source = undoubled(field);
            start = 0;
            end = source.length;
        }
        if (isAscii(source, start, end)) {
            json.text(source, start, end);
        } else {
            json.text(new String(source, start, end - start, StandardCharsets.UTF_8));
        }
    }

    /** Index of the quote that closes, and adds the field up to it with its kind; -1: none. */
    private int closingQuote(int from, int to) {
        byte kind = QUOTED;
        for (int i = from; i < to; i++) {
            if (bytes[i] == '"') {
                if (i + 1 < to && bytes[i + 1] == '"') {
                    kind = DOUBLED;
                    i++;
                } else {
                    reserve();
                    starts[fields] = from;
                    kinds[fields] = kind;
                    return i;
                }
            }
        }
        return -1;
    }

    private void add(int start, int end, byte kind) {
        reserve();
        starts[fields] = start;
        ends[fields] = end;
        kinds[fields] = kind;
        fields++;
    }

    private void reserve() {
        if (fields == starts.length) {
            starts = Arrays.copyOf(starts, fields * 2);
            ends = Arrays.copyOf(ends, fields * 2);
            kinds = Arrays.copyOf(kinds, fields * 2);
        }
    }

    private boolean isSeparator(int at, int to) {
        if (bytes[at] != separator[0]) {
            return false;
        }
        for (int i = 1; i < separator.length; i++) {
            if (at + i >= to || bytes[at + i] != separator[i]) {
                return false;
            }
        }
        return true;
    }

    private byte[] undoubled(int field) {
        byte[] single = new byte[ends[field] - starts[field]];
        int length = 0;
        for (int i = starts[field]; i < ends[field]; i++) {
            single[length++] = bytes[i];
            if (bytes[i] == '"') {
                i++;
            }
        }
        return Arrays.copyOf(single, length);
    }

    private static @Nullable String decode(byte[] source, int start, int end) {
        if (isAscii(source, start, end)) {
            return new String(source, start, end - start, StandardCharsets.ISO_8859_1);
        }
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(source, start, end - start))
                    .toString();
        } catch (CharacterCodingException e) {
            return null;
        }
    }

    private static boolean isAscii(byte[] source, int start, int end) {
        for (int i = start; i < end; i++) {
            if (source[i] < 0) {
                return false;
            }
        }
        return true;
    }
}

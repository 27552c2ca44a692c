package photon.adapter.testing;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads one JSON document strictly: a map, a list, a text, a {@link Literal} or null. Written here
 * because this jar has no dependencies.
 */
final class JsonText {
    private static final int DEPTH_MAX = 1_000;

    private final String text;
    private int at;

    private JsonText(String text) {
        this.text = text;
    }

    /** A number, {@code true} or {@code false}, as it is written. */
    record Literal(String text) {}

    /**
     * @throws IllegalArgumentException that says what is wrong, and where
     */
    static @Nullable Object parse(byte[] utf8) {
        try {
            return parse(
                    StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(utf8)).toString());
        } catch (CharacterCodingException e) {
            throw new IllegalArgumentException("it is not UTF-8", e);
        }
    }

    static @Nullable Object parse(String text) {
        JsonText json = new JsonText(text);
        Object value = json.value(0);
        json.space();
        if (json.at < text.length()) {
            throw json.wrong("nothing more");
        }
        return value;
    }

    private @Nullable Object value(int depth) {
        space();
        if (depth > DEPTH_MAX) {
            throw wrong("at most " + DEPTH_MAX + " levels");
        }
        if (next('{')) {
            return object(depth);
        }
        if (next('[')) {
            return list(depth);
        }
        if (next('"')) {
            return string();
        }
        int begin = at;
        while (at < text.length() && isOfLiteral(text.charAt(at))) {
            at++;
        }
        String literal = text.substring(begin, at);
        if (literal.equals("null")) {
            return null;
        }
        if (literal.equals("true")
                || literal.equals("false")
                || literal.matches("-?(0|[1-9]\\d*)(\\.\\d+)?([eE][+-]?\\d+)?")) {
            return new Literal(literal);
        }
        at = begin;
        throw wrong("a JSON value");
    }

    private static boolean isOfLiteral(char c) {
        return Character.isLetterOrDigit(c) || "+-.".indexOf(c) >= 0;
    }

    private Map<String, @Nullable Object> object(int depth) {
        Map<String, @Nullable Object> object = new LinkedHashMap<>();
        space();
        if (next('}')) {
            return object;
        }
        do {
            space();
            need('"', "a field's name in quotes");
            String name = string();
            space();
            need(':', "':'");
            object.put(name, value(depth + 1));
            space();
        } while (next(','));
        need('}', "',' or '}'");
        return object;
    }

    private List<@Nullable Object> list(int depth) {
        List<@Nullable Object> list = new ArrayList<>();
        space();
        if (next(']')) {
            return list;
        }
        do {
            list.add(value(depth + 1));
            space();
        } while (next(','));
        need(']', "',' or ']'");
        return list;
    }

    private String string() {
        StringBuilder string = new StringBuilder();
        while (at < text.length() && text.charAt(at) != '"') {
            char c = text.charAt(at);
            if (c < 0x20) {
                throw wrong("no control character in a text: it must be escaped");
            }
            at++;
            string.append(c == '\\' ? escaped() : c);
        }
        need('"', "a quote at the end of the text");
        return string.toString();
    }

    private char escaped() {
        char c = at < text.length() ? text.charAt(at) : ' ';
        if (c == 'u' && hex(at + 1)) {
            at += 5;
            return (char) Integer.parseInt(text.substring(at - 4, at), 16);
        }
        int known = "\"\\/bfnrt".indexOf(c);
        if (known < 0) {
            throw wrong("an escape such as \\n");
        }
        at++;
        return "\"\\/\b\f\n\r\t".charAt(known);
    }

    private boolean hex(int from) {
        return from + 4 <= text.length() && text.substring(from, from + 4).matches("[0-9a-fA-F]+");
    }

    private void space() {
        while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) {
            at++;
        }
    }

    private boolean next(char c) {
        boolean found = at < text.length() && text.charAt(at) == c;
        at += found ? 1 : 0;
        return found;
    }

    private void need(char c, String expected) {
        if (!next(c)) {
            throw wrong(expected);
        }
    }

    private IllegalArgumentException wrong(String expected) {
        return new IllegalArgumentException(
                "expected %s at character %d, but found %s"
                        .formatted(
                                expected,
                                at,
                                at < text.length() ? "'" + text.charAt(at) + "'" : "the end"));
    }

    /** The text of a value, as JSON but for a text, which has no quotes. */
    static String asText(Object value) {
        if (value instanceof String string) {
            return string;
        }
        StringBuilder out = new StringBuilder();
        write(out, value);
        return out.toString();
    }

    private static void write(StringBuilder out, @Nullable Object value) {
        if (value instanceof Literal literal) {
            out.append(literal.text());
        } else if (value instanceof String string) {
            quote(out, string);
        } else if (value instanceof Map<?, ?> object) {
            String separator = "{";
            for (Map.Entry<?, ?> field : object.entrySet()) {
                out.append(separator);
                quote(out, String.valueOf(field.getKey()));
                out.append(':');
                write(out, field.getValue());
                separator = ",";
            }
            out.append(object.isEmpty() ? "{}" : "}");
        } else if (value instanceof List<?> list) {
            String separator = "[";
            for (Object element : list) {
                out.append(separator);
                write(out, element);
                separator = ",";
            }
            out.append(list.isEmpty() ? "[]" : "]");
        } else {
            out.append("null");
        }
    }

    /** Half of a surrogate pair has no UTF-8. */
    private static boolean isHalf(String text, int at) {
        char c = text.charAt(at);
        if (Character.isHighSurrogate(c)) {
            return at + 1 == text.length() || !Character.isLowSurrogate(text.charAt(at + 1));
        }
        return Character.isLowSurrogate(c)
                && (at == 0 || !Character.isHighSurrogate(text.charAt(at - 1)));
    }

    static void quote(StringBuilder out, String text) {
        out.append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                out.append('\\').append(c);
            } else if (c < 0x20 || isHalf(text, i)) {
                out.append("\\u%04x".formatted((int) c));
            } else {
                out.append(c);
            }
        }
        out.append('"');
    }
}

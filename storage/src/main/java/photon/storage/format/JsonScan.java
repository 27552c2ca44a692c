package photon.storage.format;

import com.google.common.base.Utf8;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Picks fields out of a JSON object as nearly all logs write it, straight from its bytes: a parser
 * made for each record costs more than all else that becomes of an event. It gives up whatever it
 * is not sure of, broken objects among them; what it takes, {@link JsonFields}'s parser takes, too,
 * with the same texts. Not thread-safe.
 */
final class JsonScan {
    private static final int GIVEN_UP = -1;
    private static final int DEPTH_MAX = 32;
    private static final int NUMBER_CHARS_MAX = 64;

    /** Parsers have bounds on names and texts, which lie above it. */
    private static final int RECORD_BYTES_MAX = 32 << 10;

    private final Node root = new Node(new byte[0]);
    private final List<Node> nodes = new ArrayList<>();

    /** By the field's index: where its text begins and ends; a start of -1: it has none. */
    private final int[] starts;

    private final int[] ends;

    private byte[] bytes = new byte[0];
    private int end;

    /** Of the string that was read last. */
    private boolean escaped;

    /** Negative once a byte beyond ASCII was met. */
    private int sign;

    /** Where a path may go on. */
    private static final class Node {
        private final byte[] name;
        private final List<Node> children = new ArrayList<>(1);
        private final List<Integer> wanted = new ArrayList<>(1);
        private boolean seen;

        Node(byte[] name) {
            this.name = name;
        }

        Node child(byte[] of) {
            for (Node child : children) {
                if (Arrays.equals(child.name, of)) {
                    return child;
                }
            }
            Node child = new Node(of);
            children.add(child);
            return child;
        }

        @Nullable Node child(byte[] in, int from, int to) {
            for (int i = 0; i < children.size(); i++) {
                Node child = children.get(i);
                if (child.name.length == to - from && child.isNamed(in, from)) {
                    return child;
                }
            }
            return null;
        }

        private boolean isNamed(byte[] in, int from) {
            for (int i = 0; i < name.length; i++) {
                if (name[i] != in[from + i]) {
                    return false;
                }
            }
            return true;
        }
    }

    /**
     * @param paths names with dots between
     */
    JsonScan(List<String> paths) {
        this.starts = new int[paths.size()];
        this.ends = new int[paths.size()];
        for (int i = 0; i < paths.size(); i++) {
            Node node = root;
            for (String name : paths.get(i).split("\\.", -1)) {
                node = node.child(name.getBytes(StandardCharsets.UTF_8));
                if (!nodes.contains(node)) {
                    nodes.add(node);
                }
            }
            node.wanted.add(i);
        }
    }

    /** False: it has given up, and knows nothing. */
    boolean read(byte[] in, int from, int to) {
        if (to - from > RECORD_BYTES_MAX || from >= to || in[from] != '{') {
            return false;
        }
        bytes = in;
        end = to;
        sign = 0;
        Arrays.fill(starts, -1);
        for (int i = 0; i < nodes.size(); i++) {
            nodes.get(i).seen = false;
        }
        int at = object(root, from + 1, 1);
        return at != GIVEN_UP
                && space(at) == to
                && (sign >= 0 || Utf8.isWellFormed(in, from, to - from));
    }

    /** Null: it has none. */
    @Nullable String text(int index) {
        int from = starts[index];
        if (from < 0) {
            return null;
        }
        return new String(
                bytes,
                from,
                ends[index] - from,
                sign < 0 ? StandardCharsets.UTF_8 : StandardCharsets.ISO_8859_1);
    }

    /**
     * What follows the brace of an object; returns the index behind it.
     *
     * @param node null: nothing in it is wanted
     */
    private int object(@Nullable Node node, int from, int depth) {
        int at = space(from);
        if (depth > DEPTH_MAX || at >= end) {
            return GIVEN_UP;
        }
        if (bytes[at] == '}') {
            return at + 1;
        }
        while (true) {
            at = member(node, at, depth);
            if (at == GIVEN_UP) {
                return GIVEN_UP;
            }
            at = space(at);
            if (at >= end) {
                return GIVEN_UP;
            }
            if (bytes[at] == '}') {
                return at + 1;
            }
            if (bytes[at] != ',') {
                return GIVEN_UP;
            }
            at = space(at + 1);
        }
    }

    private int member(@Nullable Node node, int at, int depth) {
        if (at >= end || bytes[at] != '"') {
            return GIVEN_UP;
        }
        int close = string(at + 1);
        if (close == GIVEN_UP || escaped) {
            return GIVEN_UP;
        }
        Node child = node == null ? null : node.child(bytes, at + 1, close);
        int value = space(close + 1);
        if (value >= end || bytes[value] != ':') {
            return GIVEN_UP;
        }
        value = space(value + 1);
        if (value >= end) {
            return GIVEN_UP;
        }
        if (child == null) {
            return value(null, value, depth);
        }
        // Which of two counts is for the parser's side to say.
        return child.seen ? GIVEN_UP : wanted(child, value, depth);
    }

    private int wanted(Node node, int from, int depth) {
        node.seen = true;
        int to = value(node, from, depth);
        if (to == GIVEN_UP || node.wanted.isEmpty()) {
            return to;
        }
        byte first = bytes[from];
        if (first == '{' || first == '[' || first == 'n') {
            return to;
        }
        boolean string = first == '"';
        if (string && escaped) {
            return GIVEN_UP;
        }
        for (int i = 0; i < node.wanted.size(); i++) {
            int index = node.wanted.get(i);
            starts[index] = string ? from + 1 : from;
            ends[index] = string ? to - 1 : to;
        }
        return to;
    }

    /** Returns the index behind the value that begins here. */
    private int value(@Nullable Node node, int at, int depth) {
        return switch (bytes[at]) {
            case '"' -> {
                int close = string(at + 1);
                yield close == GIVEN_UP ? GIVEN_UP : close + 1;
            }
            case '{' -> object(node, at + 1, depth + 1);
            case '[' -> array(at + 1, depth + 1);
            case 't' -> literal(at, "true");
            case 'f' -> literal(at, "false");
            case 'n' -> literal(at, "null");
            default -> number(at);
        };
    }

    private int array(int from, int depth) {
        int at = space(from);
        if (depth > DEPTH_MAX || at >= end) {
            return GIVEN_UP;
        }
        if (bytes[at] == ']') {
            return at + 1;
        }
        while (true) {
            at = value(null, at, depth);
            if (at == GIVEN_UP) {
                return GIVEN_UP;
            }
            at = space(at);
            if (at < end && bytes[at] == ']') {
                return at + 1;
            }
            if (at >= end || bytes[at] != ',') {
                return GIVEN_UP;
            }
            at = space(at + 1);
            if (at >= end) {
                return GIVEN_UP;
            }
        }
    }

    /** Returns the index of the quote that ends it. */
    private int string(int from) {
        // What is looked at for each byte stands in local variables.
        byte[] in = bytes;
        int to = end;
        int signs = 0;
        escaped = false;
        for (int at = from; at < to; at++) {
            byte b = in[at];
            if (b >= ' ' && b != '"' && b != '\\') {
                continue;
            }
            signs |= b;
            if (b == '"') {
                sign |= signs;
                return at;
            } else if (b == '\\') {
                escaped = true;
                at += escape(at + 1);
            } else if (b >= 0) {
                return GIVEN_UP;
            }
        }
        return GIVEN_UP;
    }

    /** How many bytes follow the backslash; more than there are if it is none that is known. */
    private int escape(int at) {
        if (at >= end) {
            return end;
        }
        switch (bytes[at]) {
            case '"', '\\', '/', 'b', 'f', 'n', 'r', 't' -> {
                return 1;
            }
            case 'u' -> {
                for (int i = at + 1; i <= at + 4; i++) {
                    if (i >= end || Character.digit(bytes[i], 16) < 0) {
                        return end;
                    }
                }
                return 5;
            }
            default -> {
                return end;
            }
        }
    }

    private int literal(int at, String text) {
        if (at + text.length() > end) {
            return GIVEN_UP;
        }
        for (int i = 0; i < text.length(); i++) {
            if (bytes[at + i] != text.charAt(i)) {
                return GIVEN_UP;
            }
        }
        return at + text.length();
    }

    private int number(int from) {
        int at = bytes[from] == '-' ? from + 1 : from;
        int whole = digits(at);
        if (whole == at || (whole > at + 1 && bytes[at] == '0')) {
            return GIVEN_UP;
        }
        at = whole;
        if (at < end && bytes[at] == '.') {
            int fraction = digits(at + 1);
            if (fraction == at + 1) {
                return GIVEN_UP;
            }
            at = fraction;
        }
        if (at < end && (bytes[at] == 'e' || bytes[at] == 'E')) {
            at++;
            if (at < end && (bytes[at] == '+' || bytes[at] == '-')) {
                at++;
            }
            int exponent = digits(at);
            if (exponent == at) {
                return GIVEN_UP;
            }
            at = exponent;
        }
        return at - from > NUMBER_CHARS_MAX ? GIVEN_UP : at;
    }

    private int digits(int from) {
        int at = from;
        while (at < end && bytes[at] >= '0' && bytes[at] <= '9') {
            at++;
        }
        return at;
    }

    private int space(int from) {
        int at = from;
        while (at < end && isSpace(bytes[at])) {
            at++;
        }
        return at;
    }

    private static boolean isSpace(byte b) {
        return b == ' ' || b == '\t' || b == '\r' || b == '\n';
    }
}

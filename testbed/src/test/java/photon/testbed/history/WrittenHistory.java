package photon.testbed.history;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import photon.core.id.CommitToken;
import photon.core.id.EventId;
import photon.core.id.UserKey;

/**
 * A history as a person writes it, a line an operation:
 *
 * <pre>
 * x commit a1.1  0..10  accepted
 * x commit b1.1  20..?
 * x lookup       30..40 held a1.1
 * x stale        30..40 absent
 * x remove a1.1  50..60 removed
 * fence a2       45..55
 * </pre>
 *
 * Ids are words, with a timestamp behind an '@' if it matters: {@code x@7}. A token is slot (a
 * letter), generation, '.', sequence. {@code fence a2} makes generation 2 of slot a the lowest that
 * is live. {@code ?} ends what got no answer. What follows a '#' is ignored.
 */
record WrittenHistory(List<Operation> operations, List<FenceCall> fences) {
    static WrittenHistory parse(String text) {
        WrittenHistory history = new WrittenHistory(new ArrayList<>(), new ArrayList<>());
        text.lines()
                .map(line -> line.replaceFirst("#.*", "").strip())
                .filter(line -> !line.isEmpty())
                .forEach(line -> history.add(line.split("\\s+")));
        return history;
    }

    private void add(String[] words) {
        if (words[0].equals("fence")) {
            String[] span = words[2].split("\\.\\.");
            fences.add(
                    new FenceCall(
                            slot(words[1]),
                            Integer.parseInt(words[1].substring(1)),
                            nanos(span[0]),
                            nanos(span[1])));
            return;
        }
        boolean lookup = words[1].equals("lookup") || words[1].equals("stale");
        int at = lookup ? 2 : 3;
        String[] span = words[at].split("\\.\\.");
        operations.add(
                new Operation(
                        id(words[0]),
                        words[1].equals("stale")
                                ? Operation.Kind.STALE_LOOKUP
                                : Operation.Kind.valueOf(words[1].toUpperCase(Locale.ROOT)),
                        lookup ? null : token(words[2]),
                        words.length > at + 1
                                ? Operation.Result.valueOf(words[at + 1].toUpperCase(Locale.ROOT))
                                : Operation.Result.UNKNOWN,
                        holder(words, at + 2),
                        nanos(span[0]),
                        nanos(span[1])));
    }

    private static @Nullable CommitToken holder(String[] words, int at) {
        return words.length > at ? token(words[at]) : null;
    }

    static EventId id(String name) {
        String[] parts = name.split("@", -1);
        return EventId.ofUser(
                parts.length > 1 ? Long.parseLong(parts[1]) : 1, UserKey.of(List.of(name)));
    }

    private static int slot(String text) {
        return text.charAt(0) - 'a' + 1;
    }

    private static CommitToken token(String text) {
        String[] parts = text.substring(1).split("\\.");
        return new CommitToken(slot(text), Integer.parseInt(parts[0]), Long.parseLong(parts[1]));
    }

    private static long nanos(String text) {
        return text.equals("?") ? Operation.NEVER : Long.parseLong(text);
    }
}

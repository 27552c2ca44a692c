package photon.server.configinit.rules;

import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What names of fields and files suggest; a name alone decides only between equals. */
final class Names {
    private static final Pattern ID_ENDING =
            Pattern.compile("(id|key|uuid|guid|uid|no|number|ref)$");
    private static final Pattern BY_POSITION = Pattern.compile("column[0-9]+");
    private static final Pattern TIME =
            Pattern.compile(
                    "(event_?|log_?)?(timestamp|time|ts|at|datetime)(_?(s|ms|us|sec|secs|seconds|millis|micros|utc))?|@timestamp");
    private static final Pattern TIME_ENDING =
            Pattern.compile(
                    ".*([_-](at|ts|date|day)|[a-z](At|Ts|Date)|[Tt]ime|[Tt]imestamp)([_-]?(s|ms|us|utc))?");
    private static final int CORE_CHARS_MIN = 3;

    private Names() {}

    /** A file's name without digits and endings: {@code clicks-2026.jsonl.gz} is {@code clicks}. */
    static String stem(String fileName) {
        int dot = fileName.indexOf('.', 1);
        return (dot < 0 ? fileName : fileName.substring(0, dot))
                .toLowerCase(Locale.ROOT)
                .replaceAll("[^a-z0-9]+", "-")
                .replaceAll("(^|-)[0-9]+(?=-|$)", "")
                .replaceAll("^-+|-+$", "");
    }

    /**
     * How well the names of a foreign field and of a primary one fit: 3: the same, 2: the foreign
     * one is the primary file's, such as {@code user_id} and {@code id} in {@code users.csv}, 1:
     * one within the other.
     */
    static int likeness(String foreign, String primary, String primaryStem) {
        String named = core(foreign);
        String id = core(primary);
        if (named.isEmpty() || BY_POSITION.matcher(named).matches()) {
            return 0;
        }
        if (named.equals(id)) {
            return 3;
        }
        if (id.isEmpty()) {
            return isOf(named, primaryStem) ? 2 : 0;
        }
        return contains(named, id) || contains(id, named) ? 1 : 0;
    }

    /** Of several fields that of the least, twice; and one more if all end like ids. */
    static int likeness(List<String> foreign, List<String> primary, String primaryStem) {
        int least = 3;
        boolean ids = true;
        for (int i = 0; i < foreign.size(); i++) {
            least = Math.min(least, likeness(foreign.get(i), primary.get(i), primaryStem));
            ids &= isOfId(primary.get(i));
        }
        return least == 0 ? 0 : 2 * least + (ids ? 1 : 0);
    }

    /**
     * How much a field sounds like the id of its own stream: 3: {@code click_id} in {@code
     * clicks.csv}, 2: {@code id}, 1: it ends like an id.
     */
    static int ofOwnId(String field, String stem) {
        String normal = normal(field);
        String core = core(field);
        if (BY_POSITION.matcher(normal).matches()) {
            return 0;
        }
        if (core.isEmpty() || core.equals("event")) {
            return 2;
        }
        if (isOf(core, stem)) {
            return 3;
        }
        return core.length() < normal.length() ? 1 : 0;
    }

    /**
     * How much a field sounds like the time of an event: 3: {@code click_time} in {@code
     * clicks.csv}, 2: {@code time}, 1: it ends so.
     */
    static int ofTime(String field, String stem) {
        String last = last(field);
        if (TIME.matcher(last.toLowerCase(Locale.ROOT)).matches()) {
            return 2;
        }
        Matcher ending = TIME_ENDING.matcher(last);
        if (!ending.matches()) {
            return 0;
        }
        return isOf(normal(last.substring(0, ending.start(1))), stem) ? 3 : 1;
    }

    /** Ends like an id: numbers in it are no dates, whatever their size. */
    static boolean isOfId(String field) {
        String normal = normal(field);
        return core(field).length() < normal.length() && ofTime(field, "") == 0;
    }

    private static boolean isOf(String core, String stem) {
        String plain = stem.replace("-", "");
        return core.length() >= CORE_CHARS_MIN
                && plain.length() >= CORE_CHARS_MIN
                && (plain.startsWith(core) || core.startsWith(plain) || plain.endsWith(core + "s"));
    }

    private static boolean contains(String long_, String core) {
        return core.length() >= CORE_CHARS_MIN && long_.contains(core);
    }

    private static String core(String field) {
        return ID_ENDING.matcher(normal(field)).replaceFirst("");
    }

    private static String normal(String field) {
        return last(field).toLowerCase(Locale.ROOT).replaceAll("[^\\p{L}\\p{N}]", "");
    }

    private static String last(String field) {
        return field.substring(field.lastIndexOf('.') + 1);
    }
}

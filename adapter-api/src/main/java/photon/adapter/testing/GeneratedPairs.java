package photon.adapter.testing;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import photon.adapter.SourceEvent;
import photon.adapter.testing.AdapterCases.Pair;

/**
 * Pairs that are unlike the usual one, each in one way: what logs hold sooner or later. Made from a
 * pair's fields.
 */
final class GeneratedPairs {
    private static final int FIELDS_EACH_MAX = 30;
    private static final long MICROS = 1_760_000_000_000_000L;
    private static final int HUGE_CHARS = 1 << 20;

    private final Map<String, @Nullable Object> foreign;
    private final Map<String, @Nullable Object> primary;
    private final List<Pair> pairs = new ArrayList<>();

    private GeneratedPairs(SourceEvent foreign, SourceEvent primary) {
        this.foreign = fields(foreign);
        this.primary = fields(primary);
    }

    @SuppressWarnings("unchecked") // A map that was parsed has texts as keys.
    private static Map<String, @Nullable Object> fields(SourceEvent event) {
        return JsonText.parse(event.json()) instanceof Map<?, ?> object
                ? (Map<String, @Nullable Object>) object
                : Map.of();
    }

    static List<Pair> of(SourceEvent foreign, SourceEvent primary) {
        GeneratedPairs generated = new GeneratedPairs(foreign, primary);
        generated.add("a usual pair", "foreign-1", "primary-1", MICROS + 1_000_000, MICROS);
        generated.ofFields();
        generated.withoutOneField();
        generated.ofIdsAndTimes();
        return List.copyOf(generated.pairs);
    }

    private void ofFields() {
        each("no fields", fields -> Map.of());
        each("every field an empty text", fields -> all(fields, ""));
        each("every field null", fields -> all(fields, null));
        each("every field a number", fields -> all(fields, new JsonText.Literal("42")));
        each(
                "every field a number beyond all bounds",
                fields -> all(fields, new JsonText.Literal("-1e400")));
        each("every field a truth value", fields -> all(fields, new JsonText.Literal("true")));
        each("every field a list", fields -> all(fields, List.of("a", "b")));
        each("every field an object", fields -> all(fields, Map.of("a", "b")));
        each(
                "every field of several languages and an emoji",
                fields -> all(fields, "Zürich 東京 \u0645\u0631\u062d\u0628\u0627 \uD83D\uDE00"));
        each("every field with quotes and backslashes", fields -> all(fields, "\"\\\",\"x\":\"y"));
        each(
                "every field with line feeds and control characters",
                fields -> all(fields, "a\nb\r\n\t\u0000\u001b"));
        each("every field with half a surrogate pair", fields -> all(fields, "a\uD83D"));
        each("every field of blanks", fields -> all(fields, " \u00a0\u2003"));
        each(
                "one further field of 1 MiB",
                fields -> with(fields, "further", "x".repeat(HUGE_CHARS)));
        each("1,000 further fields", GeneratedPairs::withMany);
        each("one further field 500 levels deep", fields -> with(fields, "further", deep()));
    }

    private void withoutOneField() {
        foreign.keySet().stream()
                .limit(FIELDS_EACH_MAX)
                .forEach(
                        name ->
                                add(
                                        "foreign: without the field " + name,
                                        without(foreign, name),
                                        primary));
        primary.keySet().stream()
                .limit(FIELDS_EACH_MAX)
                .forEach(
                        name ->
                                add(
                                        "primary: without the field " + name,
                                        foreign,
                                        without(primary, name)));
    }

    private void ofIdsAndTimes() {
        add("ids of one character", "f", "p", MICROS + 1, MICROS);
        add("ids of 2,000 characters", "f".repeat(2_000), "p".repeat(2_000), MICROS + 1, MICROS);
        add(
                "ids with quotes, backslashes and a line feed",
                "f\"\\\n",
                "p\"\\\n",
                MICROS + 1,
                MICROS);
        add("ids of several languages", "東京-1", "Zürich-1", MICROS + 1, MICROS);
        add("one time for both", "foreign-1", "primary-1", MICROS, MICROS);
        add(
                "the foreign event before its primary event",
                "foreign-1",
                "primary-1",
                MICROS - 1,
                MICROS);
        add(
                "the foreign event a year later",
                "foreign-1",
                "primary-1",
                MICROS + 31_536_000_000_000L,
                MICROS);
        add("times of 1970", "foreign-1", "primary-1", 2, 1);
        add(
                "times of the year 2200",
                "foreign-1",
                "primary-1",
                7_258_118_400_000_001L,
                7_258_118_400_000_000L);
    }

    /** Changes one side's fields. */
    private interface Change {
        Map<String, @Nullable Object> of(Map<String, @Nullable Object> fields);
    }

    private void each(String name, Change change) {
        add("foreign: " + name, change.of(foreign), primary);
        add("primary: " + name, foreign, change.of(primary));
    }

    private static Map<String, @Nullable Object> all(
            Map<String, @Nullable Object> fields, @Nullable Object value) {
        Map<String, @Nullable Object> changed = new LinkedHashMap<>();
        fields.keySet().forEach(name -> changed.put(name, value));
        return changed;
    }

    private static Map<String, @Nullable Object> with(
            Map<String, @Nullable Object> fields, String name, Object value) {
        Map<String, @Nullable Object> changed = new LinkedHashMap<>(fields);
        changed.put(name, value);
        return changed;
    }

    private static Map<String, @Nullable Object> without(
            Map<String, @Nullable Object> fields, String name) {
        Map<String, @Nullable Object> changed = new LinkedHashMap<>(fields);
        changed.remove(name);
        return changed;
    }

    private static Map<String, @Nullable Object> withMany(Map<String, @Nullable Object> fields) {
        Map<String, @Nullable Object> changed = new LinkedHashMap<>(fields);
        for (int i = 0; i < 1_000; i++) {
            changed.put("further" + i, "value");
        }
        return changed;
    }

    private static Object deep() {
        Object value = "bottom";
        for (int i = 0; i < 500; i++) {
            value = i % 2 == 0 ? List.of(value) : Map.of("a", value);
        }
        return value;
    }

    private void add(
            String name,
            Map<String, @Nullable Object> foreignFields,
            Map<String, @Nullable Object> primaryFields) {
        pairs.add(
                new Pair(
                        name,
                        TestEvent.of(
                                "foreign-1", MICROS + 1_000_000, JsonText.asText(foreignFields)),
                        TestEvent.of("primary-1", MICROS, JsonText.asText(primaryFields))));
    }

    private void add(
            String name,
            String foreignId,
            String primaryId,
            long foreignMicros,
            long primaryMicros) {
        pairs.add(
                new Pair(
                        name,
                        TestEvent.of(foreignId, foreignMicros, JsonText.asText(foreign)),
                        TestEvent.of(primaryId, primaryMicros, JsonText.asText(primary))));
    }
}

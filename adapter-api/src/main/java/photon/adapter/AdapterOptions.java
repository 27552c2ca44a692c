package photon.adapter;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads {@code adapter.options}. Every method that finds something else than it expects throws
 * {@link WrongOptionException}, whose message names the key, the value and what would be right. An
 * option that no method was asked for ends the start, too: it is probably misspelt. Thread-safe.
 *
 * @since 1.1
 */
public final class AdapterOptions {
    private static final Pattern DURATION = Pattern.compile("(\\d{1,18})\\s*(ms|s|m|h|d)");
    private static final Duration DURATION_MAX = Duration.ofDays(36_500);
    private static final String DURATION_EXPECTED =
            "a duration above 0, up to 36500d, such as 500ms, 2s, 10m, 1h or 3d";

    private final Map<String, String> values;
    private final Set<String> asked = new ConcurrentSkipListSet<>();

    public AdapterOptions(Map<String, String> values) {
        this.values = new TreeMap<>(values);
    }

    public String text(String key) {
        return need(key, "a text");
    }

    /**
     * @param otherwise what holds without the option
     */
    public String text(String key, String otherwise) {
        return has(key) ? text(key) : otherwise;
    }

    /** The values of a list, or one value; none is empty. */
    public List<String> texts(String key) {
        List<String> texts = new ArrayList<>();
        for (String text : need(key, "a value or a list of values").split(",", -1)) {
            if (!text.isBlank()) {
                texts.add(text.strip());
            }
        }
        return List.copyOf(texts);
    }

    /** As {@link #texts(String)}; {@code otherwise} holds without the option. */
    public List<String> texts(String key, List<String> otherwise) {
        return has(key) ? texts(key) : List.copyOf(otherwise);
    }

    /** Such as {@code 500ms}, {@code 2s}, {@code 10m}, {@code 1h} or {@code 3d}. */
    public Duration duration(String key) {
        String text = need(key, DURATION_EXPECTED);
        Matcher matcher = DURATION.matcher(text.strip());
        if (matcher.matches()) {
            long count = Long.parseLong(matcher.group(1));
            long unit =
                    switch (matcher.group(2)) {
                        case "ms" -> 1;
                        case "s" -> 1_000;
                        case "m" -> 60_000;
                        case "h" -> 3_600_000;
                        default -> 86_400_000;
                    };
            if (count > 0 && count <= DURATION_MAX.toMillis() / unit) {
                return Duration.ofMillis(count * unit);
            }
        }
        throw wrong(key, text, DURATION_EXPECTED);
    }

    /** As {@link #duration(String)}; {@code otherwise} holds without the option. */
    public Duration duration(String key, Duration otherwise) {
        return has(key) ? duration(key) : otherwise;
    }

    /** A whole number from {@code min} to {@code max}. */
    public long number(String key, long min, long max) {
        String expected = "a whole number from " + min + " to " + max;
        String text = need(key, expected);
        try {
            long number = Long.parseLong(text.strip());
            if (number >= min && number <= max) {
                return number;
            }
        } catch (NumberFormatException e) {
            // Falls through to the one message.
        }
        throw wrong(key, text, expected);
    }

    /** As {@link #number(String, long, long)}; {@code otherwise} holds without the option. */
    public long number(String key, long min, long max, long otherwise) {
        return has(key) ? number(key, min, max) : otherwise;
    }

    /** {@code true} or {@code false}; {@code otherwise} holds without the option. */
    public boolean flag(String key, boolean otherwise) {
        if (!has(key)) {
            return otherwise;
        }
        String text = need(key, "true or false");
        if (!text.equals("true") && !text.equals("false")) {
            throw wrong(key, text, "true or false");
        }
        return text.equals("true");
    }

    /** All of them, as they are; each counts as asked for. */
    public Map<String, String> asMap() {
        asked.addAll(values.keySet());
        return Map.copyOf(values);
    }

    /** Keys that were given and that no method was asked for. */
    public Set<String> unread() {
        Set<String> unread = new TreeSet<>(values.keySet());
        unread.removeAll(asked);
        return unread;
    }

    /** Keys that methods were asked for, given or not. */
    public Set<String> known() {
        return new TreeSet<>(asked);
    }

    private boolean has(String key) {
        asked.add(key);
        return values.containsKey(key);
    }

    private String need(String key, String expected) {
        asked.add(key);
        String value = values.get(key);
        if (value == null) {
            throw new WrongOptionException(
                    "adapter.options.%s is missing: expected %s".formatted(key, expected));
        }
        if (value.isBlank()) {
            throw wrong(key, value, expected);
        }
        return value;
    }

    private static WrongOptionException wrong(String key, String value, String expected) {
        return new WrongOptionException(
                "adapter.options.%s is '%s': expected %s".formatted(key, value, expected));
    }
}

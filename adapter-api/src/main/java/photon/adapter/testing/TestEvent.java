package photon.adapter.testing;

import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import photon.adapter.SourceEvent;

/**
 * An event of a test. Its fields are given by dotted path ({@link #field(String, String)}) or as
 * one JSON object ({@link #json(String)}). Not thread-safe while built.
 */
public final class TestEvent implements SourceEvent {
    private final String id;
    private final long timestampMicros;
    private final Map<String, String> fields = new LinkedHashMap<>();
    private byte[] json = new byte[0];
    private @Nullable Object parsed;

    TestEvent(String id, long timestampMicros) {
        this.id = id;
        this.timestampMicros = timestampMicros;
    }

    /** An event for {@link AdapterCases}, with this JSON object as its fields. */
    public static TestEvent of(String id, long timestampMicros, String object) {
        return new TestEvent(id, timestampMicros).json(object);
    }

    /** Sets what {@link SourceEvent#field} answers for the path. */
    public TestEvent field(String path, String value) {
        fields.put(path, value);
        return this;
    }

    /**
     * Sets what {@link SourceEvent#json} answers, and with it the fields that {@link #field(String,
     * String)} does not set. Without it, the object has the set fields under their full paths.
     *
     * @throws IllegalArgumentException if it is no JSON object
     */
    public TestEvent json(String object) {
        Object value = JsonText.parse(object);
        if (!(value instanceof Map)) {
            throw new IllegalArgumentException("expected a JSON object, but got " + object);
        }
        parsed = value;
        json = object.getBytes(StandardCharsets.UTF_8);
        return this;
    }

    @Override
    public String id() {
        return id;
    }

    @Override
    public long timestampMicros() {
        return timestampMicros;
    }

    @Override
    public byte[] json() {
        return json.length > 0 ? json.clone() : flatObject().getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public Optional<String> field(String path) {
        String set = fields.get(path);
        if (set != null) {
            return Optional.of(set);
        }
        // A column's name may itself contain dots.
        Object found = in(parsed, path);
        if (found == null) {
            found = parsed;
            for (String name : path.split("\\.", -1)) {
                found = in(found, name);
            }
        }
        return Optional.ofNullable(found).map(JsonText::asText);
    }

    private static @Nullable Object in(@Nullable Object value, String name) {
        return value instanceof Map<?, ?> object ? object.get(name) : null;
    }

    private String flatObject() {
        StringBuilder object = new StringBuilder("{");
        fields.forEach(
                (path, value) -> {
                    object.append(object.length() > 1 ? "," : "");
                    JsonText.quote(object, path);
                    object.append(':');
                    JsonText.quote(object, value);
                });
        return object.append('}').toString();
    }
}

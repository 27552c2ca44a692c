package photon.adapter.testing;

import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import photon.adapter.SourceEvent;

/**
 * An event of a test. Its fields are flat and given by dotted path. Not thread-safe while built.
 */
public final class TestEvent implements SourceEvent {
    private final String id;
    private final long timestampMicros;
    private final Map<String, String> fields = new LinkedHashMap<>();
    private byte[] json = new byte[0];

    TestEvent(String id, long timestampMicros) {
        this.id = id;
        this.timestampMicros = timestampMicros;
    }

    /** Sets what {@link SourceEvent#field} answers for the path. */
    public TestEvent field(String path, String value) {
        fields.put(path, value);
        return this;
    }

    /**
     * Sets what {@link SourceEvent#json} answers; without it, the fields under their full paths.
     */
    public TestEvent json(String object) {
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
        return Optional.ofNullable(fields.get(path));
    }

    private String flatObject() {
        StringBuilder object = new StringBuilder("{");
        fields.forEach(
                (path, value) -> {
                    object.append(object.length() > 1 ? "," : "");
                    quoted(object, path);
                    object.append(':');
                    quoted(object, value);
                });
        return object.append('}').toString();
    }

    private static void quoted(StringBuilder out, String text) {
        out.append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                out.append('\\').append(c);
            } else if (c < 0x20) {
                out.append("\\u%04x".formatted((int) c));
            } else {
                out.append(c);
            }
        }
        out.append('"');
    }
}

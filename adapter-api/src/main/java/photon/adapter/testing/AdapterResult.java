package photon.adapter.testing;

import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * What an adapter decided about a pair.
 *
 * @param emitted joined events in order; empty unless {@code decision} is {@link Decision#EMIT}
 * @param reason of the other decisions
 */
public record AdapterResult(Decision decision, List<Emitted> emitted, String reason) {
    public AdapterResult {
        emitted = List.copyOf(emitted);
    }

    /** What the joiner does with it. */
    public enum Decision {
        EMIT,
        SKIP,
        RETRY,
        REJECT
    }

    /**
     * @param output empty: the main output
     * @param text the event, decoded as UTF-8
     */
    public record Emitted(String output, String text) {
        static Emitted of(String output, byte[] bytes) {
            return new Emitted(output, new String(bytes, StandardCharsets.UTF_8));
        }
    }

    /** The joined events as text, whatever their output. */
    public List<String> emittedText() {
        return emitted.stream().map(Emitted::text).toList();
    }
}

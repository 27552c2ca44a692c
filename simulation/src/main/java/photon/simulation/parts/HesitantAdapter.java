package photon.simulation.parts;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import photon.adapter.Adapter;
import photon.adapter.SourceEvent;
import photon.core.config.PipelineConfig;
import photon.simulation.checks.Streams;

/**
 * Joins as the built-in adapter does, but asks for another try of some events, several times in
 * each process: as one whose own service is away now and then. An event may ask for more: several
 * joined events in several outputs, or to be skipped or rejected. Deterministic in the pair where
 * it joins. Not thread-safe: in a simulated process one loop calls it.
 */
public final class HesitantAdapter implements Adapter {
    static final String ONE_IN = "one-in";
    static final String TIMES = "times";

    private final Map<String, Integer> asked = new HashMap<>();
    private int oneIn = 1;
    private int times;

    /** For the configuration. */
    public static Map<String, String> options(int oneIn, int times) {
        return Map.of(ONE_IN, Integer.toString(oneIn), TIMES, Integer.toString(times));
    }

    /**
     * How often in a row one process may ask for another try of one event; 0 for other adapters.
     */
    public static int triesAsked(PipelineConfig.Adapter adapter) {
        return adapter.type().equals(HesitantAdapter.class.getName())
                ? times(adapter.options())
                : 0;
    }

    private static int times(Map<String, String> options) {
        return Integer.parseInt(options.getOrDefault(TIMES, "0"));
    }

    @Override
    public void configure(Map<String, String> options) {
        oneIn = Integer.parseInt(options.getOrDefault(ONE_IN, "1"));
        times = times(options);
    }

    @Override
    public void join(SourceEvent foreign, SourceEvent primary, Result result) {
        decide(foreign, primary.id(), new String(primary.json(), UTF_8), "", result);
    }

    @Override
    public void upgrade(SourceEvent foreign, SourceEvent primary, Result result) {
        String content = new String(primary.json(), UTF_8);
        decide(foreign, primary.id(), content, ", \"upgrade\": true", result);
    }

    @Override
    public void unmatched(SourceEvent foreign, Result result) {
        String primaryId = foreign.field(Streams.QUERY).orElseThrow();
        decide(foreign, primaryId, "null", ", \"unmatched\": true", result);
    }

    private void decide(
            SourceEvent foreign, String primaryId, String primary, String mark, Result result) {
        String key = foreign.id() + "@" + foreign.timestampMicros();
        if (Math.floorMod(key.hashCode(), oneIn) == 0
                && asked.merge(key, 1, Integer::sum) <= times) {
            result.retry("what it asks is away");
            return;
        }
        Optional<String> emit = foreign.field(Streams.EMIT);
        if (emit.isEmpty()) {
            result.emit(joined(foreign, primaryId, primary, mark));
            return;
        }
        Map<String, Integer> ordinals = new HashMap<>(); // looked up, never walked
        for (String word : emit.get().split(" ", -1)) {
            switch (word) {
                case "skip" -> result.skip("the event asks for it");
                case "reject" -> result.reject("the event asks for it");
                case "main" ->
                        result.emit(joined(foreign, primaryId, primary, mark + tag("", ordinals)));
                default ->
                        result.emit(
                                word,
                                joined(foreign, primaryId, primary, mark + tag(word, ordinals)));
            }
        }
    }

    private static String tag(String output, Map<String, Integer> ordinals) {
        return ", \"output\": \"%s\", \"ordinal\": %d"
                .formatted(output, ordinals.merge(output, 1, Integer::sum) - 1);
    }

    private static byte[] joined(
            SourceEvent foreign, String primaryId, String primary, String tag) {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        String front =
                "{\"id\": \"%s\", \"primaryId\": \"%s\", \"timestampMicros\": %d, \"foreign\": "
                        .formatted(foreign.id(), primaryId, foreign.timestampMicros());
        line.writeBytes(front.getBytes(UTF_8));
        line.writeBytes(foreign.json());
        line.writeBytes(", \"primary\": ".getBytes(UTF_8));
        line.writeBytes(primary.getBytes(UTF_8));
        line.writeBytes(tag.getBytes(UTF_8));
        line.write('}');
        return line.toByteArray();
    }
}

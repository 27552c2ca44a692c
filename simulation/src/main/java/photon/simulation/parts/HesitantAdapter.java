package photon.simulation.parts;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.util.HashMap;
import java.util.Map;
import photon.adapter.Adapter;
import photon.adapter.SourceEvent;
import photon.core.config.PipelineConfig;

/**
 * Joins as the built-in adapter does, but asks for another try of some events, several times in
 * each process: as one whose own service is away now and then. Deterministic in the pair where it
 * joins. Not thread-safe: in a simulated process one loop calls it.
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
        String key = foreign.id() + "@" + foreign.timestampMicros();
        if (Math.floorMod(key.hashCode(), oneIn) == 0
                && asked.merge(key, 1, Integer::sum) <= times) {
            result.retry("what it asks is away");
            return;
        }
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        String front =
                "{\"id\": \"%s\", \"primaryId\": \"%s\", \"timestampMicros\": %d, \"foreign\": "
                        .formatted(foreign.id(), primary.id(), foreign.timestampMicros());
        line.writeBytes(front.getBytes(UTF_8));
        line.writeBytes(foreign.json());
        line.writeBytes(", \"primary\": ".getBytes(UTF_8));
        line.writeBytes(primary.json());
        line.write('}');
        result.emit(line.toByteArray());
    }
}

package photon.demo;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SortedMap;

/**
 * Adds up, over all processes of a role, how long events took for each stage of their way, as
 * {@link DelayTally} does. Not thread-safe.
 */
public final class StageTally {
    private final Map<Stage, DelayTally> stages = new LinkedHashMap<>();

    /**
     * @param role of the daemons that an event passes there
     * @param name of the stage, as these daemons tell it
     */
    public record Stage(String role, String name) {}

    /**
     * @param status of a process, with its stages since its start
     * @param inWindow whether the time since this process told last counts
     */
    void observe(String role, String process, JsonNode status, boolean inWindow) {
        status.path("stages")
                .properties()
                .forEach(
                        stage ->
                                stages.computeIfAbsent(
                                                new Stage(role, stage.getKey()),
                                                s -> new DelayTally())
                                        .observe(process, delays(stage.getValue()), inWindow));
    }

    /** By stage, in the order of the way, and upper bound in microseconds the number of events. */
    Map<Stage, SortedMap<Long, Long>> counts() {
        Map<Stage, SortedMap<Long, Long>> counts = new LinkedHashMap<>();
        stages.forEach((stage, tally) -> counts.put(stage, tally.counts()));
        return counts;
    }

    /** A histogram as daemons tell it: by upper bound in microseconds the number of events. */
    static Map<Long, Long> delays(JsonNode histogram) {
        Map<Long, Long> delays = new HashMap<>();
        histogram
                .properties()
                .forEach(b -> delays.put(Long.parseLong(b.getKey()), b.getValue().asLong()));
        return delays;
    }
}

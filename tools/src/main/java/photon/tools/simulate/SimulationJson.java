package photon.tools.simulate;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.SortedMap;
import photon.simulation.run.RunSummary;
import photon.simulation.run.SeedResult;

/** Results of simulated worlds, as one JSON object. */
public final class SimulationJson {
    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final double NANOS_PER_HOUR = 3.6e12;

    private SimulationJson() {}

    /** A run of one seed. */
    public static String one(SeedResult seed, boolean withTrace) {
        ObjectNode json = MAPPER.createObjectNode();
        json.put("passed", seed.passed());
        describe(json, seed);
        counts(json, seed.totals());
        json.put("simulatedHours", seed.simulatedNanos() / NANOS_PER_HOUR);
        json.put("steps", seed.steps());
        if (withTrace) {
            strings(json.putArray("trace"), seed.trace());
        }
        return text(json);
    }

    /** A run of many. */
    public static String all(RunSummary run) {
        ObjectNode json = MAPPER.createObjectNode();
        json.put("passed", run.passed());
        json.put("from", run.from());
        json.put("seeds", run.seedsAsked());
        json.put("seedsRun", run.seedsRun());
        json.put("seedsFailed", run.failed().size());
        json.put("seedsRunTwice", run.seedsRunTwice());
        json.put("stoppedEarly", run.stoppedEarly());
        counts(json, run.totals());
        strings(json.putArray("neverHappened"), run.neverHappened());
        json.put("simulatedHours", run.simulatedHours());
        json.put("seconds", run.seconds());
        json.put("simulatedHoursPerSecond", run.simulatedHoursPerSecond());
        json.put("seedsPerSecond", run.seedsPerSecond());
        json.put("steps", run.steps());
        ArrayNode failed = json.putArray("failed");
        run.failed().forEach(seed -> describe(failed.addObject(), seed));
        return text(json);
    }

    private static void describe(ObjectNode json, SeedResult seed) {
        json.put("seed", seed.seed());
        json.put("traceHash", SimulationText.hash(seed));
        ArrayNode violations = json.putArray("violations");
        for (SeedResult.Violation violation : seed.violations()) {
            violations
                    .addObject()
                    .put("invariant", violation.invariant())
                    .put("text", violation.text());
        }
        if (!seed.passed()) {
            json.put("command", SimulationText.command(seed));
        }
        strings(json.putArray("story"), seed.story());
    }

    private static void counts(ObjectNode json, SortedMap<String, Long> totals) {
        ObjectNode faults = json.putObject("faults");
        ObjectNode others = json.putObject("totals");
        totals.forEach(
                (name, count) -> {
                    if (name.startsWith(SimulationText.FAULT)) {
                        faults.put(name.substring(SimulationText.FAULT.length()), count);
                    } else {
                        others.put(name, count);
                    }
                });
    }

    private static void strings(ArrayNode json, List<String> values) {
        values.forEach(json::add);
    }

    private static String text(ObjectNode json) {
        try {
            return MAPPER.writeValueAsString(json);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("A tree of plain values can be written", e);
        }
    }
}

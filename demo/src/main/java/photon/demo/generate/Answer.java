package photon.demo.generate;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * What joining the generated logs must come to: known by who made them, not from joining.
 *
 * @param seed of the run
 * @param format of the logs
 * @param primaryEvents distinct
 * @param foreignEvents distinct; joinable and orphans together
 * @param joinable foreign events whose primary event stands in a log
 * @param orphans foreign events whose primary event stands in none
 * @param repeats records that were logged a second time
 * @param foreignRepeats of them those of the foreign stream
 * @param loggedBeforePrimary joinable foreign events whose record was logged before that of their
 *     primary event
 * @param files log files begun
 * @param lateFiles of them those that appeared late
 * @param sha256 of the lines {@code primary id, tab, foreign id, line feed} of what is joinable,
 *     sorted bytewise
 */
public record Answer(
        long seed,
        String format,
        long primaryEvents,
        long foreignEvents,
        long joinable,
        long orphans,
        long repeats,
        long foreignRepeats,
        long loggedBeforePrimary,
        int files,
        int lateFiles,
        String sha256) {

    /** Distinct events of both streams. */
    public long events() {
        return primaryEvents + foreignEvents;
    }

    /** Under the names of the components. */
    public ObjectNode toJson() {
        ObjectNode json = new ObjectMapper().createObjectNode();
        json.put("seed", seed);
        json.put("format", format);
        json.put("primaryEvents", primaryEvents);
        json.put("foreignEvents", foreignEvents);
        json.put("joinable", joinable);
        json.put("orphans", orphans);
        json.put("repeats", repeats);
        json.put("foreignRepeats", foreignRepeats);
        json.put("loggedBeforePrimary", loggedBeforePrimary);
        json.put("files", files);
        json.put("lateFiles", lateFiles);
        json.put("sha256", sha256);
        return json;
    }
}

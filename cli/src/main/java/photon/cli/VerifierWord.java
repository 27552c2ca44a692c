package photon.cli;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.OptionalLong;
import photon.registry.admin.StatusText;
import photon.server.roles.RepairReport;

/**
 * How old what a datacenter's verifier has said of its repairs is.
 *
 * @param state the verifier's, where it says so
 * @param secondsAgo empty: not known
 * @param outdated true: the list that is made of it proves nothing
 */
record VerifierWord(String datacenter, String state, OptionalLong secondsAgo, boolean outdated) {
    private static final ObjectMapper JSON = new ObjectMapper();

    /**
     * @param nowMillis by the clocks of the registry
     */
    static VerifierWord of(RepairReport report, String datacenter, String state, long nowMillis) {
        return new VerifierWord(
                datacenter, state, report.secondsAgo(nowMillis), report.isOutdated(nowMillis));
    }

    /** A heading of what is shown. */
    String text() {
        return "datacenter %s  (%s)%n".formatted(datacenter, when());
    }

    private String when() {
        return secondsAgo.isPresent()
                ? "its verifier last said so %s ago"
                        .formatted(StatusText.age(secondsAgo.getAsLong()))
                : "it is not known when its verifier last said so";
    }

    /** The first keys of what is shown. */
    ObjectNode json() {
        ObjectNode root =
                JSON.createObjectNode()
                        .put("datacenter", datacenter)
                        .put("verifierOutdated", outdated);
        return secondsAgo.isPresent()
                ? root.put("verifierSaidSecondsAgo", secondsAgo.getAsLong())
                : root.putNull("verifierSaidSecondsAgo");
    }

    void warnIfOutdated() {
        if (outdated) {
            System.err.println(
                    "photon: do not rely on this: %s, in %s. While no verifier runs, a dead joiner counts as live, and nothing is repaired. Start the verifier of %s, or run this command where the verifier's state is"
                            .formatted(when(), state, datacenter));
        }
    }
}

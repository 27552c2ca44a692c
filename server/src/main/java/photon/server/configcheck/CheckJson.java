package photon.server.configcheck;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Locale;
import photon.server.configcheck.rules.CheckLine;
import photon.server.roles.DaemonInstance;

/** The result as one JSON object. */
public final class CheckJson {
    private static final ObjectMapper JSON = new ObjectMapper();

    private CheckJson() {}

    /** Ends with a line feed. */
    public static String of(DaemonInstance daemon, List<CheckLine> lines) {
        ObjectNode root = JSON.createObjectNode();
        root.put("good", isGood(lines));
        root.put("role", daemon.role().label());
        root.put("name", daemon.name());
        ArrayNode checks = root.putArray("checks");
        for (CheckLine line : lines) {
            checks.addObject()
                    .put("level", line.level().name().toLowerCase(Locale.ROOT))
                    .put("area", line.area())
                    .put("subject", line.subject())
                    .put("found", line.found())
                    .put("expected", line.expected());
        }
        return root.toPrettyString() + "\n";
    }

    /** Nothing failed. */
    public static boolean isGood(List<CheckLine> lines) {
        return lines.stream().noneMatch(line -> line.level() == CheckLine.Level.FAIL);
    }
}

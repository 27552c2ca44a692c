package photon.server.configinit;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Locale;
import java.util.Optional;
import photon.server.configtest.rules.Finding;

/** What came of making a configuration, as one JSON object. */
public final class InitJson {
    private static final ObjectMapper JSON = new ObjectMapper();

    private InitJson() {}

    /**
     * @param written where the configuration was written; absent: nowhere
     */
    public static String of(ConfigInit.Result result, Optional<String> written) {
        ObjectNode root = JSON.createObjectNode();
        root.put("good", result.good());
        written.ifPresent(file -> root.put("written", file));
        root.put("primaryRecords", result.primaryRecords());
        root.put("foreignRecords", result.foreignRecords());
        ArrayNode guesses = root.putArray("guesses");
        result.guesses()
                .forEach(
                        guess ->
                                guesses.addObject()
                                        .put("key", guess.key())
                                        .put("value", guess.value())
                                        .put(
                                                "certainty",
                                                guess.certainty().name().toLowerCase(Locale.ROOT))
                                        .put("why", guess.why()));
        ArrayNode needs = root.putArray("needs");
        result.needs()
                .forEach(
                        need ->
                                needs.addObject()
                                        .put("key", need.key())
                                        .put("problem", need.problem())
                                        .put("options", need.options()));
        ArrayNode troubles = root.putArray("troubles");
        result.troubles().forEach(troubles::add);
        result.test()
                .ifPresent(
                        test -> {
                            root.putObject("join")
                                    .put("foreignEvents", test.matches().foreignEvents())
                                    .put("found", test.matches().found());
                            ArrayNode findings = root.putArray("findings");
                            test.findings().stream().map(Finding::text).forEach(findings::add);
                        });
        return root.toPrettyString() + "\n";
    }
}

package photon.server.configtest;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Locale;
import photon.joiner.adapters.AdapterDecision;
import photon.server.configtest.rules.Finding;
import photon.server.configtest.rules.StreamSample;

/** The result as one JSON object. */
public final class ConfigTestJson {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int EXAMPLES = 3;

    private ConfigTestJson() {}

    public static String of(ConfigTest.Result result) {
        ObjectNode root = JSON.createObjectNode();
        root.put("good", result.good());
        root.set("primary", stream(result.primary()));
        root.set("foreign", stream(result.foreign()));
        root.putObject("join")
                .put("foreignEvents", result.matches().foreignEvents())
                .put("found", result.matches().found())
                .put("primaryEvents", result.matches().primaryEvents())
                .put("primaryReadToEnd", result.primary().atEnd());
        result.first().ifPresent(decision -> first(root.putObject("first"), decision));
        answers(root.putObject("answers"), result.answers());
        ArrayNode findings = root.putArray("findings");
        for (Finding finding : result.findings()) {
            findings.addObject()
                    .put("severity", finding.severity().name().toLowerCase(Locale.ROOT))
                    .put("where", finding.where())
                    .put("problem", finding.problem())
                    .put("fix", finding.fix());
        }
        return root.toPrettyString() + "\n";
    }

    private static ObjectNode stream(StreamSample sample) {
        ObjectNode node = JSON.createObjectNode();
        ArrayNode paths = node.putArray("paths");
        sample.globs()
                .forEach(
                        glob ->
                                paths.addObject()
                                        .put("path", glob.pattern())
                                        .put("files", glob.files()));
        node.put("files", sample.files());
        node.put("records", sample.records());
        node.put("events", sample.events().size());
        node.put("leftOut", sample.leftOut());
        node.put("badRecords", sample.bad().count());
        node.put("readToEnd", sample.atEnd());
        node.put("dates", sample.dates());
        texts(node.putArray("ids"), sample.ids(EXAMPLES));
        texts(node.putArray("joinKeys"), sample.keys(EXAMPLES));
        ArrayNode reasons = node.putArray("badReasons");
        sample.bad()
                .kinds()
                .forEach(
                        kind ->
                                reasons.addObject()
                                        .put("count", kind.count())
                                        .put("reason", kind.reason())
                                        .put("path", kind.path())
                                        .put("offset", kind.offset()));
        ArrayNode unreadable = node.putArray("unreadable");
        sample.troubles()
                .forEach(
                        trouble ->
                                unreadable
                                        .addObject()
                                        .put("path", trouble.path())
                                        .put("reason", trouble.reason()));
        texts(
                node.putArray("halfWritten"),
                sample.halfWritten().stream().map(StreamSample.HalfWritten::path).toList());
        return node;
    }

    private static void first(ObjectNode node, AdapterDecision decision) {
        node.put("decision", ConfigTestText.decision(decision));
        ArrayNode lines = node.putArray("events");
        if (decision instanceof AdapterDecision.Emit emit) {
            emit.events()
                    .forEach(
                            event ->
                                    lines.addObject()
                                            .put("output", event.output())
                                            .put("line", event.bytes().toStringUtf8()));
        }
    }

    private static void answers(ObjectNode node, AdapterAnswers answers) {
        node.put("pairs", answers.asked());
        ObjectNode decisions = node.putObject("decisions");
        answers.decisions().forEach(decisions::put);
        ObjectNode reasons = node.putObject("reasons");
        answers.reasons().forEach(reasons::put);
        ObjectNode outputs = node.putObject("outputs");
        answers.outputs().forEach(outputs::put);
    }

    private static void texts(ArrayNode array, List<String> values) {
        values.forEach(array::add);
    }
}

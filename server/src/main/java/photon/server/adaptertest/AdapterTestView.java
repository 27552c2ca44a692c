package photon.server.adaptertest;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import photon.adapter.testing.CaseReport;
import photon.adapter.testing.CaseReport.Case;
import photon.adapter.testing.CaseReport.Verdict;

/** The result of a test as people and programs read it. */
public final class AdapterTestView {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int SAMPLE_LINES_MAX = 10;
    private static final double MILLI_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    private AdapterTestView() {}

    public static String text(AdapterTest.Result result) {
        CaseReport report = result.report();
        StringBuilder text = new StringBuilder();
        text.append("adapter  ").append(result.adapter().text()).append('\n');
        text.append(
                String.format(
                        Locale.ROOT,
                        "cases    %,d passed, %,d with a warning, %,d failed%n",
                        report.count(Verdict.PASSED),
                        report.count(Verdict.WARNING),
                        report.count(Verdict.FAILED)));
        text.append(
                String.format(
                        Locale.ROOT,
                        "calls    %,d, %.3f ms each, the slowest %.3f ms%n",
                        report.calls(),
                        report.meanNanos() / MILLI_NANOS,
                        report.slowestNanos() / MILLI_NANOS));
        if (result.sample() > 0) {
            sample(text, sampleCases(result));
        }
        for (Case one : report.cases()) {
            if (one.verdict() != Verdict.PASSED) {
                text.append("\n%s %s: %s\n".formatted(one.verdict(), one.name(), one.problem()));
            }
        }
        return text.toString();
    }

    /** They come behind the cases of the start. */
    private static List<Case> sampleCases(AdapterTest.Result result) {
        return result.report().cases().stream()
                .filter(one -> one.name().startsWith(SamplePairs.NAME))
                .toList();
    }

    private static void sample(StringBuilder text, List<Case> cases) {
        Map<String, Integer> decisions = new TreeMap<>();
        for (Case one : cases) {
            decisions.merge(one.decision().split("[ :]", 2)[0], 1, Integer::sum);
        }
        text.append("sample   %,d pairs: ".formatted(cases.size()))
                .append(
                        String.join(
                                ", ",
                                decisions.entrySet().stream()
                                        .map(d -> "%,d %s".formatted(d.getValue(), d.getKey()))
                                        .toList()))
                .append('\n');
        cases.stream()
                .limit(SAMPLE_LINES_MAX)
                .forEach(one -> text.append("  %s: %s\n".formatted(one.name(), one.decision())));
        if (cases.size() > SAMPLE_LINES_MAX) {
            text.append("  ...\n");
        }
    }

    public static String json(AdapterTest.Result result) {
        CaseReport report = result.report();
        ObjectNode root = JSON.createObjectNode();
        root.put("passed", report.passed());
        AdapterDescription.describe(root.putObject("adapter"), result.adapter());
        root.put("calls", report.calls());
        root.put("meanNanos", report.meanNanos());
        root.put("slowestNanos", report.slowestNanos());
        ArrayNode cases = root.putArray("cases");
        for (Case one : report.cases()) {
            cases.addObject()
                    .put("name", one.name())
                    .put("verdict", one.verdict().name().toLowerCase(Locale.ROOT))
                    .put("decision", one.decision())
                    .put("problem", one.problem());
        }
        return root.toPrettyString() + "\n";
    }
}

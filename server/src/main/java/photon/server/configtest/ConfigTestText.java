package photon.server.configtest;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import photon.core.text.Columns;
import photon.joiner.adapters.AdapterDecision;
import photon.server.configtest.rules.BadRecordReasons;
import photon.server.configtest.rules.Diagnosis;
import photon.server.configtest.rules.Finding;
import photon.server.configtest.rules.StreamSample;

/** The result as a table for people. */
public final class ConfigTestText {
    private static final int EXAMPLES = 3;
    private static final int CELL_CHARS_MAX = 60;
    private static final int LINE_CHARS_MAX = 2_000;

    private ConfigTestText() {}

    public static String of(ConfigTest.Result result) {
        StreamSample primary = result.primary();
        StreamSample foreign = result.foreign();
        StringBuilder text = new StringBuilder();
        paths(text, primary);
        paths(text, foreign);
        text.append('\n');
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of("", "primary", "foreign"));
        rows.add(List.of("files", number(primary.files()), number(foreign.files())));
        rows.add(List.of("records read", read(primary), read(foreign)));
        rows.add(
                List.of(
                        "events",
                        number(primary.events().size()),
                        number(foreign.events().size())));
        rows.add(List.of("left out", number(primary.leftOut()), number(foreign.leftOut())));
        rows.add(
                List.of(
                        "bad records",
                        number(primary.bad().count()),
                        number(foreign.bad().count())));
        rows.add(List.of("ids", list(primary.ids(EXAMPLES)), list(foreign.ids(EXAMPLES))));
        rows.add(List.of("timestamps", primary.dates(), foreign.dates()));
        rows.add(List.of("join keys", list(primary.keys(EXAMPLES)), list(foreign.keys(EXAMPLES))));
        text.append(Columns.of("", rows));
        text.append('\n').append(join(result));
        bad(text, primary);
        bad(text, foreign);
        findings(text, result.findings());
        return text.toString();
    }

    /** How many sampled events are joined, and the first of them. */
    public static String join(ConfigTest.Result result) {
        StringBuilder text = new StringBuilder();
        text.append("Join: ")
                .append(Diagnosis.share(result.primary(), result.matches()))
                .append(".\n");
        result.first().ifPresent(decision -> first(text, decision));
        result.answers().lines().forEach(line -> text.append(line).append('\n'));
        return text.toString();
    }

    /** What an adapter has decided, without what it emits. */
    static String decision(AdapterDecision decision) {
        if (decision instanceof AdapterDecision.Skip skip) {
            return "skip: " + skip.reason();
        }
        if (decision instanceof AdapterDecision.NotAsked away) {
            return "retry: " + away.reason();
        }
        if (decision instanceof AdapterDecision.Retry retry) {
            return "retry: " + retry.reason();
        }
        if (decision instanceof AdapterDecision.Reject reject) {
            return "reject: " + reject.reason();
        }
        return "emit";
    }

    private static void paths(StringBuilder text, StreamSample sample) {
        for (StreamSample.GlobMatch glob : sample.globs()) {
            text.append(
                    "%s: %s matches %s\n"
                            .formatted(
                                    sample.name(),
                                    glob.pattern(),
                                    glob.files() == 1
                                            ? "1 file"
                                            : number(glob.files()) + " files"));
        }
    }

    private static String read(StreamSample sample) {
        return number(sample.records()) + (sample.atEnd() ? ", all there are" : ", more follow");
    }

    private static String number(long number) {
        return String.format(Locale.ROOT, "%,d", number);
    }

    private static String list(List<String> values) {
        String text = String.join(", ", values);
        return text.length() <= CELL_CHARS_MAX
                ? text
                : text.substring(0, CELL_CHARS_MAX - 3) + "...";
    }

    private static void first(StringBuilder text, AdapterDecision decision) {
        if (!(decision instanceof AdapterDecision.Emit emit)) {
            text.append("\nThe first pair gives nothing: ").append(decision(decision)).append('\n');
            return;
        }
        text.append("\nThe first joined pair, as Photon would write it:\n");
        emit.events()
                .forEach(
                        event -> {
                            String line = event.bytes().toStringUtf8();
                            text.append(event.output().isEmpty() ? "" : event.output() + ": ");
                            text.append(
                                    line.length() <= LINE_CHARS_MAX
                                            ? line
                                            : line.substring(0, LINE_CHARS_MAX) + "...");
                            text.append('\n');
                        });
    }

    private static void bad(StringBuilder text, StreamSample sample) {
        if (sample.bad().count() > 0) {
            text.append(
                    sample.bad().kinds().stream()
                            .map(ConfigTestText::kind)
                            .collect(
                                    Collectors.joining(
                                            "\n", "\nBad " + sample.name() + " records:\n", "\n")));
        }
    }

    private static String kind(BadRecordReasons.Kind kind) {
        return "%s x %s (first: %s at byte %d)"
                .formatted(number(kind.count()), kind.reason(), kind.path(), kind.offset());
    }

    /** Errors are on stderr. */
    private static void findings(StringBuilder text, List<Finding> findings) {
        if (findings.isEmpty()) {
            text.append("\nThe test found nothing wrong in what it read.\n");
        } else {
            text.append(warnings(findings));
        }
    }

    /** Each in one line, after an empty line; empty: there is none. */
    public static String warnings(List<Finding> findings) {
        return findings.stream()
                .filter(one -> !one.isError())
                .map(warning -> "WARNING " + warning.text() + "\n")
                .reduce(String::concat)
                .map(lines -> "\n" + lines)
                .orElse("");
    }
}

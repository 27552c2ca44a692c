package photon.bench.pipeline;

import static photon.core.text.RootLocale.format;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import photon.core.error.ExitStatus;

/** What a run has shown, as JSON and as a table for people. */
final class PipelineResult {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final List<Row> ROWS =
            List.of(
                    Row.whole("wholeSeconds", "whole run, s", 1, f -> f.wholeSeconds()),
                    Row.whole("startSeconds", "  start, s", 1, f -> f.startSeconds()),
                    Row.whole(
                            "joinSeconds", "  first read to last join, s", 1, f -> f.joinSeconds()),
                    Row.whole("endSeconds", "  end, s", 1, f -> f.endSeconds()),
                    Row.whole(
                            "inputsPerSecond",
                            "first read to last join: input events/s",
                            0,
                            f -> f.inputsPerSecond()),
                    Row.whole("joinedPerSecond", "  joined events/s", 0, f -> f.joinedPerSecond()),
                    Row.warm(
                            "warmInputsPerSecond",
                            "second half (warm): input events/s",
                            0,
                            s -> s.inputsPerSecond()),
                    Row.warm(
                            "warmJoinedPerSecond",
                            "  joined events/s",
                            0,
                            s -> s.joinedPerSecond()),
                    Row.warm(
                            "warmCpuMicrosPerInput",
                            "  CPU us per input event",
                            2,
                            s -> s.cpuMicros()),
                    Row.whole(
                            "cpuMicrosPerInput",
                            "whole run: CPU us per input event",
                            2,
                            f -> f.cpuMicros()),
                    Row.whole(
                            "allocatedBytesPerInput",
                            "  bytes allocated per input event",
                            0,
                            f -> f.allocatedBytes()),
                    Row.whole("peakMiB", "  peak memory, MiB", 0, f -> f.peakBytes() / 1048576.0));

    private final PipelineBenchOptions options;
    private final PipelineLoad load;
    private final Machine machine;
    private final Joined photon;
    private final PhotonCosts costs;
    private final Optional<Joined> flink;

    /** A system's figures, and whether what it joined is right. */
    record Joined(RunFigures figures, AnswerCheck.Verdict verdict, boolean endedWell) {
        boolean right() {
            return endedWell && verdict.right();
        }
    }

    /**
     * What only Photon has.
     *
     * @param idsPerEntry of the registry's logs
     * @param wastedAttempts that lost against another datacenter's
     */
    record PhotonCosts(double idsPerEntry, long wastedAttempts, double messagesPerEvent) {
        double wastedShare(long joined) {
            long attempts = joined + wastedAttempts;
            return attempts == 0 ? 0 : (double) wastedAttempts / attempts;
        }
    }

    /** A line of the table; empty: the run does not say. */
    private record Row(
            String name, String text, int digits, Function<RunFigures, Optional<Double>> value) {
        static Row whole(String name, String text, int digits, Function<RunFigures, Double> value) {
            return new Row(name, text, digits, figures -> Optional.of(value.apply(figures)));
        }

        static Row warm(
                String name, String text, int digits, Function<RunFigures.Warm, Double> value) {
            return new Row(name, text, digits, figures -> figures.warm().map(value));
        }
    }

    PipelineResult(
            PipelineBenchOptions options,
            PipelineLoad load,
            Machine machine,
            Joined photon,
            PhotonCosts costs,
            Optional<Joined> flink) {
        this.options = options;
        this.load = load;
        this.machine = machine;
        this.photon = photon;
        this.costs = costs;
        this.flink = flink;
    }

    boolean right() {
        return photon.right() && flink.map(Joined::right).orElse(true);
    }

    /** 0 if what was joined is right. */
    int exitStatus() {
        return right() ? ExitStatus.DONE : ExitStatus.FAILED;
    }

    /** Photon's figure by Flink's, of all that both have. */
    Map<String, Double> ratios() {
        Map<String, Double> ratios = new LinkedHashMap<>();
        if (flink.isPresent()) {
            for (Row row : ROWS) {
                ratio(row).ifPresent(ratio -> ratios.put(row.name(), ratio));
            }
        }
        return ratios;
    }

    private Optional<Double> ratio(Row row) {
        return flink.flatMap(
                peer ->
                        row.value()
                                .apply(photon.figures())
                                .flatMap(
                                        own ->
                                                row.value()
                                                        .apply(peer.figures())
                                                        .filter(other -> other > 0)
                                                        .map(other -> own / other)));
    }

    String toJson() {
        ObjectNode root = JSON.createObjectNode();
        root.put("clicksPercent", options.clicksPercent());
        root.put("datacenters", options.datacenters());
        ObjectNode input = root.putObject("load");
        input.put("inputs", load.inputs());
        input.put("primaryEvents", load.answer().primaryEvents());
        input.put("foreignEvents", load.answer().foreignEvents());
        input.put("repeats", load.answer().repeats());
        input.put("joinable", load.answer().joinable());
        root.set("machine", JSON.valueToTree(machine));
        ObjectNode own = root.putObject("photon");
        put(own, photon);
        own.put("idsPerEntry", costs.idsPerEntry());
        own.put("wastedAttempts", costs.wastedAttempts());
        own.put("wastedShare", costs.wastedShare(photon.verdict().joined()));
        own.put("messagesPerEvent", costs.messagesPerEvent());
        flink.ifPresent(
                peer -> {
                    put(root.putObject("flink"), peer);
                    ObjectNode ratios = root.putObject("photonByFlink");
                    ratios().forEach(ratios::put);
                });
        root.put("right", right());
        return root.toString();
    }

    private static void put(ObjectNode node, Joined joined) {
        for (Row row : ROWS) {
            row.value()
                    .apply(joined.figures())
                    .ifPresentOrElse(
                            value -> node.put(row.name(), value), () -> node.putNull(row.name()));
        }
        ObjectNode parts = node.putObject("cpuMicrosPerInputByPart");
        joined.figures().cpuMicrosByPart().forEach(parts::put);
        node.put("joined", joined.verdict().joined());
        node.put("missing", joined.verdict().missing());
        node.put("duplicates", joined.verdict().duplicates());
        node.put("wrong", joined.verdict().wrong());
        node.put("right", joined.right());
    }

    List<String> lines() {
        List<String> lines = new ArrayList<>();
        lines.add(
                format(
                        "load: %,d primary and %,d foreign events, %,d records logged twice: %,d input events; %,d can be joined",
                        load.answer().primaryEvents(),
                        load.answer().foreignEvents(),
                        load.answer().repeats(),
                        load.inputs(),
                        load.answer().joinable()));
        lines.add(
                format(
                        "machine: %d processors, Java %s, heaps of %s; load average %.1f before, %.1f after; %d datacenters",
                        machine.processors(),
                        machine.java(),
                        machine.heap(),
                        machine.loadBefore(),
                        machine.loadAfter(),
                        options.datacenters()));
        lines.add("");
        lines.add(
                flink.isPresent()
                        ? format("%-42s%12s%12s%16s", "", "photon", "flink", "photon/flink")
                        : format("%-42s%12s", "", "photon"));
        ROWS.forEach(row -> lines.add(line(row)));
        lines.add("");
        lines.add(parts("photon", photon));
        flink.ifPresent(peer -> lines.add(parts("flink", peer)));
        lines.add(
                format(
                        "registry: %,.0f ids per Raft entry; %,d wasted attempts (%.2f %%); %.3f messages per foreign event",
                        costs.idsPerEntry(),
                        costs.wastedAttempts(),
                        100 * costs.wastedShare(photon.verdict().joined()),
                        costs.messagesPerEvent()));
        lines.addAll(judged("photon", photon));
        flink.ifPresent(peer -> lines.addAll(judged("flink", peer)));
        return lines;
    }

    private String line(Row row) {
        String line = format("%-42s%12s", row.text(), number(row, photon));
        return flink.map(
                        peer ->
                                line
                                        + format("%12s", number(row, peer))
                                        + format(
                                                "%16s",
                                                ratio(row).map(r -> format("%.2f", r)).orElse("-")))
                .orElse(line);
    }

    private static String number(Row row, Joined joined) {
        return row.value()
                .apply(joined.figures())
                .map(value -> String.format(Locale.ROOT, "%,." + row.digits() + "f", value))
                .orElse("-");
    }

    private static String parts(String who, Joined joined) {
        List<String> parts = new ArrayList<>();
        joined.figures()
                .cpuMicrosByPart()
                .forEach((part, micros) -> parts.add(format("%s %.2f", part, micros)));
        return "CPU us per input event, " + who + ": " + String.join(", ", parts);
    }

    private static List<String> judged(String who, Joined joined) {
        AnswerCheck.Verdict verdict = joined.verdict();
        List<String> lines = new ArrayList<>();
        lines.add(
                format(
                        "%s %s: %,d joined, %,d missing, %,d duplicates, %,d that are no pair%s",
                        who,
                        joined.right() ? "is right" : "is WRONG",
                        verdict.joined(),
                        verdict.missing(),
                        verdict.duplicates(),
                        verdict.wrong(),
                        joined.endedWell()
                                ? ""
                                : "; its process failed, or its books do not balance"));
        verdict.told().forEach(what -> lines.add("  " + what));
        return lines;
    }
}

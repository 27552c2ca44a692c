package photon.demo;

import static photon.core.text.RootLocale.format;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.SortedMap;
import photon.core.metrics.Percentiles;
import photon.demo.DemoFigures.Audit;
import photon.demo.DemoFigures.Outage;

/** What a demo has come to: as JSON, for people, and whether it was right. Immutable. */
public final class DemoResult {
    private final ObjectNode books;
    private final DemoFigures figures;

    /**
     * @param books what {@code photon local --json} prints
     */
    public DemoResult(ObjectNode books, DemoFigures figures) {
        this.books = books.deepCopy();
        this.figures = figures;
    }

    /** The books and, behind them, the figures; what did not apply to this run is null. */
    public ObjectNode toJson() {
        ObjectNode json = books.deepCopy();
        json.put("expectedJoined", figures.expectedJoined());
        json.put("joinedDuringOutage", figures.outage().map(Outage::joinedDuring).orElse(null));
        json.put("leaderChanges", figures.leaderChanges());
        json.put(
                "eastJoinedAfterReturn",
                figures.outage().map(Outage::joinedAfterReturn).orElse(null));
        put(json, "resumeSeconds", resumeSeconds());
        ObjectNode repair = json.putObject("repairSeconds");
        put(repair, "p50", repairSeconds(50));
        put(repair, "p99", repairSeconds(99));
        put(repair, "max", repairSeconds(100));
        json.put("lost", lost());
        ObjectNode latency = json.putObject("latencyMillis");
        put(latency, "p50", latencyMillis(50));
        put(latency, "p99", latencyMillis(99));
        ObjectNode stages = json.putObject("stageMillis");
        figures.stages()
                .forEach(
                        (stage, delays) -> {
                            ObjectNode of = stages.withObjectProperty(stage.role());
                            ObjectNode one = of.putObject(stage.name());
                            put(one, "p50", millis(delays, 50));
                            put(one, "p99", millis(delays, 99));
                        });
        figures.workers().ifPresent(workers -> workers.writeTo(json.putObject("hdfs")));
        json.put("audit", figures.audit().name().toLowerCase(Locale.ROOT));
        return json;
    }

    /** 0 if all is as it must be, else 1. */
    public int exitStatus() {
        return unmet().isEmpty() ? 0 : 1;
    }

    /** In words what is not as it must be; empty: the run was right. */
    public List<String> unmet() {
        List<String> unmet = new ArrayList<>();
        if (count("joined") != figures.expectedJoined()) {
            unmet.add(
                    format(
                            "Expected %,d joined events, but %,d are published",
                            figures.expectedJoined(), count("joined")));
        }
        mustBeZero(unmet, "duplicates", count("duplicates"));
        mustBeZero(unmet, "unaccounted events", count("unaccounted"));
        mustBeZero(unmet, "lost events", lost());
        figures.outage().ifPresent(outage -> judge(unmet, outage));
        if (figures.audit() == Audit.DIFFERS) {
            unmet.add("Expected the auditor to agree, but it found differences");
        }
        return unmet;
    }

    private void judge(List<String> unmet, Outage outage) {
        if (outage.joinedDuring() <= 0) {
            unmet.add("Expected joined events while east was down, but there were none");
        }
        if (figures.leaderChanges() < 1) {
            unmet.add("Expected a leader to change when east was killed, but none did");
        }
        if (outage.joinedAfterReturn() <= 0) {
            unmet.add("Expected east to join events after its return, but it joined none");
        }
    }

    private static void mustBeZero(List<String> unmet, String what, long count) {
        if (count != 0) {
            unmet.add(format("Expected no %s, but there are %,d", what, count));
        }
    }

    /** For people. */
    public List<String> table() {
        List<String> lines = new ArrayList<>();
        lines.add(row("foreign events", format("%,d", count("foreignEvents"))));
        lines.add(row("joined", format("%,d of %,d", count("joined"), figures.expectedJoined())));
        for (Map.Entry<String, JsonNode> each : books.path("byDatacenter").properties()) {
            lines.add(
                    row(
                            "  by " + each.getKey(),
                            format("%,d", each.getValue().path("joined").asLong())));
        }
        for (String book : List.of("waiting", "wastedAttempts", "repaired")) {
            String name = book.equals("wastedAttempts") ? "wasted attempts" : book;
            lines.add(row(name, format("%,d", count(book))));
        }
        lines.add(row("duplicates", format("%,d", count("duplicates"))));
        lines.add(row("unaccounted", format("%,d", count("unaccounted"))));
        lines.add(row("lost", format("%,d", lost())));
        lines.add(row("leader changes", format("%,d", figures.leaderChanges())));
        figures.outage().ifPresent(outage -> lines.addAll(rows(outage)));
        if (!figures.repairSeconds().isEmpty()) {
            lines.add(
                    row(
                            "repair after a joiner's death",
                            format(
                                    "p50 %.1f s, p99 %.1f s, longest %.1f s",
                                    repairSeconds(50).orElseThrow(),
                                    repairSeconds(99).orElseThrow(),
                                    repairSeconds(100).orElseThrow())));
        }
        if (!figures.delays().isEmpty()) {
            lines.add(
                    row(
                            "latency, append to durable",
                            format(
                                    "p50 %,.0f ms, p99 %,.0f ms",
                                    latencyMillis(50).orElseThrow(),
                                    latencyMillis(99).orElseThrow())));
        }
        figures.stages()
                .forEach(
                        (stage, delays) -> {
                            if (!delays.isEmpty()) {
                                lines.add(
                                        row(
                                                "  " + stage.role() + ": " + stage.name(),
                                                format(
                                                        "p50 %,.1f ms, p99 %,.1f ms",
                                                        millis(delays, 50).orElseThrow(),
                                                        millis(delays, 99).orElseThrow())));
                            }
                        });
        figures.workers()
                .ifPresent(
                        workers ->
                                workers.rows().forEach(r -> lines.add(row(r.name(), r.value()))));
        lines.add(row("auditor", auditText()));
        books.path("alarms").forEach(alarm -> lines.add("ALARM: " + alarm.asText()));
        return lines;
    }

    private List<String> rows(Outage outage) {
        return List.of(
                row("joined while east was down", format("%,d", outage.joinedDuring())),
                row(
                        "  first of east's share after",
                        outage.resumeSeconds().isPresent()
                                ? format("%.1f s", outage.resumeSeconds().getAsDouble())
                                : "never"),
                row("joined by east after return", format("%,d", outage.joinedAfterReturn())));
    }

    private String auditText() {
        return switch (figures.audit()) {
            case AGREES -> "agrees";
            case DIFFERS -> "DIFFERS";
            case SKIPPED -> "not run";
        };
    }

    long joined() {
        return count("joined");
    }

    long expectedJoined() {
        return figures.expectedJoined();
    }

    int leaderChanges() {
        return figures.leaderChanges();
    }

    Audit audit() {
        return figures.audit();
    }

    long lost() {
        return figures.expectedJoined() - count("joined");
    }

    /** What stands in a book, or what the run has cost, by the name in its JSON. */
    long count(String book) {
        return books.path(book).asLong();
    }

    private OptionalDouble resumeSeconds() {
        return figures.outage().map(Outage::resumeSeconds).orElse(OptionalDouble.empty());
    }

    private OptionalDouble repairSeconds(double percent) {
        return Percentiles.of(figures.repairSeconds(), percent);
    }

    private OptionalDouble latencyMillis(double percent) {
        return millis(figures.delays(), percent);
    }

    private static OptionalDouble millis(SortedMap<Long, Long> byMicros, double percent) {
        OptionalLong micros = Percentiles.of(byMicros, percent);
        return micros.isPresent()
                ? OptionalDouble.of(micros.getAsLong() / 1e3)
                : OptionalDouble.empty();
    }

    private static void put(ObjectNode json, String name, OptionalDouble value) {
        if (value.isPresent()) {
            json.put(name, Math.round(value.getAsDouble() * 1_000) / 1e3);
        } else {
            json.putNull(name);
        }
    }

    private static String row(String name, String value) {
        return format("%-32s %s", name, value);
    }
}

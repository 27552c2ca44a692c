package photon.demo.chaos;

import static photon.core.text.RootLocale.format;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import photon.demo.DemoFigures.Audit;
import photon.demo.chaos.FaultActions.FaultRecord;

/** What a run has shown, as JSON and as lines for people. Immutable. */
final class PipelineChaosResult {
    private static final int ROWS = 12;

    private final PipelineChaosOptions options;
    private final long expected;
    private final ObjectNode books;
    private final long duplicatesSeen;
    private final Audit audit;
    private final List<FaultRecord> story;
    private final List<ResourceSample> samples;

    /**
     * @param expected foreign events that can be joined, by the knowledge of who made them
     * @param books what {@code photon local --json} prints
     * @param duplicatesSeen lines beyond the first of an event, counted in the published files
     *     during the run
     */
    PipelineChaosResult(
            PipelineChaosOptions options,
            long expected,
            ObjectNode books,
            long duplicatesSeen,
            Audit audit,
            List<FaultRecord> story,
            List<ResourceSample> samples) {
        this.options = options;
        this.expected = expected;
        this.books = books.deepCopy();
        this.duplicatesSeen = duplicatesSeen;
        this.audit = audit;
        this.story = List.copyOf(story);
        this.samples = List.copyOf(samples);
    }

    private long count(String book) {
        return books.path(book).asLong();
    }

    private long lost() {
        return expected - count("joined");
    }

    private long done() {
        return story.stream().filter(one -> !one.target().isEmpty()).count();
    }

    /** In words what is not as it must be; empty: the run was right. */
    List<String> unmet() {
        List<String> unmet = new ArrayList<>();
        if (lost() != 0) {
            unmet.add(
                    format(
                            "Expected %,d joined events, but %,d are published",
                            expected, count("joined")));
        }
        long duplicates = Math.max(duplicatesSeen, count("duplicates"));
        if (duplicates != 0) {
            unmet.add(format("Expected no duplicates, but there are %,d", duplicates));
        }
        for (String book : List.of("unaccounted", "outcomeLost", "unread")) {
            if (count(book) != 0) {
                unmet.add(format("Expected nothing %s, but there are %,d", book, count(book)));
            }
        }
        books.path("alarms").forEach(alarm -> unmet.add("ALARM: " + alarm.asText()));
        if (audit == Audit.DIFFERS) {
            unmet.add("Expected the auditor to agree, but it found differences");
        }
        if (done() == 0) {
            unmet.add("Nothing has happened: expected faults");
        }
        return unmet;
    }

    /** 0 if all is as it must be, else 1. */
    int exitStatus() {
        return unmet().isEmpty() ? 0 : 1;
    }

    ObjectNode toJson() {
        ObjectNode json = books.deepCopy();
        json.put("seed", options.seed());
        json.put("minutes", options.minutes());
        json.put("rate", options.rate());
        json.put("expectedJoined", expected);
        json.put("lost", lost());
        json.put("audit", audit.name().toLowerCase(Locale.ROOT));
        json.put("right", unmet().isEmpty());
        ArrayNode unmet = json.putArray("unmet");
        unmet().forEach(unmet::add);
        ObjectNode faults = json.putObject("faults");
        counts().forEach((fault, count) -> faults.put(fault.label(), count));
        ArrayNode told = json.putArray("story");
        for (FaultRecord one : story) {
            told.addObject()
                    .put("atSeconds", one.atMillis() / 1e3)
                    .put("fault", one.fault().label())
                    .put("target", one.target())
                    .put("seconds", one.holdMillis() / 1e3);
        }
        ArrayNode resources = json.putArray("resources");
        samples.forEach(sample -> put(resources.addObject(), sample));
        return json;
    }

    private static void put(ObjectNode node, ResourceSample sample) {
        node.put("atSeconds", sample.atSeconds());
        node.put("joinable", sample.joinable());
        node.put("published", sample.published());
        ObjectNode resident = node.putObject("residentMegabytes");
        sample.residentMegabytes().forEach(resident::put);
        node.put("files", sample.files());
        node.put("workFiles", sample.workFiles());
        node.put("checkpointBytes", sample.checkpointBytes());
        node.put("waitingRows", sample.waitingRows());
    }

    private Map<PipelineFault, Integer> counts() {
        Map<PipelineFault, Integer> counts = new EnumMap<>(PipelineFault.class);
        for (FaultRecord one : story) {
            counts.merge(one.fault(), one.target().isEmpty() ? 0 : 1, Integer::sum);
        }
        return counts;
    }

    /** For people. */
    List<String> lines() {
        List<String> lines = new ArrayList<>();
        lines.add(
                format(
                        "seed %d: %.1f minutes, %,d foreign events a second",
                        options.seed(), options.minutes(), options.rate()));
        counts().forEach((fault, count) -> lines.add(format("%-18s %4d", fault.label(), count)));
        lines.add("");
        lines.addAll(table());
        lines.add("");
        lines.add(format("joined       %,d of %,d", count("joined"), expected));
        for (String book :
                List.of("repaired", "duplicates", "unaccounted", "outcomeLost", "waiting")) {
            lines.add(format("%-12s %,d", book, count(book)));
        }
        lines.add(format("%-12s %s", "auditor", audit.name().toLowerCase(Locale.ROOT)));
        unmet().forEach(reason -> lines.add("NOT RIGHT: " + reason));
        if (unmet().isEmpty()) {
            lines.add("right");
        }
        return lines;
    }

    /** Memory, files and checkpoints over the time. */
    private List<String> table() {
        List<String> rows = new ArrayList<>();
        rows.add(
                format(
                        "%8s %12s %12s %9s %9s %9s %9s %9s %8s %8s %11s %8s",
                        "seconds",
                        "joinable",
                        "published",
                        "registry",
                        "store",
                        "dispatch",
                        "joiner",
                        "verifier",
                        "files",
                        "work",
                        "checkpoint",
                        "waiting"));
        int step = Math.max(1, (samples.size() + ROWS - 1) / ROWS);
        for (int i = 0; i < samples.size(); i += step) {
            rows.add(row(samples.get(i)));
        }
        rows.add(
                "(memory in MB resident, of the largest process of the role; checkpoint in bytes)");
        return rows;
    }

    private static String row(ResourceSample sample) {
        return format(
                "%8.0f %,12d %,12d %9d %9d %9d %9d %9d %,8d %,8d %,11d %,8d",
                sample.atSeconds(),
                sample.joinable(),
                sample.published(),
                resident(sample, "registry"),
                resident(sample, "eventstore"),
                resident(sample, "dispatcher"),
                resident(sample, "joiner"),
                resident(sample, "verifier"),
                sample.files(),
                sample.workFiles(),
                sample.checkpointBytes(),
                sample.waitingRows());
    }

    private static long resident(ResourceSample sample, String role) {
        return sample.residentMegabytes().getOrDefault(role, 0L);
    }
}

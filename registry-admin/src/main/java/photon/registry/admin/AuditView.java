package photon.registry.admin;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import photon.core.text.Columns;
import photon.core.text.PlainText;
import photon.proto.v1.AuditRecord;
import photon.proto.v1.AuditSource;
import photon.proto.v1.DescribeAuditResponse;
import photon.proto.v1.PipelineStatus;
import photon.proto.v1.ShardRef;

/**
 * What was done to a registry, put together from what its servers know: of each group the replica
 * that has applied most speaks. In the order of time as far as clocks tell it; of one group always
 * in the order of its log.
 *
 * @param forgotten records that nobody keeps any more, older than these; those of shards that are
 *     no more are not among them
 * @param sources which groups are told, in their order
 * @param servers which are known, and whether they told
 * @param warnings why something may be missing here; empty: nothing is
 */
public record AuditView(
        List<Line> lines,
        long forgotten,
        List<Source> sources,
        List<Told> servers,
        List<String> warnings) {
    private static final ObjectMapper JSON = new ObjectMapper();

    /**
     * One record.
     *
     * @param group {@code control}, or pipeline/epoch/shard
     * @param pipeline its name; empty if it concerns none
     */
    public record Line(AuditRecord record, String group, String pipeline) {}

    /**
     * A group.
     *
     * @param appliedIndex what is told is as of this index of its log
     */
    public record Source(String group, long appliedIndex) {}

    /**
     * A server.
     *
     * @param name empty: nobody knows it
     */
    public record Told(String name, String service, boolean answers) {}

    /** Where a line stands among those of other groups. */
    private record Placed(Line line, long atMicros, int source) {}

    public AuditView {
        lines = List.copyOf(lines);
        sources = List.copyOf(sources);
        servers = List.copyOf(servers);
        warnings = List.copyOf(warnings);
    }

    /**
     * @param names of the pipelines, dropped ones too
     */
    public static AuditView of(List<DescribeAuditResponse> answers, RegistryView names) {
        Map<String, AuditSource> best = new LinkedHashMap<>();
        for (DescribeAuditResponse answer : answers) {
            for (AuditSource source : answer.getSourcesList()) {
                best.merge(
                        source.hasShard() ? group(source.getShard(), names) : "control",
                        source,
                        (a, b) -> b.getAppliedIndex() > a.getAppliedIndex() ? b : a);
            }
        }
        List<Placed> all = new ArrayList<>();
        long forgotten = 0;
        int number = 0;
        for (Map.Entry<String, AuditSource> source : best.entrySet()) {
            forgotten += source.getValue().getForgotten();
            long atMicros = Long.MIN_VALUE;
            for (AuditRecord row : source.getValue().getRecordsList()) {
                // The clocks of two leaders differ; the log does not.
                atMicros = Math.max(atMicros, row.getStamp().getLatestMicros());
                all.add(
                        new Placed(
                                new Line(row, source.getKey(), pipeline(row, names)),
                                atMicros,
                                number));
            }
            number++;
        }
        all.sort(Comparator.comparingLong(Placed::atMicros).thenComparingInt(Placed::source));
        List<Told> servers = servers(answers, names);
        return new AuditView(
                all.stream().map(Placed::line).toList(),
                forgotten,
                best.entrySet().stream()
                        .map(one -> new Source(one.getKey(), one.getValue().getAppliedIndex()))
                        .toList(),
                servers,
                warnings(best, servers, names));
    }

    private static List<Told> servers(List<DescribeAuditResponse> answers, RegistryView names) {
        Set<String> told =
                answers.stream().map(DescribeAuditResponse::getName).collect(Collectors.toSet());
        return names.servers().stream()
                .map(
                        server ->
                                new Told(
                                        server.name(),
                                        server.service(),
                                        told.contains(server.name())))
                .toList();
    }

    private static List<String> warnings(
            Map<String, AuditSource> best, List<Told> servers, RegistryView names) {
        List<String> warnings = new ArrayList<>();
        for (Told server : servers) {
            if (!server.answers()) {
                warnings.add(
                        "%s does not report"
                                .formatted(
                                        server.name().isEmpty()
                                                ? server.service()
                                                : server.name() + " at " + server.service()));
            }
        }
        for (GroupView group : names.groups()) {
            AuditSource source = best.get(group.name());
            if (source == null) {
                warnings.add(group.name() + ": no server reports");
            } else if (group.leader().isEmpty()) {
                warnings.add(
                        "%s: it has no leader, so the records may be old, as of index %d of its log"
                                .formatted(group.name(), source.getAppliedIndex()));
            } else if (source.getAppliedIndex() < group.committedIndex()) {
                warnings.add(
                        "%s: the records are as of index %d of its log, but its leader has committed index %d"
                                .formatted(
                                        group.name(),
                                        source.getAppliedIndex(),
                                        group.committedIndex()));
            }
        }
        return warnings;
    }

    private static String group(ShardRef shard, RegistryView names) {
        return name(shard, names) + "/" + shard.getEpoch() + "/" + shard.getShard();
    }

    private static String pipeline(AuditRecord row, RegistryView names) {
        return row.hasShard() ? name(row.getShard(), names) : row.getPipelineName();
    }

    private static String name(ShardRef shard, RegistryView names) {
        return names.pipelines().stream()
                .filter(pipeline -> pipeline.getUuid().equals(shard.getPipeline()))
                .map(PipelineStatus::getName)
                .findFirst()
                .orElseGet(() -> RegistryView.uuid(shard.getPipeline()));
    }

    private static String kind(AuditRecord row) {
        String name = row.getKind().name();
        return name.replace("AUDIT_", "").replace('_', '-').toLowerCase(Locale.ROOT);
    }

    private static String incarnation(AuditRecord row) {
        return row.hasIncarnation()
                ? row.getIncarnation().getSlot() + "-" + row.getIncarnation().getGeneration()
                : "";
    }

    private static String what(AuditRecord row) {
        String detail =
                row.hasShard()
                        ? StatusText.counted((int) Math.min(Integer.MAX_VALUE, row.getIds()), "id")
                        : row.getDetail();
        return (incarnation(row) + " " + detail).strip();
    }

    /** A table. */
    public String text() {
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of("TIME", "WHO", "PIPELINE", "WHAT", "OF", "GROUP", "INDEX"));
        for (Line line : lines) {
            AuditRecord row = line.record();
            long micros = row.getStamp().getLatestMicros();
            rows.add(
                    List.of(
                            micros == 0 ? "-" : StatusText.instant(micros).toString(),
                            row.getStamp().getActor().isEmpty() ? "-" : row.getStamp().getActor(),
                            line.pipeline().isEmpty() ? "-" : line.pipeline(),
                            kind(row),
                            what(row).isEmpty() ? "-" : what(row),
                            line.group(),
                            String.valueOf(row.getIndex())));
        }
        return Columns.of("", rows)
                + (forgotten == 0
                        ? ""
                        : "%,d older records are no longer kept%n".formatted(forgotten))
                + warnings.stream()
                        .map(warning -> "NOTE: " + PlainText.line(warning) + "\n")
                        .collect(Collectors.joining());
    }

    /**
     * For programs: keys may come, none goes. Not protobufs as JSON: names stand for UUIDs, and
     * what may be missing is judged.
     */
    public String json() {
        ObjectNode document = JSON.createObjectNode();
        document.put("forgotten", forgotten);
        ArrayNode told = document.putArray("servers");
        for (Told server : servers) {
            told.addObject()
                    .put("name", server.name())
                    .put("service", server.service())
                    .put("answers", server.answers());
        }
        ArrayNode groups = document.putArray("groups");
        for (Source source : sources) {
            groups.addObject()
                    .put("name", source.group())
                    .put("appliedIndex", source.appliedIndex());
        }
        ArrayNode notes = document.putArray("warnings");
        warnings.forEach(notes::add);
        ArrayNode records = document.putArray("records");
        for (Line line : lines) {
            AuditRecord row = line.record();
            ObjectNode into = records.addObject();
            into.put("kind", kind(row))
                    .put("actor", row.getStamp().getActor())
                    .put("earliestMicros", row.getStamp().getEarliestMicros())
                    .put("latestMicros", row.getStamp().getLatestMicros())
                    .put("pipeline", line.pipeline())
                    .put("incarnation", incarnation(row))
                    .put("detail", row.getDetail())
                    .put("group", line.group())
                    .put("index", row.getIndex());
            if (row.hasShard()) {
                into.put("ids", row.getIds());
            }
        }
        return document.toPrettyString() + "\n";
    }
}

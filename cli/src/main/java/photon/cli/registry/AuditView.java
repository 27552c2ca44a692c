package photon.cli.registry;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
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
 * @param forgotten records that nobody keeps any more, older than these
 */
public record AuditView(List<Line> lines, long forgotten) {
    private static final ObjectMapper JSON = new ObjectMapper();

    /**
     * One record.
     *
     * @param group {@code control}, or pipeline/epoch/shard
     * @param pipeline its name; empty if it concerns none
     */
    public record Line(AuditRecord record, String group, String pipeline) {}

    /** Where a line stands among those of other groups. */
    private record Placed(Line line, long atMicros, int source) {}

    public AuditView {
        lines = List.copyOf(lines);
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
        return new AuditView(all.stream().map(Placed::line).toList(), forgotten);
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
        return StatusText.table("", rows)
                + (forgotten == 0
                        ? ""
                        : "%,d older records are not kept any more%n".formatted(forgotten));
    }

    /** For programs: keys may come, none goes. */
    public String json() {
        ObjectNode document = JSON.createObjectNode();
        document.put("forgotten", forgotten);
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

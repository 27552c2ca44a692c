package photon.registry.admin;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.protobuf.ByteString;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import photon.core.text.Columns;
import photon.idregistry.control.PipelineLimits;
import photon.proto.v1.DroppedPipeline;
import photon.proto.v1.Epoch;
import photon.proto.v1.PipelineSettings;
import photon.proto.v1.PipelineStatus;

/** The registry's pipelines, for people and for programs (docs/operating.md). */
public final class PipelinesText {
    private static final ObjectMapper JSON = new ObjectMapper();

    private PipelinesText() {}

    /** A table, and what was dropped. */
    public static String of(RegistryView view) {
        List<List<String>> rows = new ArrayList<>();
        rows.add(
                List.of(
                        "PIPELINE",
                        "UUID",
                        "SHARDS",
                        "IDS",
                        "RETENTION",
                        "WAITING IDS",
                        "WEIGHT",
                        "INCARNATIONS"));
        for (PipelineStatus pipeline : view.pipelines()) {
            PipelineSettings settings = pipeline.getSettings();
            rows.add(
                    List.of(
                            pipeline.getName(),
                            RegistryView.uuid(pipeline.getUuid()),
                            shards(pipeline),
                            count(view, pipeline),
                            retention(settings.getRetentionMicros()),
                            waiting(settings),
                            String.valueOf(PipelineLimits.weight(settings)),
                            "%d live, %d to repair"
                                    .formatted(
                                            pipeline.getLiveIncarnations(),
                                            pipeline.getOpenIncarnations()
                                                    - pipeline.getLiveIncarnations())));
        }
        StringBuilder text = new StringBuilder(Columns.of("", rows));
        if (!view.dropped().isEmpty()) {
            List<List<String>> gone = new ArrayList<>();
            gone.add(List.of("DROPPED", "UUID", "AT INDEX"));
            for (DroppedPipeline one : view.dropped()) {
                gone.add(
                        List.of(
                                one.getName(),
                                RegistryView.uuid(one.getUuid()),
                                String.valueOf(one.getIndex())));
            }
            text.append('\n').append(Columns.of("", gone));
        }
        return text.toString();
    }

    /** By epoch, such as {@code 2 + 4}. */
    public static String shards(PipelineStatus pipeline) {
        return pipeline.getMap().getEpochsList().stream()
                .map(epoch -> String.valueOf(epoch.getShards()))
                .collect(Collectors.joining(" + "));
    }

    private static String count(RegistryView view, PipelineStatus pipeline) {
        return (view.silentShards(pipeline) == 0 ? "%,d" : "at least %,d")
                .formatted(view.ids(pipeline));
    }

    /** How many it has, such as {@code 1,024 ids}, and what is not known of that. */
    public static String ids(RegistryView view, PipelineStatus pipeline) {
        int silent = view.silentShards(pipeline);
        return count(view, pipeline)
                + " ids"
                + (silent == 0
                        ? ""
                        : " (for " + StatusText.counted(silent, "shard") + " no server answers)");
    }

    /** In the largest unit that tells it exactly. */
    public static String retention(long micros) {
        if (micros == 0) {
            return "unlimited";
        }
        for (TimeUnit unit : List.of(TimeUnit.DAYS, TimeUnit.HOURS, TimeUnit.MINUTES)) {
            if (micros % unit.toMicros(1) == 0) {
                String letter = unit.name().substring(0, 1).toLowerCase(java.util.Locale.ROOT);
                return micros / unit.toMicros(1) + letter;
            }
        }
        return micros % 1_000_000 == 0 ? micros / 1_000_000 + "s" : micros + " us";
    }

    private static String waiting(PipelineSettings settings) {
        return settings.getWaitingIdsPerShard() == 0
                ? "default"
                : String.valueOf(settings.getWaitingIdsPerShard());
    }

    /** The settings as one line. */
    public static String settings(PipelineSettings settings) {
        return "retention %s, waiting ids per shard %s, share weight %s"
                .formatted(
                        retention(settings.getRetentionMicros()),
                        waiting(settings),
                        PipelineLimits.weight(settings));
    }

    /** The settings of one pipeline, for programs. */
    public static ObjectNode json(String name, ByteString uuid, PipelineSettings settings) {
        return JSON.createObjectNode()
                .put("pipeline", name)
                .put("uuid", RegistryView.uuid(uuid))
                .put("retentionMicros", settings.getRetentionMicros())
                .put("waitingIdsPerShard", settings.getWaitingIdsPerShard())
                .put("shareWeight", PipelineLimits.weight(settings));
    }

    /**
     * For programs: keys may come, none goes. Not protobufs as JSON: ids are counted over all
     * shards, and null if not all are known.
     */
    public static String json(RegistryView view) {
        ObjectNode document = JSON.createObjectNode();
        ArrayNode pipelines = document.putArray("pipelines");
        for (PipelineStatus pipeline : view.pipelines()) {
            PipelineSettings settings = pipeline.getSettings();
            ObjectNode into = pipelines.addObject();
            into.put("name", pipeline.getName())
                    .put("uuid", RegistryView.uuid(pipeline.getUuid()))
                    .put("identityFingerprint", pipeline.getIdentityFingerprint())
                    .put("ids", view.silentShards(pipeline) == 0 ? view.ids(pipeline) : null)
                    .put("retentionMicros", settings.getRetentionMicros())
                    .put("waitingIdsPerShard", settings.getWaitingIdsPerShard())
                    .put("shareWeight", PipelineLimits.weight(settings))
                    .put("liveIncarnations", pipeline.getLiveIncarnations())
                    .put("openIncarnations", pipeline.getOpenIncarnations());
            ArrayNode epochs = into.putArray("epochs");
            for (Epoch epoch : pipeline.getMap().getEpochsList()) {
                epochs.addObject()
                        .put("number", epoch.getNumber())
                        .put("shards", epoch.getShards());
            }
        }
        ArrayNode dropped = document.putArray("dropped");
        for (DroppedPipeline one : view.dropped()) {
            dropped.addObject()
                    .put("name", one.getName())
                    .put("uuid", RegistryView.uuid(one.getUuid()))
                    .put("index", one.getIndex());
        }
        return document.toPrettyString() + "\n";
    }
}

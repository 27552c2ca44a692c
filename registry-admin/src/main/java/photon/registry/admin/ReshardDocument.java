package photon.registry.admin;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Locale;
import photon.idregistry.replicated.GroupCost;
import photon.proto.v1.Epoch;
import photon.proto.v1.PipelineStatus;
import photon.proto.v1.ReshardAttempt;
import photon.registry.api.ReshardClient;

/**
 * Reshards for programs, as docs/operating.md describes them: keys may come, none goes or changes
 * its meaning. What is not known is null. Not protobufs as JSON: plans and what is settled are
 * judged here.
 */
public final class ReshardDocument {
    private static final ObjectMapper JSON = new ObjectMapper();

    private ReshardDocument() {}

    public static ObjectNode of(ReshardPlan plan) {
        ObjectNode document = JSON.createObjectNode();
        putPipeline(plan.pipeline(), document);
        document.put("shards", plan.shards())
                .put("startMicros", plan.startMicros())
                .put("start", StatusText.instant(plan.startMicros()).toString());
        ArrayNode groups = document.putArray("groups");
        for (ReshardPlan.NewGroup group : plan.groups()) {
            ObjectNode into = groups.addObject();
            into.put("name", group.name()).put("leader", group.leader());
            putOrNull(into, "datacenter", group.datacenter());
        }
        int count = plan.groups().size();
        document.putObject("eachServer")
                .put("groups", count)
                .put("directMemoryBytes", count * GroupCost.DIRECT_BYTES)
                .put("heapBytes", count * GroupCost.HEAP_BYTES)
                .put("threads", count * GroupCost.THREADS)
                .put("diskBytes", count * GroupCost.DISK_BYTES);
        ArrayNode refusals = document.putArray("refusals");
        plan.refusals().forEach(refusals::add);
        ArrayNode warnings = document.putArray("warnings");
        plan.warnings().forEach(warnings::add);
        return document;
    }

    /** Of what was begun before: it was another map then, and what it needed is known no more. */
    public static ObjectNode of(PipelineStatus pipeline, ReshardClient.Begun begun) {
        ObjectNode document = JSON.createObjectNode();
        document.put("pipeline", pipeline.getName())
                .put("uuid", RegistryView.uuid(pipeline.getUuid()))
                .put("mapVersion", begun.baseVersion())
                .putNull("epochs")
                .put("shards", begun.shards())
                .put("startMicros", begun.startMicros())
                .put("start", StatusText.instant(begun.startMicros()).toString())
                .putNull("groups")
                .putNull("eachServer");
        document.putArray("refusals");
        document.putArray("warnings");
        return document;
    }

    private static void putOrNull(ObjectNode into, String key, String text) {
        if (text.isEmpty()) {
            into.putNull(key);
        } else {
            into.put(key, text);
        }
    }

    private static void putPipeline(PipelineStatus pipeline, ObjectNode into) {
        into.put("pipeline", pipeline.getName())
                .put("uuid", RegistryView.uuid(pipeline.getUuid()))
                .put("mapVersion", pipeline.getMap().getVersion());
        ArrayNode epochs = into.putArray("epochs");
        pipeline.getMap().getEpochsList().forEach(epoch -> put(epoch, epochs.addObject()));
    }

    private static void put(Epoch epoch, ObjectNode into) {
        into.put("number", epoch.getNumber()).put("shards", epoch.getShards());
        if (epoch.getStartMicros() == Long.MIN_VALUE) {
            into.putNull("startMicros");
        } else {
            into.put("startMicros", epoch.getStartMicros());
        }
    }

    public static ObjectNode of(ReshardState state) {
        ObjectNode document = JSON.createObjectNode();
        putPipeline(state.pipeline(), document);
        document.put("settled", state.settled());
        ArrayNode attempts = document.putArray("attempts");
        for (ReshardAttempt attempt : state.attempts()) {
            attempts.addObject()
                    .put("number", attempt.getNumber())
                    .put("state", name(attempt))
                    .put("baseVersion", attempt.getBaseVersion())
                    .put("shards", attempt.getShards())
                    .put("startMicros", attempt.getStartMicros());
        }
        ArrayNode shards = document.putArray("shards");
        for (ReshardState.Shard shard : state.shards()) {
            ObjectNode into = shards.addObject();
            into.put("name", shard.name());
            putOrNull(into, "leader", shard.leader().orElse(""));
            into.put("mapVersion", shard.mapVersion());
            ArrayNode prepared = into.putArray("preparedFor");
            shard.preparedFor().forEach(prepared::add);
        }
        ArrayNode ending = document.putArray("endingEpochs");
        for (ReshardState.EndingEpoch epoch : state.endingEpochs()) {
            ObjectNode into = ending.addObject();
            into.put("number", epoch.number()).put("endMicros", epoch.endMicros());
            epoch.leftMicros()
                    .ifPresentOrElse(
                            left ->
                                    into.put("boundaryMicros", epoch.boundaryMicros())
                                            .put("leftMicros", left),
                            () -> into.putNull("boundaryMicros").putNull("leftMicros"));
        }
        ArrayNode dropped = document.putArray("droppedEpochs");
        state.pipeline().getDroppedEpochsList().forEach(epoch -> put(epoch, dropped.addObject()));
        return document;
    }

    /** As it stands in documents: {@code open}, {@code committed} or {@code aborted}. */
    static String name(ReshardAttempt attempt) {
        return attempt.getState().name().replace("RESHARD_", "").toLowerCase(Locale.ROOT);
    }
}

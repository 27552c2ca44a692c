package photon.registry.admin;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Optional;
import photon.proto.v1.ClockSource;
import photon.proto.v1.Epoch;
import photon.proto.v1.PipelineStatus;
import photon.proto.v1.ReplicaStatus;
import photon.proto.v1.ServerClock;
import photon.proto.v1.ShardStatus;
import photon.proto.v1.SnapshotStatus;

/**
 * The registry's state for programs, as docs/operating.md describes it: keys may come, none goes or
 * changes its meaning. What is not known is null. Not the servers' protobufs as JSON: it is judged
 * from the answers of all of them.
 */
public final class StatusDocument {
    private static final ObjectMapper JSON = new ObjectMapper();

    private StatusDocument() {}

    /**
     * @param millisHere the time of this machine, since 1970
     */
    public static ObjectNode of(RegistryView view, long millisHere) {
        long nowMillis = view.byItsClocks(millisHere);
        ObjectNode document = JSON.createObjectNode();
        document.put("atMillis", millisHere);
        document.put("healthy", view.healthy());
        ArrayNode problems = document.putArray("problems");
        view.problems().forEach(problems::add);
        ArrayNode alarms = document.putArray("alarms");
        view.alarms().forEach(alarms::add);
        ArrayNode servers = document.putArray("servers");
        for (RegistryView.Server server : view.servers()) {
            ObjectNode into = servers.addObject();
            into.put("name", orNull(server.name()))
                    .put("service", server.service())
                    .put("raft", orNull(server.raft()))
                    .put("leaderWeight", server.leaderWeight())
                    .put("answers", server.answers())
                    .put("trouble", orNull(server.trouble()));
            server.clock()
                    .ifPresentOrElse(
                            clock -> put(clock, into.putObject("clock")),
                            () -> into.putNull("clock"));
        }
        ArrayNode pipelines = document.putArray("pipelines");
        view.pipelines().forEach(pipeline -> put(pipeline, pipelines.addObject()));
        ArrayNode groups = document.putArray("groups");
        view.groups().forEach(group -> put(group, pipelineName(group, view), groups, nowMillis));
        return document;
    }

    @SuppressWarnings("NullAway") // Jackson takes null for the value null.
    private static void put(RegistryView.Clock clock, ObjectNode into) {
        ServerClock is = clock.is();
        into.put("source", is.getSource() == ClockSource.CLOCK_CHRONY ? "chrony" : "configured")
                .put("synchronised", is.getSynchronised())
                .put("boundMicros", is.getBoundMicros())
                .put("aheadMicros", clock.look().map(ClockLook::aheadMicros).orElse(null))
                .put(
                        "aheadGiveOrTakeMicros",
                        clock.look().map(ClockLook::giveOrTakeMicros).orElse(null))
                .put("trouble", orNull(is.getTrouble()));
    }

    @SuppressWarnings("NullAway") // Jackson takes null for the value null.
    private static String orNull(String text) {
        return text.isEmpty() ? null : text;
    }

    @SuppressWarnings("NullAway") // Jackson takes null for the value null.
    private static Long orNull(long value, long unknown) {
        return value == unknown ? null : value;
    }

    private static void put(PipelineStatus pipeline, ObjectNode into) {
        into.put("name", pipeline.getName())
                .put("uuid", RegistryView.uuid(pipeline.getUuid()))
                .put("mapVersion", pipeline.getMap().getVersion());
        ArrayNode epochs = into.putArray("epochs");
        for (Epoch epoch : pipeline.getMap().getEpochsList()) {
            epochs.addObject()
                    .put("number", epoch.getNumber())
                    .put("shards", epoch.getShards())
                    .put("startMicros", orNull(epoch.getStartMicros(), Long.MIN_VALUE));
        }
        ArrayNode open = into.putArray("openReshards");
        pipeline.getOpenAttemptsList().forEach(open::add);
        into.put("retentionMicros", orNull(pipeline.getSettings().getRetentionMicros(), 0));
    }

    private static Optional<String> pipelineName(GroupView group, RegistryView view) {
        return group.shard()
                .flatMap(
                        shard ->
                                view.pipelines().stream()
                                        .filter(p -> p.getUuid().equals(shard.getPipeline()))
                                        .map(PipelineStatus::getName)
                                        .findFirst());
    }

    private static void put(
            GroupView group, Optional<String> pipeline, ArrayNode groups, long nowMillis) {
        ObjectNode into = groups.addObject();
        into.put("name", group.name())
                .put("pipeline", pipeline.orElse(null))
                .put("epoch", group.shard().map(shard -> shard.getEpoch()).orElse(null))
                .put("shard", group.shard().map(shard -> shard.getShard()).orElse(null))
                .put("leader", group.leader().orElse(null))
                .put("term", group.term())
                .put("trouble", group.trouble().orElse(null));
        Optional<ShardStatus> state = group.state();
        into.put("ids", state.map(ShardStatus::getIds).orElse(null))
                .put("boundaryMicros", known(state.map(ShardStatus::getBoundaryMicros)))
                .put(
                        "boundary",
                        state.map(ShardStatus::getBoundaryMicros)
                                .filter(micros -> micros != Long.MIN_VALUE)
                                .map(micros -> StatusText.instant(micros).toString())
                                .orElse(null))
                .put(
                        "boundaryAgeMillis",
                        state.map(ShardStatus::getBoundaryMicros)
                                .filter(micros -> micros != Long.MIN_VALUE)
                                .map(micros -> Math.max(0, nowMillis - micros / 1_000))
                                .orElse(null))
                .put("newestIdMicros", known(state.map(ShardStatus::getMaxAcceptedMicros)))
                .put("mapVersion", state.map(ShardStatus::getMapVersion).orElse(null));
        ArrayNode replicas = into.putArray("replicas");
        group.replicas().forEach(replica -> put(replica, replicas.addObject(), nowMillis));
    }

    @SuppressWarnings("NullAway") // Jackson takes null for the value null.
    private static Long known(Optional<Long> micros) {
        return micros.filter(value -> value != Long.MIN_VALUE).orElse(null);
    }

    private static void put(GroupView.Replica replica, ObjectNode into, long nowMillis) {
        into.put("server", replica.server())
                .put("answers", replica.serverAnswers())
                .put("lagEntries", orNull(replica.lag(), -1));
        Optional<ReplicaStatus> status = replica.status();
        into.put("role", status.map(StatusDocument::role).orElse(null))
                .put("ready", status.map(ReplicaStatus::getReady).orElse(null))
                .put("caughtUp", status.map(ReplicaStatus::getCaughtUp).orElse(null))
                .put("term", status.map(ReplicaStatus::getTerm).orElse(null))
                .put("appliedIndex", status.map(ReplicaStatus::getAppliedIndex).orElse(null))
                .put("committedIndex", status.map(ReplicaStatus::getCommittedIndex).orElse(null))
                .put("logBytes", status.map(ReplicaStatus::getLogBytes).orElse(null))
                .put(
                        "ids",
                        status.filter(ReplicaStatus::hasState)
                                .map(s -> s.getState().getIds())
                                .orElse(null));
        Optional<SnapshotStatus> snapshot =
                status.filter(ReplicaStatus::hasSnapshot).map(ReplicaStatus::getSnapshot);
        if (snapshot.isEmpty()) {
            into.putNull("snapshot");
            return;
        }
        into.putObject("snapshot")
                .put("index", snapshot.get().getIndex())
                .put("bytes", snapshot.get().getBytes())
                .put("madeMillis", snapshot.get().getMadeMillis())
                .put("ageMillis", Math.max(0, nowMillis - snapshot.get().getMadeMillis()));
    }

    private static String role(ReplicaStatus replica) {
        return switch (replica.getRole()) {
            case ROLE_LEADER -> "leader";
            case ROLE_FOLLOWER -> "follower";
            case ROLE_CANDIDATE -> "candidate";
            default -> "starting";
        };
    }
}

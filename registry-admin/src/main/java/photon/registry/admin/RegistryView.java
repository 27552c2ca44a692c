package photon.registry.admin;

import com.google.protobuf.ByteString;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import photon.idregistry.leaders.Placement;
import photon.proto.v1.DescribeServerResponse;
import photon.proto.v1.DroppedPipeline;
import photon.proto.v1.Epoch;
import photon.proto.v1.MemberDisk;
import photon.proto.v1.PipelineStatus;
import photon.proto.v1.ReplicaStatus;
import photon.proto.v1.ServerClock;
import photon.proto.v1.ServerMember;
import photon.proto.v1.ShardRef;
import photon.proto.v1.ShardStatus;

/**
 * The registry as its servers describe it, each answer of its own moment.
 *
 * @param servers the members, in the order of the configuration, then those that nobody knows
 * @param dropped what is kept of pipelines that are no more
 * @param problems what a person has to look at; empty: every group has a leader and a majority
 * @param alarms what a person has to look at although ids are committed
 */
public record RegistryView(
        List<Server> servers,
        List<PipelineStatus> pipelines,
        List<GroupView> groups,
        List<DroppedPipeline> dropped,
        List<String> problems,
        List<String> alarms) {

    /**
     * A server.
     *
     * @param name empty: nobody knows it
     * @param raft empty: nobody knows it
     * @param trouble why it does not answer; empty: it does
     * @param clock its own; empty: it does not tell
     * @param leaderWeight how much of the leadership it gets, compared with the others
     */
    public record Server(
            String name,
            String service,
            String raft,
            String trouble,
            Optional<Clock> clock,
            int leaderWeight) {
        public boolean answers() {
            return trouble.isEmpty();
        }

        /** True if both are reached alike. */
        private boolean isWhere(Server other) {
            return service.equals(other.service) && raft.equals(other.raft);
        }
    }

    /**
     * A server's clock.
     *
     * @param look how it compares with the asking machine's; empty: not known
     */
    public record Clock(ServerClock is, Optional<ClockLook> look) {}

    public RegistryView {
        alarms = List.copyOf(alarms);
        servers = List.copyOf(servers);
        pipelines = List.copyOf(pipelines);
        groups = List.copyOf(groups);
        dropped = List.copyOf(dropped);
        problems = List.copyOf(problems);
    }

    /** Ids held by the pipeline's shards, of those for which anybody answers. */
    public long ids(PipelineStatus pipeline) {
        return shards(pipeline)
                .flatMap(group -> group.state().stream())
                .mapToLong(ShardStatus::getIds)
                .sum();
    }

    /** Of the pipeline's shards, those for which nobody answers. */
    public int silentShards(PipelineStatus pipeline) {
        return (int) shards(pipeline).filter(group -> group.state().isEmpty()).count();
    }

    private Stream<GroupView> shards(PipelineStatus pipeline) {
        return groups.stream()
                .filter(
                        g ->
                                g.shard()
                                        .filter(s -> s.getPipeline().equals(pipeline.getUuid()))
                                        .isPresent());
    }

    public boolean healthy() {
        return problems.isEmpty();
    }

    /** The pipeline of that name, as the server that has applied most knows it. */
    public Optional<PipelineStatus> pipeline(String name) {
        return pipelines.stream().filter(pipeline -> pipeline.getName().equals(name)).findFirst();
    }

    /** What is kept of the newest pipeline of that name that was dropped. */
    public Optional<DroppedPipeline> lastDropped(String name) {
        return dropped.stream()
                .filter(pipeline -> pipeline.getName().equals(name))
                .reduce((older, newer) -> newer);
    }

    /**
     * How far most servers' clocks are ahead of the asking machine's, about: the median; empty: no
     * server tells.
     */
    public OptionalLong clocksAheadMicros() {
        long[] ahead =
                servers.stream()
                        .flatMap(server -> server.clock().stream())
                        .flatMap(clock -> clock.look().stream())
                        .mapToLong(ClockLook::aheadMicros)
                        .sorted()
                        .toArray();
        return ahead.length == 0 ? OptionalLong.empty() : OptionalLong.of(ahead[ahead.length / 2]);
    }

    /**
     * What most servers' clocks show when the asking machine's shows this, about: ages of what
     * servers have stamped are told from it.
     */
    public long byItsClocks(long millisHere) {
        return millisHere + TimeUnit.MICROSECONDS.toMillis(clocksAheadMicros().orElse(0));
    }

    /** Puts answers together. */
    public static RegistryView of(List<StatusPoll.Answer> answers) {
        Map<String, DescribeServerResponse> byName = new LinkedHashMap<>();
        answers.forEach(a -> a.server().ifPresent(server -> byName.put(server.getName(), server)));
        List<String> problems = new ArrayList<>();
        DescribeServerResponse newest =
                byName.values().stream()
                        .max(Comparator.comparingLong(RegistryView::controlIndex))
                        .orElse(DescribeServerResponse.getDefaultInstance());
        List<Server> servers = members(servers(answers, byName, problems), newest);
        List<PipelineStatus> pipelines = newest.getPipelinesList();
        List<GroupView> groups = new ArrayList<>();
        if (byName.isEmpty()) {
            problems.add("no server answers");
        } else {
            if (newest.getRestoring()) {
                problems.add(
                        "a restore is under way, and the registry accepts nothing until it is complete: see 'photon registry restore-status'");
            }
            List<String> members =
                    servers.stream().map(Server::name).filter(name -> !name.isEmpty()).toList();
            groups.add(GroupView.of("control", Optional.empty(), members, byName));
            for (PipelineStatus pipeline : pipelines) {
                groups.addAll(shards(pipeline, members, byName));
            }
        }
        for (GroupView group : groups) {
            group.trouble().ifPresent(trouble -> problems.add(group.name() + ": " + trouble));
        }
        return new RegistryView(
                servers,
                pipelines,
                groups,
                newest.getDroppedList(),
                problems,
                alarms(servers, pipelines, byName));
    }

    /** Without those that are configured and are no members, but with those that are leaving. */
    private static List<Server> members(List<Server> servers, DescribeServerResponse newest) {
        Set<String> members = new HashSet<>(newest.getRoster().getServersList());
        if (members.isEmpty()) {
            return servers;
        }
        newest.getDisksList().stream()
                .filter(MemberDisk::getLeaving)
                .forEach(disk -> members.add(disk.getName()));
        return servers.stream()
                .filter(server -> server.name().isEmpty() || members.contains(server.name()))
                .toList();
    }

    private static List<String> alarms(
            List<Server> servers,
            List<PipelineStatus> pipelines,
            Map<String, DescribeServerResponse> byName) {
        if (pipelines.stream().noneMatch(p -> p.getSettings().getRetentionMicros() > 0)) {
            return List.of();
        }
        List<String> alarms = new ArrayList<>();
        // One that is cut off hears no clock, and leads nothing.
        boolean moves = byName.values().stream().anyMatch(s -> s.getBoundary().hasPassedMicros());
        byName.values().stream()
                .filter(server -> !server.getBoundary().getTrouble().isEmpty())
                .limit(moves ? byName.size() : 1)
                .map(
                        server ->
                                (moves
                                                ? "%s cannot reach enough clocks, while other servers can: %s"
                                                : "the boundary does not move and the registry drops no ids, as %s reports: %s")
                                        .formatted(
                                                server.getName(),
                                                server.getBoundary().getTrouble()))
                .forEach(alarms::add);
        byName.values().stream()
                .max(Comparator.comparingLong(RegistryView::controlIndex))
                .ifPresent(newest -> alarms.addAll(newest.getBoundary().getHeldBackList()));
        for (Server server : servers) {
            server.clock()
                    .filter(clock -> !clock.is().getSynchronised())
                    .ifPresent(
                            clock ->
                                    alarms.add(
                                            "the clock of %s is not synchronised: %s"
                                                    .formatted(
                                                            server.name(),
                                                            clock.is().getTrouble())));
        }
        return alarms;
    }

    private static long controlIndex(DescribeServerResponse server) {
        return server.getReplicasList().stream()
                .filter(replica -> !replica.hasShard())
                .mapToLong(ReplicaStatus::getAppliedIndex)
                .max()
                .orElse(Long.MIN_VALUE);
    }

    private static List<Server> servers(
            List<StatusPoll.Answer> answers,
            Map<String, DescribeServerResponse> byName,
            List<String> problems) {
        Map<String, Clock> clocks = new HashMap<>();
        for (StatusPoll.Answer answer : answers) {
            answer.server()
                    .filter(DescribeServerResponse::hasClock)
                    .ifPresent(
                            server ->
                                    clocks.put(
                                            server.getName(),
                                            new Clock(server.getClock(), answer.clock())));
        }
        Map<String, String> troubles = new LinkedHashMap<>();
        answers.stream()
                .filter(answer -> answer.server().isEmpty())
                .forEach(answer -> troubles.put(answer.asked().toString(), answer.trouble()));
        Map<String, Server> servers = new LinkedHashMap<>();
        for (DescribeServerResponse server : byName.values()) {
            for (ServerMember member : server.getMembersList()) {
                String trouble =
                        byName.containsKey(member.getName())
                                ? ""
                                : troubles.getOrDefault(member.getService(), "was not asked");
                Server seen =
                        new Server(
                                member.getName(),
                                member.getService(),
                                member.getRaft(),
                                trouble,
                                Optional.ofNullable(clocks.get(member.getName())),
                                member.hasLeaderWeight()
                                        ? Math.min(member.getLeaderWeight(), Placement.WEIGHT_MAX)
                                        : Placement.WEIGHT_DEFAULT);
                Server before = servers.putIfAbsent(member.getName(), seen);
                if (before != null && !before.isWhere(seen)) {
                    problems.add(
                            "servers have different configurations: %s is at %s, %s for one server and at %s, %s for %s"
                                    .formatted(
                                            seen.name(),
                                            before.service(),
                                            before.raft(),
                                            seen.service(),
                                            seen.raft(),
                                            server.getName()));
                }
            }
        }
        List<String> known = servers.values().stream().map(Server::service).toList();
        troubles.forEach(
                (address, trouble) -> {
                    if (!known.contains(address)) {
                        servers.put(
                                address, new Server("", address, "", trouble, Optional.empty(), 0));
                    }
                });
        return List.copyOf(servers.values());
    }

    private static List<GroupView> shards(
            PipelineStatus pipeline,
            List<String> members,
            Map<String, DescribeServerResponse> byName) {
        List<GroupView> groups = new ArrayList<>();
        for (Epoch epoch : pipeline.getMap().getEpochsList()) {
            for (int shard = 0; shard < epoch.getShards(); shard++) {
                ShardRef ref =
                        ShardRef.newBuilder()
                                .setPipeline(pipeline.getUuid())
                                .setEpoch(epoch.getNumber())
                                .setShard(shard)
                                .build();
                groups.add(
                        GroupView.of(
                                pipeline.getName() + "/" + epoch.getNumber() + "/" + shard,
                                Optional.of(ref),
                                members,
                                byName));
            }
        }
        return groups;
    }

    /** As people write it. */
    static String uuid(ByteString bytes) {
        ByteBuffer in = bytes.asReadOnlyByteBuffer();
        return in.remaining() == 2 * Long.BYTES
                ? new UUID(in.getLong(), in.getLong()).toString()
                : "?";
    }
}

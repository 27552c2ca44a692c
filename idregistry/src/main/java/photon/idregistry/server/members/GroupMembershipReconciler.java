package photon.idregistry.server.members;

import com.google.protobuf.ByteString;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import photon.core.loop.EventLoop;
import photon.idregistry.control.ControlState;
import photon.idregistry.control.PipelineView;
import photon.idregistry.members.GroupChange;
import photon.idregistry.members.PeerName;
import photon.idregistry.members.ToldGroups;
import photon.idregistry.raft.GroupIds;
import photon.idregistry.raft.GroupMembers;
import photon.idregistry.raft.RaftMember;
import photon.idregistry.raft.RaftNode;
import photon.idregistry.raft.Replica;
import photon.idregistry.server.config.RegistryServerConfig;
import photon.idregistry.server.groups.Group;
import photon.proto.v1.LedGroup;
import photon.registry.api.RegistryClient.Shard;
import photon.registry.api.RegistryProtos;

/**
 * Brings the members of the groups that this server leads to what the control group has decided,
 * one group after the other (docs/protocol.md section 11). Runs in the server's loop.
 */
final class GroupMembershipReconciler {
    private static final Logger LOG = LoggerFactory.getLogger(GroupMembershipReconciler.class);
    private static final Duration TELL_EVERY = Duration.ofSeconds(10);

    /** A snapshot of a large shard takes its time; meanwhile others may wait. */
    private static final long CHANGE_MINUTES_MAX = 10;

    /**
     * Until a change that failed is tried again. Ratis tries for as long as an election takes, and
     * gives no leadership away meanwhile.
     */
    private static final long REST_NANOS = TimeUnit.SECONDS.toNanos(5);

    private final EventLoop loop;
    private final RegistryServerConfig config;
    private final PeerName self;
    private final RaftNode raft;
    private final Group<ControlState> control;
    private final ToldGroups told = new ToldGroups();
    private long toldNanos;
    private boolean stopped;

    /** What was tried and not done, a moment ago. */
    private final Map<String, Long> failedNanos = new HashMap<>();

    /** The group that is being changed. */
    private @Nullable UUID changing;

    /**
     * @param self this server's disk
     */
    GroupMembershipReconciler(
            EventLoop loop,
            RegistryServerConfig config,
            PeerName self,
            RaftNode raft,
            Group<ControlState> control) {
        this.loop = loop;
        this.config = config;
        this.self = self;
        this.raft = raft;
        this.control = control;
        this.toldNanos = loop.nanoTime() - TELL_EVERY.toNanos();
    }

    void stop() {
        stopped = true;
    }

    /** What leaders have told of their groups. */
    ToldGroups told() {
        return told;
    }

    /** The groups that this server leads. */
    List<LedGroup> led() {
        long version = control.read(state -> state.roster().getVersion());
        List<LedGroup> all = new ArrayList<>();
        for (Replica replica : raft.replicas()) {
            if (replica.log().leads()) {
                GroupMembers members = replica.members();
                all.add(
                        LedGroup.newBuilder()
                                .setGroup(RegistryProtos.bytes(replica.group()))
                                .addAllMembers(members.names())
                                // One that learns stands in no log before it is a member.
                                .setStable(members.stable() && !replica.group().equals(changing))
                                .setRosterVersion(version)
                                .build());
            }
        }
        return all;
    }

    /** As {@link ToldGroups} knows them: the control group, and all of the pipelines. */
    List<ByteString> groups() {
        return groupNames().keySet().stream().map(RegistryProtos::bytes).toList();
    }

    /**
     * Looks at what this server leads; at the control group first: a server makes its groups by
     * what its replica of it knows.
     */
    void change() {
        if (changing != null) {
            return;
        }
        for (Map.Entry<UUID, String> group : groupNames().entrySet()) {
            Replica replica = raft.replica(group.getKey());
            if (replica != null && replica.log().leads()) {
                GroupMembers members = replica.members();
                if (members.stable() && change(group.getKey(), group.getValue(), members)) {
                    return;
                }
            }
        }
    }

    private boolean change(UUID group, String name, GroupMembers members) {
        Optional<GroupChange> next =
                GroupChange.all(
                                members.members().stream()
                                        .map(
                                                m ->
                                                        new GroupChange.Member(
                                                                m.name(),
                                                                m.lag(),
                                                                m.silentMillis()))
                                        .toList(),
                                server -> control.read(state -> state.member(server)),
                                control.read(state -> state.roster().getServersList()))
                        .stream()
                        .filter(change -> !rests(name, change))
                        .findFirst();
        if (next.isEmpty() || waitsForOthers(group, next.get())) {
            return false;
        }
        GroupChange change = next.get();
        String trouble = trouble(change);
        if (!trouble.isEmpty()) {
            tell(name, change, trouble);
            return false;
        }
        LOG.info("Group {}: {}", name, change.text());
        changing = group;
        raft.changeMember(
                        group,
                        change.out().orElse(null),
                        change.in().flatMap(this::member).orElse(null))
                .orTimeout(CHANGE_MINUTES_MAX, TimeUnit.MINUTES)
                .whenComplete(
                        (done, failure) -> loop.execute(() -> changed(name, change, failure)));
        return true;
    }

    /** One that does not come must not keep others from coming. */
    private boolean rests(String group, GroupChange change) {
        long now = loop.nanoTime();
        failedNanos.values().removeIf(failed -> now - failed >= REST_NANOS);
        return failedNanos.containsKey(group + ": " + change.text());
    }

    private void changed(String group, GroupChange change, @Nullable Throwable failure) {
        changing = null;
        if (failure != null && change.in().isPresent()) {
            failedNanos.put(group + ": " + change.text(), loop.nanoTime());
        }
        if (failure == null) {
            LOG.info("Group {}: {}, and that is done", group, change.text());
            if (!stopped) {
                // The next at once: between the two steps of a replacement the group can bear less.
                change();
            }
        } else {
            tell(group, change, failure.toString());
        }
    }

    /**
     * Who leaves is a member of the control group until it is one of no other: so long it learns
     * what is decided, and follows. A lost disk, whose server stays, learns nothing any more.
     */
    private boolean waitsForOthers(UUID group, GroupChange change) {
        if (!group.equals(GroupIds.control()) || change.in().isPresent()) {
            return false;
        }
        List<ByteString> others = new ArrayList<>(groups());
        others.remove(RegistryProtos.bytes(group));
        String server = PeerName.serverOf(change.out().orElseThrow());
        if (control.read(s -> s.roster().getServersList().contains(server))) {
            return false;
        }
        return !told.noneHas(others, server, control.read(s -> s.roster().getVersion()));
    }

    private String trouble(GroupChange change) {
        if (change.out().filter(self.toString()::equals).isPresent()) {
            return "it leads, and gives that away first";
        }
        return change.in().isPresent() && change.in().flatMap(this::member).isEmpty()
                ? "the configuration of %s does not say where that is".formatted(config.name())
                : change.trouble();
    }

    private Optional<RaftMember> member(PeerName peer) {
        return config.peers().stream()
                .filter(known -> known.name().equals(peer.server()))
                .map(known -> new RaftMember(peer.toString(), known.raft()))
                .findFirst();
    }

    private void tell(String group, GroupChange change, String why) {
        long now = loop.nanoTime();
        if (!stopped && now - toldNanos >= TELL_EVERY.toNanos()) {
            toldNanos = now;
            LOG.warn("Group {}: {}, not now, and it is tried again: {}", group, change.text(), why);
        }
    }

    /** Every group of the registry, the control group first, and what people call it. */
    private Map<UUID, String> groupNames() {
        Map<UUID, String> all = new LinkedHashMap<>();
        all.put(GroupIds.control(), "control");
        for (PipelineView pipeline : control.read(ControlState::pipelines)) {
            for (Shard shard : pipeline.map().shards()) {
                all.put(
                        GroupIds.shard(pipeline.uuid(), shard.epoch(), shard.number()),
                        pipeline.name() + "/" + shard.epoch() + "/" + shard.number());
            }
        }
        return all;
    }

    /** The servers that the control group's members are of; only its leader knows all of them. */
    Collection<String> controlServers() {
        Replica replica = raft.replica(GroupIds.control());
        return replica == null
                ? List.of()
                : replica.members().names().stream().map(PeerName::serverOf).distinct().toList();
    }
}

package photon.idregistry.server;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import photon.core.loop.EventLoop;
import photon.core.rpc.HostPort;
import photon.idregistry.api.RegistryClient.Shard;
import photon.idregistry.control.ControlEntries;
import photon.idregistry.control.ControlState;
import photon.idregistry.control.ControlState.PipelineView;
import photon.idregistry.members.GroupChange;
import photon.idregistry.members.PeerName;
import photon.idregistry.raft.GroupIds;
import photon.idregistry.raft.GroupMembers;
import photon.idregistry.raft.RaftNode;
import photon.idregistry.raft.Replica;
import photon.proto.v1.AdmitDiskRequest;
import photon.proto.v1.IntroduceRequest;
import photon.proto.v1.LedGroup;
import photon.proto.v1.MemberDisk;
import photon.proto.v1.MemberSettled;

/**
 * Brings the members of the groups that this server leads to what the control group has decided,
 * one group after the other; has this server's own disk known; and finds out whether it was
 * replaced (docs/protocol.md section 11). What is to be done is found by comparing, so that whoever
 * leads after a crash goes on. Nothing is asked of Raft while nothing differs. Runs in the server's
 * loop.
 */
final class MembersKeeper {
    private static final Logger LOG = LoggerFactory.getLogger(MembersKeeper.class);
    private static final Duration LOOK_EVERY = Duration.ofSeconds(1);
    private static final Duration ASK_EVERY = Duration.ofSeconds(10);

    /** The same while the control group's leader waits for all groups to have a new member. */
    private static final Duration PRESS_EVERY = Duration.ofSeconds(2);

    private static final Duration TELL_EVERY = Duration.ofSeconds(10);

    /** A snapshot of a large shard takes its time; meanwhile others may wait. */
    private static final long CHANGE_MINUTES_MAX = 10;

    private static final Duration DEADLINE = Duration.ofSeconds(2);

    private final EventLoop loop;
    private final RegistryServerConfig config;
    private final OwnDisk disk;
    private final RaftNode raft;
    private final Groups groups;
    private final Stamping stamping;
    private final Consumer<String> replaced;
    private final MembersClient client;
    private EventLoop.@Nullable Cancellable timer;
    private boolean stopped;
    private boolean over;

    /** A group is being changed. */
    private boolean changing;

    private boolean admitting;
    private boolean settling;
    private long askedNanos;
    private long toldNanos;

    /** While somebody joins: what each group's leader has told last. */
    private final Map<UUID, LedGroup> told = new HashMap<>();

    /**
     * @param replaced told once, why this server must end
     */
    MembersKeeper(
            EventLoop loop,
            RegistryServerConfig config,
            OwnDisk disk,
            RaftNode raft,
            Groups groups,
            Stamping stamping,
            Consumer<String> replaced) {
        this.loop = loop;
        this.config = config;
        this.disk = disk;
        this.raft = raft;
        this.groups = groups;
        this.stamping = stamping;
        this.replaced = replaced;
        this.client = new MembersClient(loop);
        this.askedNanos = loop.nanoTime();
        this.toldNanos = askedNanos - TELL_EVERY.toNanos();
    }

    /** Looks now, and from now on. */
    void start() {
        loop.checkInLoop();
        if (!stopped) {
            look();
            timer = loop.schedule(LOOK_EVERY, this::start);
        }
    }

    void stop() {
        stopped = true;
        if (timer != null) {
            timer.cancel();
        }
        client.close();
    }

    private void look() {
        MemberDisk own = member(config.name());
        judge(own);
        if (over) {
            return;
        }
        if (own.getDisk().isEmpty()) {
            admit();
        }
        List<MemberDisk> joining =
                groups.control().read(ControlState::members).stream()
                        .filter(MemberDisk::getJoining)
                        .toList();
        boolean press = !joining.isEmpty() && groups.control().log().leads();
        long now = loop.nanoTime();
        if (now - askedNanos >= (press ? PRESS_EVERY : ASK_EVERY).toNanos()) {
            askedNanos = now;
            ask(press);
        }
        if (!joining.isEmpty()) {
            change();
        }
        if (press) {
            settle(joining);
        } else {
            told.clear();
        }
    }

    private MemberDisk member(String name) {
        return groups.control().read(state -> state.member(name));
    }

    private void judge(MemberDisk known) {
        String why = Admission.replaced(config, disk, known);
        if (!why.isEmpty() && !over && !stopped) {
            over = true;
            replaced.accept(why);
        }
    }

    private void admit() {
        AdmitDiskRequest request =
                AdmitDiskRequest.newBuilder()
                        .setName(config.name())
                        .setDisk(disk.bytes())
                        .setNumber(disk.number())
                        .setActor("registry " + config.self().service())
                        .build();
        String leader = groups.control().leader();
        if (admitting || leader.isEmpty()) {
            return;
        }
        admitting = true;
        if (groups.control().log().leads()) {
            groups.controlEntries()
                    .submit(
                            stamping.stamped(request.getActor(), ControlEntries.admitDisk(request)),
                            result -> admitting = false,
                            refused -> admitting = false);
        } else {
            client.admit(
                    HostPort.parse(leader),
                    request,
                    answer -> admitting = false,
                    why -> admitting = false);
        }
    }

    /** The others, whether this disk was replaced; and what the groups are that they lead. */
    private void ask(boolean led) {
        IntroduceRequest request =
                IntroduceRequest.newBuilder()
                        .setName(config.name())
                        .setDisk(disk.bytes())
                        .setLed(led)
                        .build();
        for (RegistryServerConfig.Peer peer : config.others()) {
            client.introduce(
                    peer.service(),
                    DEADLINE,
                    request,
                    answer -> {
                        judge(answer.getAsker());
                        answer.getLedList().forEach(this::heard);
                    },
                    why -> LOG.debug("{} has not said who it is: {}", peer.name(), why));
        }
    }

    private void heard(LedGroup group) {
        UUID id = ControlState.uuid(group.getGroup());
        if (id != null) {
            told.put(id, group);
        }
    }

    /** The groups that this server leads. */
    List<LedGroup> led() {
        List<LedGroup> all = new ArrayList<>();
        for (Replica replica : raft.replicas()) {
            if (replica.log().leads()) {
                GroupMembers members = replica.members();
                all.add(
                        LedGroup.newBuilder()
                                .setGroup(ControlState.bytes(replica.group()))
                                .addAllMembers(members.names())
                                .setStable(members.stable())
                                .build());
            }
        }
        return all;
    }

    /** The control group first: a server makes its groups by what its replica of it knows. */
    private void change() {
        if (changing) {
            return;
        }
        Map<UUID, String> all = groupNames();
        for (Map.Entry<UUID, String> group : all.entrySet()) {
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
                GroupChange.of(
                        members.members().stream()
                                .map(
                                        m ->
                                                new GroupChange.Member(
                                                        m.name(), m.lag(), m.silentMillis()))
                                .toList(),
                        this::member);
        if (next.isEmpty()) {
            return false;
        }
        GroupChange change = next.get();
        if (!change.trouble().isEmpty()) {
            tell(name, change, change.trouble());
            return false;
        }
        LOG.info("Group {}: {} is to take the place of {}", name, change.in(), change.out());
        changing = true;
        raft.replaceMember(group, change.out(), change.in().toString(), address(change.in()))
                .orTimeout(CHANGE_MINUTES_MAX, TimeUnit.MINUTES)
                .whenComplete(
                        (done, failure) ->
                                loop.execute(
                                        () -> {
                                            changing = false;
                                            if (failure == null) {
                                                LOG.info(
                                                        "Group {}: {} has taken the place of {}",
                                                        name,
                                                        change.in(),
                                                        change.out());
                                            } else {
                                                tell(name, change, failure.toString());
                                            }
                                        }));
        return true;
    }

    private HostPort address(PeerName peer) {
        return config.peers().stream()
                .filter(p -> p.name().equals(peer.server()))
                .findFirst()
                .orElseThrow()
                .raft();
    }

    private void tell(String group, GroupChange change, String why) {
        long now = loop.nanoTime();
        if (!stopped && now - toldNanos >= TELL_EVERY.toNanos()) {
            toldNanos = now;
            LOG.warn(
                    "Group {}: {} cannot take the place of {} now, it is tried again: {}",
                    group,
                    change.in(),
                    change.out(),
                    why);
        }
    }

    /** Every group of the registry, the control group first, and what people call it. */
    private Map<UUID, String> groupNames() {
        Map<UUID, String> all = new LinkedHashMap<>();
        all.put(GroupIds.control(), "control");
        for (PipelineView pipeline : groups.control().read(ControlState::pipelines)) {
            for (Shard shard : pipeline.map().shards()) {
                all.put(
                        GroupIds.shard(pipeline.uuid(), shard.epoch(), shard.number()),
                        pipeline.name() + "/" + shard.epoch() + "/" + shard.number());
            }
        }
        return all;
    }

    private void settle(List<MemberDisk> joining) {
        led().forEach(this::heard);
        Set<UUID> all = new HashSet<>(groupNames().keySet());
        for (MemberDisk member : joining) {
            String peer = new PeerName(member.getName(), member.getNumber()).toString();
            if (!settling
                    && !member.getDisk().isEmpty()
                    && all.stream().allMatch(g -> has(g, peer))) {
                settling = true;
                groups.controlEntries()
                        .submit(
                                stamping.stamped(
                                        "registry " + config.self().service(),
                                        ControlEntries.memberSettled(
                                                MemberSettled.newBuilder()
                                                        .setName(member.getName())
                                                        .setNumber(member.getNumber())
                                                        .build())),
                                result -> settling = false,
                                refused -> settling = false);
            }
        }
    }

    /** Its leader has said so: the change is in its log for good once its members are stable. */
    private boolean has(UUID group, String peer) {
        LedGroup led = told.get(group);
        return led != null
                && led.getStable()
                && led.getMembersList().contains(peer)
                && led.getMembersList().stream()
                        .filter(other -> !other.equals(peer))
                        .map(PeerName::serverOf)
                        .noneMatch(PeerName.serverOf(peer)::equals);
    }
}

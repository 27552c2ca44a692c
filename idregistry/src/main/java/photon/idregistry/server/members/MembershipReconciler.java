package photon.idregistry.server.members;

import com.google.protobuf.ByteString;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import photon.core.loop.EventLoop;
import photon.core.rpc.HostPort;
import photon.core.rpc.RpcSecurity;
import photon.idregistry.control.ControlEntries;
import photon.idregistry.control.ControlState;
import photon.idregistry.members.PeerName;
import photon.idregistry.raft.RaftNode;
import photon.idregistry.replicated.FeatureLevel;
import photon.idregistry.server.config.RegistryServerConfig;
import photon.idregistry.server.groups.Groups;
import photon.idregistry.server.groups.Stamping;
import photon.proto.v1.AdmitDiskRequest;
import photon.proto.v1.FirstRoster;
import photon.proto.v1.IntroduceRequest;
import photon.proto.v1.LedGroup;
import photon.proto.v1.MemberDisk;
import photon.proto.v1.MemberSettled;
import photon.proto.v1.Roster;

/**
 * Has the members of the groups that this server leads brought to what the control group has
 * decided; has this server's own disk known; and finds out whether it was replaced or removed
 * (docs/protocol.md section 11). What is to be done is found by comparing, so that whoever leads
 * after a crash goes on. Nothing is asked of Raft while nothing differs. Runs in the server's loop.
 */
public final class MembershipReconciler {
    private static final Logger LOG = LoggerFactory.getLogger(MembershipReconciler.class);
    private static final Duration LOOK_EVERY = Duration.ofSeconds(1);
    private static final Duration ASK_EVERY = Duration.ofSeconds(10);

    /**
     * The same while the control group's leader waits for all groups to have a new member, and
     * while a replica is closed, for which the others may know the reason.
     */
    private static final Duration PRESS_EVERY = Duration.ofSeconds(2);

    /** Groups are made once the first roster is known: soon. */
    private static final Duration LOOK_FIRST = Duration.ofMillis(100);

    private static final Duration DEADLINE = Duration.ofSeconds(2);

    private final EventLoop loop;
    private final RegistryServerConfig config;
    private final OwnDisk disk;
    private final RaftNode raft;
    private final GroupMembershipReconciler groupMembership;
    private final Groups groups;
    private final Stamping stamping;
    private final Consumer<String> replaced;
    private final Runnable handOver;
    private final MembersClient client;
    private EventLoop.@Nullable Cancellable timer;
    private boolean stopped;
    private boolean over;

    private boolean leaving;
    private boolean admitting;
    private boolean deciding;
    private long askedNanos;
    private List<String> unknown = List.of();

    /**
     * @param security how the other servers are reached
     * @param replaced told once, why this server must end
     * @param handOver gives away what this server leads; told again and again while it leaves
     */
    public MembershipReconciler(
            EventLoop loop,
            RegistryServerConfig config,
            RpcSecurity security,
            OwnDisk disk,
            RaftNode raft,
            Groups groups,
            Stamping stamping,
            Consumer<String> replaced,
            Runnable handOver) {
        this.loop = loop;
        this.config = config;
        this.disk = disk;
        this.raft = raft;
        this.groups = groups;
        this.stamping = stamping;
        this.replaced = replaced;
        this.handOver = handOver;
        this.groupMembership =
                new GroupMembershipReconciler(
                        loop,
                        config,
                        new PeerName(config.name(), disk.number()),
                        raft,
                        groups.control());
        this.client = new MembersClient(loop, security);
        this.askedNanos = loop.nanoTime();
    }

    /** Looks now, and from now on. */
    public void start() {
        loop.checkInLoop();
        if (!stopped) {
            look();
            timer =
                    loop.schedule(
                            roster().getVersion() == 0 ? LOOK_FIRST : LOOK_EVERY, this::start);
        }
    }

    public void stop() {
        stopped = true;
        groupMembership.stop();
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
        boolean leads = groups.control().log().leads();
        Roster roster = roster();
        if (roster.getVersion() == 0 && leads) {
            beginRoster();
        }
        checkAddresses(roster);
        if (leaving) {
            handOver.run();
        } else if (own.getDisk().isEmpty() || own.getFeatureLevel() != FeatureLevel.SUPPORTED) {
            admit();
        }
        List<MemberDisk> pending =
                groups.control().read(ControlState::members).stream()
                        .filter(member -> member.getJoining() || member.getLeaving())
                        .toList();
        boolean press = !pending.isEmpty() && leads;
        long now = loop.nanoTime();
        Duration every = press || raft.hasClosedReplica() ? PRESS_EVERY : ASK_EVERY;
        boolean due = now - askedNanos >= every.toNanos();
        if (due) {
            askedNanos = now;
            ask(press);
        }
        // Else there is hardly ever anything to do.
        if (due || !pending.isEmpty()) {
            groupMembership.change();
        }
        if (press) {
            settle(pending, roster.getVersion());
        } else {
            groupMembership.told().forget();
        }
    }

    private Roster roster() {
        return groups.control().read(ControlState::roster);
    }

    /**
     * The control group has the servers that it began with for members until the first roster is
     * there: none is added or removed without it.
     */
    private void beginRoster() {
        decide(
                ControlEntries.firstRoster(
                        FirstRoster.newBuilder()
                                .addAllServers(groupMembership.controlServers())
                                .build()));
    }

    private void checkAddresses(Roster roster) {
        List<String> missing =
                roster.getServersList().stream()
                        .filter(name -> !config.names().contains(name))
                        .toList();
        if (!missing.equals(unknown)) {
            unknown = missing;
            if (!missing.isEmpty()) {
                LOG.warn(
                        "The configuration of {} lists the servers {} and not {}, which are members of the registry: expected all of them",
                        config.name(),
                        config.names(),
                        missing);
            }
        }
    }

    private MemberDisk member(String name) {
        return groups.control().read(state -> state.member(name));
    }

    private void judge(MemberDisk known) {
        String why = DiskAdmission.replaced(config, disk, known);
        int level = groups.control().read(ControlState::featureLevel);
        if (level > FeatureLevel.SUPPORTED) {
            why = DiskAdmission.tooOld(config, level);
        }
        if (!why.isEmpty() && !over && !stopped) {
            over = true;
            replaced.accept(why);
        } else if (known.getLeaving() && known.getNumber() == disk.number() && !leaving) {
            leaving = true;
            LOG.warn(
                    "{} was removed from the registry, and ends when it is a member of no group any more",
                    config.name());
            raft.leave();
        }
    }

    private void admit() {
        AdmitDiskRequest request =
                AdmitDiskRequest.newBuilder()
                        .setName(config.name())
                        .setDisk(disk.bytes())
                        .setNumber(disk.number())
                        .setFeatureLevel(FeatureLevel.SUPPORTED)
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
                        answer.getLedList().forEach(groupMembership.told()::heard);
                    },
                    why -> LOG.debug("{} has not said who it is: {}", peer.name(), why));
        }
    }

    /** The groups that this server leads. */
    List<LedGroup> led() {
        return groupMembership.led();
    }

    private void settle(List<MemberDisk> pending, long rosterVersion) {
        groupMembership.led().forEach(groupMembership.told()::heard);
        List<ByteString> all = groupMembership.groups();
        for (MemberDisk member : pending) {
            PeerName peer = new PeerName(member.getName(), member.getNumber());
            boolean done =
                    member.getLeaving()
                            ? groupMembership.told().noneHas(all, peer.server(), rosterVersion)
                            : !member.getDisk().isEmpty()
                                    && groupMembership.told().allHave(all, peer, rosterVersion);
            if (done) {
                decide(
                        ControlEntries.memberSettled(
                                MemberSettled.newBuilder()
                                        .setName(member.getName())
                                        .setNumber(member.getNumber())
                                        .setLeft(member.getLeaving())
                                        .build()));
            }
        }
    }

    /** One at a time; what is refused or lost is decided at a later look. */
    private void decide(byte[] entry) {
        if (!deciding) {
            deciding = true;
            groups.controlEntries()
                    .submit(
                            stamping.stamped("registry " + config.self().service(), entry),
                            result -> deciding = false,
                            refused -> deciding = false);
        }
    }
}

package photon.idregistry.raft;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.ratis.conf.Parameters;
import org.apache.ratis.protocol.RaftGroup;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.storage.RaftStorage.StartupOption;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import photon.core.error.BugHandler;
import photon.core.error.ConfigException;
import photon.core.rpc.HostPort;
import photon.core.security.TlsFiles;
import photon.idregistry.raft.snapshot.SnapshotDisk;
import photon.idregistry.raft.workaround.ClassPreloading;
import photon.idregistry.raft.workaround.DirectoryLock;
import photon.idregistry.raft.workaround.MembersFile;
import photon.idregistry.replicated.GroupCut;
import photon.idregistry.replicated.ReplicatedState;

/**
 * One server's Raft part: one Ratis server with a replica of each group. Groups that were there
 * come back by themselves at a restart. Thread-safe.
 */
public final class RaftNode implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(RaftNode.class);

    private final Config config;
    private final BugHandler bugs;
    private final Runnable leaderChanged;
    private final SnapshotDisk disk;
    private final RatisCalls calls;
    private final Map<UUID, Replica> replicas = new ConcurrentHashMap<>();

    private final SnapshotScheduler snapshots;
    private final ExecutorService readers;
    private final LogMarks marks;
    private final GroupsMade groupsMade;
    private final GroupAdditions additions;
    private final GroupRemovals removals;
    private volatile boolean started;
    private volatile boolean closing;
    private volatile boolean leaving;
    private @Nullable DirectoryLock lock;
    private @Nullable RaftServer server;
    private @Nullable RatisClose ratisClose;

    /**
     * A replica that its group has taken out is closed before this server has heard that it leaves,
     * or that its disk was replaced: it asks the others while one is closed.
     */
    static final long CLOSED_NANOS_MAX = TimeUnit.SECONDS.toNanos(10);

    /** One that leaves is closed group by group, and ended soon behind the last of them. */
    private static final long CLOSED_LEAVING_NANOS_MAX = TimeUnit.SECONDS.toNanos(60);

    /**
     * @param name this server's name among the members of its groups
     * @param listen where its Raft port is bound
     * @param data a directory of its own
     * @param controlMembers the control group's members; it is made at the first start. None: its
     *     leader will make this server a member
     * @param controlState makes the control group's state
     * @param shardState makes every other group's, which is named
     * @param tls certificates for what replicas send to each other; empty: it is sent as it is
     */
    public record Config(
            String name,
            HostPort listen,
            Path data,
            RaftTuning tuning,
            List<RaftMember> controlMembers,
            Supplier<? extends ReplicatedState> controlState,
            Function<UUID, ? extends ReplicatedState> shardState,
            Optional<TlsFiles> tls) {
        public Config {
            controlMembers = List.copyOf(controlMembers);
        }
    }

    private RaftNode(Config config, BugHandler bugs, Runnable leaderChanged, SnapshotDisk disk) {
        this.config = config;
        this.bugs = bugs;
        this.leaderChanged = leaderChanged;
        this.disk = disk;
        this.calls = new RatisCalls(RaftPeerId.valueOf(config.name()));
        this.snapshots = new SnapshotScheduler(config.name(), config.tuning());
        this.readers =
                Executors.newCachedThreadPool(
                        task -> {
                            Thread thread = new Thread(task, config.name() + "-reads");
                            thread.setDaemon(true);
                            return thread;
                        });
        this.marks = new LogMarks(config.name(), this::replicas);
        this.groupsMade = new GroupsMade(config.data(), disk);
        this.additions = new GroupAdditions(config.data(), calls, groupsMade);
        this.removals = new GroupRemovals(config.name(), config.data(), calls, disk, groupsMade);
    }

    /**
     * Starts and takes part; leads nothing yet.
     *
     * @param leaderChanged told, in any thread, that a group may have another leader
     * @throws ConfigException if the port or the directory is not ours to use
     * @throws RaftStartException if what is on disk cannot be trusted
     */
    public static RaftNode start(Config config, BugHandler bugs, Runnable leaderChanged) {
        return start(config, bugs, leaderChanged, new SnapshotDisk(), false);
    }

    /**
     * @param bare without what stands between the Raft port and Ratis, and without the recovery of
     *     votes: for tests of what Ratis does by itself
     */
    static RaftNode start(
            Config config,
            BugHandler bugs,
            Runnable leaderChanged,
            SnapshotDisk disk,
            boolean bare) {
        RaftNode node = new RaftNode(config, bugs, leaderChanged, disk);
        try {
            node.start(bare);
            node.started = true;
            node.marks.start();
            return node;
        } finally {
            if (!node.started) {
                node.close();
            }
        }
    }

    private void start(boolean bare) {
        RaftPort.checkFree(config.listen());
        lock = DirectoryLock.take(config.data());
        try {
            Path storage = RaftSettings.storage(config.data());
            Files.createDirectories(storage);
            removals.finish();
            groupsMade.check();
            if (!bare) {
                VoteRecovery.recoverAll(storage);
            }
            RaftGroup control = RaftMember.group(GroupIds.control(), controlMembers(storage));
            boolean first = !additions.exists(control.getGroupId());
            ClassPreloading.preload(
                    control.getPeers().isEmpty()
                            ? List.of(RaftPeer.newBuilder().setId(calls.server()).build())
                            : control.getPeers());
            RaftServer made =
                    RaftServer.newBuilder()
                            .setServerId(calls.server())
                            .setProperties(
                                    RaftSettings.properties(
                                            config.tuning(), config.data(), config.listen()))
                            .setParameters(
                                    bare
                                            ? new Parameters()
                                            : RaftPort.parameters(
                                                    config.name(),
                                                    config.tls(),
                                                    this::readIndex,
                                                    this::running,
                                                    bugs))
                            .setStateMachineRegistry(this::carrier)
                            .setGroup(control)
                            .setOption(first ? StartupOption.FORMAT : StartupOption.RECOVER)
                            .build();
            server = made;
            ratisClose = new RatisClose(made, config.name());
            made.start();
            groupsMade.add(GroupIds.control());
            for (RaftGroupId id : made.getGroupIds()) {
                replica(id.getUuid(), made, first);
            }
        } catch (IOException | RuntimeException e) {
            if (e instanceof ConfigException || e instanceof RaftStartException) {
                throw (RuntimeException) e;
            }
            throw new RaftStartException(
                    "Cannot run registry server "
                            + config.name()
                            + " on "
                            + config.data()
                            + ": "
                            + reasonOf(e)
                            + DamagedLogs.text(RaftSettings.storage(config.data()))
                            + ". Replace this replica if its files are damaged",
                    e);
        }
    }

    /** None if it has had members that cannot be read any more: they may have been others. */
    private List<RaftMember> controlMembers(Path storage) throws IOException {
        Path group = storage.resolve(GroupIds.control().toString());
        if (MembersFile.isLost(group)) {
            LOG.error("Cannot read the members in {}: the log or the leader must tell them", group);
            return List.of();
        }
        return config.controlMembers();
    }

    private CompletableFuture<Long> readIndex(UUID group) {
        Replica replica = replicas.get(group);
        return replica == null
                ? CompletableFuture.failedFuture(
                        new IOException("There is no replica of " + group + " here"))
                : replica.readIndex();
    }

    /** The outermost that says of which file it is; what only wraps others says nothing. */
    private static Throwable reasonOf(Throwable e) {
        Throwable at = e;
        while (at.getCause() != null) {
            if (at instanceof IOException && !at.getCause().toString().equals(at.getMessage())) {
                return at;
            }
            at = at.getCause();
        }
        return at;
    }

    private StateCarrier carrier(RaftGroupId id) {
        UUID group = id.getUuid();
        return new StateCarrier(
                config.name() + "@" + group,
                group.equals(GroupIds.control())
                        ? config.controlState().get()
                        : config.shardState().apply(group),
                calls.client(),
                bugs,
                () -> !started || closing,
                leaderChanged,
                disk);
    }

    /** True if a server has begun in this data directory. */
    public static boolean hasLogs(Path data) {
        return Files.exists(RaftSettings.storage(data).resolve(GroupIds.control().toString()));
    }

    private Replica replica(UUID group, RaftServer from, boolean made) throws IOException {
        Replica replica =
                new Replica(
                        group, from.getDivision(RaftGroupId.valueOf(group)), calls, readers, made);
        if (leaving) {
            replica.retire();
        }
        replicas.put(group, replica);
        return replica;
    }

    /** This server's replica; null while it has none. */
    public @Nullable Replica replica(UUID group) {
        return replicas.get(group);
    }

    /** All replicas of this server. */
    public Collection<Replica> replicas() {
        return List.copyOf(replicas.values());
    }

    /** True if there is a replica of the group and it knows its members. */
    public boolean has(UUID group) {
        Replica replica = replicas.get(group);
        return replica != null && !replica.memberless();
    }

    /**
     * Makes this server's replica of a group, if it is not there. Every member must be told by
     * itself, with the same members; or with none, who is to become a member of a group that is
     * there.
     *
     * @return completed, in any thread, when the replica is there; failed if it cannot be made now:
     *     try again later
     */
    public CompletableFuture<Replica> addGroup(UUID id, List<RaftMember> members) {
        RaftServer running = running();
        if (has(id) || (members.isEmpty() && replicas.containsKey(id))) {
            return CompletableFuture.completedFuture(
                    java.util.Objects.requireNonNull(replicas.get(id)));
        }
        Replica memberless = replicas.get(id);
        if (memberless != null) {
            // A crash came between making the directory and the first entry, which holds the
            // members. The directory stays: its vote must not be forgotten.
            memberless.carrier().expectEnd();
            replicas.remove(id);
        }
        return additions.add(
                running,
                RaftMember.group(id, members),
                memberless != null,
                () -> replica(id, running, true));
    }

    /**
     * Takes this server's replica of a group away, with its files, for good: its vote is forgotten,
     * so the group must not be made again. Every member must be told by itself. Safe to repeat,
     * also where there is none, or where a crash came between.
     *
     * @param discard gives up the state, which nobody applies to or reads meanwhile
     * @return completed, in any thread, when nothing is left that a start would find; failed if
     *     that cannot be now: try again later
     */
    public CompletableFuture<Void> removeGroup(UUID id, Consumer<ReplicatedState> discard) {
        // What is half made, Ratis can neither remove, nor is it known here.
        return additions.underWay(id).thenCompose(either -> removeMade(id, discard));
    }

    private CompletableFuture<Void> removeMade(UUID id, Consumer<ReplicatedState> discard) {
        Replica replica = replicas.get(id);
        if (replica != null) {
            replica.carrier().expectEnd();
            replica.carrier().abandonSnapshots();
        }
        return removals.remove(
                this::running,
                id,
                () -> {
                    if (replica != null && replicas.remove(id, replica)) {
                        replica.discard(discard);
                        LOG.info("Removed {}", replica.carrier());
                    }
                });
    }

    /**
     * Asks the group's leader, which must be this server, to take one member in or out. A new one
     * follows without a vote until it has what is committed. Nothing happens if the members are not
     * these any more, or are being changed.
     *
     * @param out one of the members as they are; null: one comes
     * @param in another server, or the same with another disk; null: one goes
     * @return completed, in any thread, when it is done; failed if it is not, or that is not known:
     *     look again later
     */
    public CompletableFuture<?> changeMember(
            UUID group, @Nullable String out, @Nullable RaftMember in) {
        Replica replica = replicas.get(group);
        return replica == null
                ? CompletableFuture.failedFuture(new IOException("No replica of " + group))
                : MemberChange.submit(running(), replica.division(), calls, out, in);
    }

    /**
     * This server was removed: no replica answers from its own state from now on, and each goes on
     * for the others only, until its group has taken it out and Ratis closes it.
     */
    public void leave() {
        leaving = true;
        retire();
    }

    /** True if this server was removed. */
    public boolean isLeaving() {
        return leaving;
    }

    /** From now on no replica answers from its own state: this server was replaced. */
    public void retire() {
        replicas.values().forEach(Replica::retire);
    }

    /** What Ratis does to the server after a long pause of the process; for tests. */
    void closeBehindOurBack() throws IOException {
        running().close();
    }

    private RaftServer running() {
        return java.util.Objects.requireNonNull(server, "started");
    }

    /**
     * Reports what Ratis has closed by itself, as it does after a long pause of the process: it
     * would sit there for ever. Asks what was committed for replicas that do not know yet. To be
     * called now and then, in one thread.
     *
     * @param nanoTime monotonic
     */
    public void lookAfter(long nanoTime) {
        long nanosMax = leaving ? CLOSED_LEAVING_NANOS_MAX : CLOSED_NANOS_MAX;
        List<Replica> closed = new ArrayList<>();
        boolean isNeeded = false;
        for (Replica replica : replicas.values()) {
            replica.catchUp();
            if (!closing && replica.isClosedSince(nanoTime - nanosMax, nanoTime)) {
                closed.add(replica);
            } else {
                // One that knows no members is closed by nobody.
                isNeeded |= !replica.memberless();
            }
        }
        if (!leaving || !isNeeded) {
            closed.forEach(replica -> replica.carrier().reportEnd());
        }
    }

    /** True if Ratis has closed a replica, as when its group has taken it out. */
    public boolean hasClosedReplica() {
        return replicas.values().stream().anyMatch(Replica::isClosed);
    }

    /**
     * Ends leaderships in which Ratis takes nothing any more. To be called now and then, in one
     * thread.
     *
     * @param nanoTime monotonic
     */
    public void endStuckLeaderships(long nanoTime) {
        long nanosMax = 2 * config.tuning().electionMax().toNanos();
        for (Replica replica : replicas.values()) {
            if (!closing) {
                replica.endStuckLeadership(nanoTime, nanosMax);
            }
        }
    }

    /**
     * Begins the snapshots that are due. To be called now and then.
     *
     * @param nanoTime monotonic
     */
    public void takeSnapshots(long nanoTime) {
        snapshots.takeDue(replicas.values(), nanoTime);
    }

    /**
     * Takes a snapshot of a group, after those that are under way; the log below it is deleted. For
     * tests.
     *
     * @return the index that is safe on disk then
     */
    CompletableFuture<Long> takeSnapshot(UUID group) {
        return snapshots.take(java.util.Objects.requireNonNull(replicas.get(group), "a replica"));
    }

    /**
     * Takes a snapshot of a group that holds all that was decided before the call, for a backup.
     *
     * @return completed, in any thread, when it can be read; failed if there is none now
     */
    public CompletableFuture<GroupCut> cut(UUID group) {
        Replica replica = replicas.get(group);
        return replica == null
                ? CompletableFuture.failedFuture(
                        new IOException("There is no replica of " + group + " here"))
                : replica.readBarrier().thenCompose(sure -> snapshots.cut(replica));
    }

    /** Leaves all groups and frees port and directory. Safe to call twice. */
    @Override
    public void close() {
        close(RatisClose::close);
    }

    /** For a process that ends now: leaves the port to it, and does not wait for the network. */
    public void closeFiles() {
        close(RatisClose::closeFiles);
    }

    private void close(Consumer<RatisClose> how) {
        closing = true;
        replicas.values().forEach(replica -> replica.carrier().abandonSnapshots());
        snapshots.close();
        readers.shutdown();
        marks.close();
        removals.close();
        if (ratisClose != null) {
            how.accept(ratisClose);
        }
        if (lock != null) {
            lock.close();
        }
    }
}

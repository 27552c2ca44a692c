package photon.idregistry.server;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import photon.core.error.BugHandler;
import photon.core.loop.EventLoop;
import photon.core.loop.ThreadLoop;
import photon.core.rpc.GrpcChannels;
import photon.core.rpc.GrpcServer;
import photon.core.rpc.Handler;
import photon.core.rpc.HostPort;
import photon.core.rpc.ProcessRpcs;
import photon.core.rpc.RpcLimits;
import photon.core.time.IntervalClock;
import photon.idregistry.control.ControlState;
import photon.idregistry.raft.GroupIds;
import photon.idregistry.raft.RaftNode;
import photon.idregistry.server.config.RegistryServerConfig;
import photon.idregistry.server.counts.MeteredState;
import photon.idregistry.server.counts.RegistryStats;
import photon.idregistry.server.counts.StateMeter;
import photon.idregistry.server.groups.Group;
import photon.idregistry.server.groups.GroupMaker;
import photon.idregistry.server.groups.ReadThreads;
import photon.idregistry.server.groups.Readers;
import photon.idregistry.server.groups.ServerPeers;
import photon.idregistry.server.leaders.LeadershipTransfers;
import photon.idregistry.server.members.DataOwner;
import photon.idregistry.server.members.DiskAdmission;
import photon.idregistry.server.members.MembersHandler;
import photon.idregistry.server.members.MembershipReconciler;
import photon.idregistry.server.members.OwnDisk;
import photon.idregistry.server.raft.RaftGroupMaker;
import photon.idregistry.server.raft.ReplicaGroup;
import photon.idregistry.server.raft.ShardTables;
import photon.proto.v1.ControlGrpc;
import photon.proto.v1.DescribeAuditRequest;
import photon.proto.v1.DescribeAuditResponse;
import photon.proto.v1.DescribeServerRequest;
import photon.proto.v1.DescribeServerResponse;
import photon.proto.v1.DiskState;
import photon.proto.v1.LeadershipGrpc;
import photon.proto.v1.MembersGrpc;
import photon.proto.v1.RegistryBackupGrpc;
import photon.proto.v1.RegistryGrpc;
import photon.proto.v1.RegistryRestoreGrpc;
import photon.proto.v1.RegistryStatusGrpc;
import photon.proto.v1.ServerMember;
import photon.registry.client.GrpcRegistryTransport;

/**
 * One server of the IdRegistry, complete: a replica of the control group and of every shard, and
 * the services in front of them. One loop owns everything here; Ratis and gRPC have threads of
 * their own. Thread-safe.
 */
public final class RegistryServer implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(RegistryServer.class);

    /** Ids and tokens: hundreds of thousands of them. What becomes one entry is far smaller. */
    private static final int REQUEST_BYTES_MAX = 16 << 20;

    private static final int OFFERS_MAX = 65_536;
    private static final int READS_MAX = 1_024;
    private static final long CLOSE_TIMEOUT_SECONDS = 10;

    /** Each group is tried twice, and its entries are waited for. */
    private static final int HAND_OVER_ELECTIONS_MAX = 3;

    private static final Duration TRANSFER_ANSWERS_WITHIN = Duration.ofSeconds(2);

    private final ProcessRpcs rpcs;
    private final EventLoop loop;

    /** Lookups and scans, which may wait for the disk. */
    private final ReadThreads reads;

    private volatile RegistryStats stats = RegistryStats.NONE;
    private @Nullable RaftNode node;
    private @Nullable ShardTables tables;
    private @Nullable RegistryService service;
    private @Nullable Handler<DescribeServerRequest, DescribeServerResponse> describe;
    private @Nullable LeadershipTransfers leadership;
    private @Nullable GrpcChannels channels;
    private @Nullable GrpcServer grpc;
    private @Nullable MembershipReconciler members;
    private EventLoop.@Nullable Cancellable upkeep;
    private volatile Duration handOverMax = Duration.ZERO;
    private boolean closed;

    private RegistryServer(ProcessRpcs rpcs, EventLoop loop, ReadThreads reads) {
        this.rpcs = rpcs;
        this.loop = loop;
        this.reads = reads;
    }

    /** One whose callers are other processes. */
    public static RegistryServer start(
            RegistryServerConfig config, IntervalClock clock, BugHandler bugs) {
        return start(config, new ProcessRpcs(), clock, bugs);
    }

    /**
     * Starts and serves. Whether it can decide anything depends on a majority of the servers. With
     * a blank disk it waits for the others first, however long that is (docs/protocol.md section
     * 11).
     *
     * @param rpcs of this process
     * @param bugs told of everything that must not happen, such as an entry that cannot be applied
     * @throws photon.core.error.ConfigException if a port or the directory is not ours to use, or
     *     its disk may not take part
     * @throws photon.idregistry.raft.RaftStartException if what is on disk cannot be trusted
     */
    public static RegistryServer start(
            RegistryServerConfig config, ProcessRpcs rpcs, IntervalClock clock, BugHandler bugs) {
        RegistryServer server =
                new RegistryServer(
                        rpcs,
                        new ThreadLoop("registry-" + config.name(), OFFERS_MAX, bugs),
                        new ReadThreads("registry-reads-" + config.name(), bugs));
        boolean started = false;
        try {
            server.open(config, clock, bugs);
            started = true;
            return server;
        } finally {
            if (!started) {
                server.close();
            }
        }
    }

    private void open(RegistryServerConfig config, IntervalClock clock, BugHandler bugs) {
        Map<String, String> services =
                config.peers().stream()
                        .collect(
                                Collectors.toMap(
                                        RegistryServerConfig.Peer::name,
                                        peer -> peer.service().toString()));
        DataOwner.check(config);
        OwnDisk disk = OwnDisk.open(config, UUID::randomUUID);
        DiskState before = disk.state();
        disk.begin(new DiskAdmission(config, rpcs, loop, disk).await());
        StateMeter states = new StateMeter(loop::nanoTime);
        ShardTables shards = new ShardTables(config.name(), config.data(), config.memoryBytes());
        tables = shards;
        RaftNode raft = startRaft(config, disk, before, shards, states, bugs);
        node = raft;
        DataOwner.keep(config);
        Group<ControlState> control =
                new ReplicaGroup<>(
                        raft,
                        Objects.requireNonNull(raft.replica(GroupIds.control())),
                        ControlState.class,
                        services);
        GroupMaker groups = new RaftGroupMaker(raft, config, shards, services, disk, control);
        RegistryService serving = serving(config, control, groups, clock);
        service = serving;
        Handler<DescribeServerRequest, DescribeServerResponse> describing =
                serving.describeServer(config.name(), members(config), states, disk);
        describe = describing;
        LeadershipTransfers leading = leadership(config, raft, serving, services);
        leadership = leading;
        handOverMax = config.tuning().electionMax().multipliedBy(HAND_OVER_ELECTIONS_MAX);
        MembershipReconciler membership = membership(config, disk, raft, serving, leading, bugs);
        members = membership;
        grpc =
                serve(
                        config.self().service(),
                        serving,
                        describing,
                        serving.describeAudit(config.name()),
                        new MembersHandler(
                                config, disk, serving.groups(), membership, serving.stamping()),
                        leading);
        loop.execute(
                () -> {
                    serving.start();
                    membership.start();
                    lookAfter(config.reconcileEvery(), raft, serving, leading);
                });
    }

    private RegistryService serving(
            RegistryServerConfig config,
            Group<ControlState> control,
            GroupMaker groups,
            IntervalClock clock) {
        return new RegistryService(
                loop,
                control,
                groups,
                clock,
                config.maxSkew(),
                config.limits(),
                new ServerPeers(
                        config.servers(),
                        config.servicesByName(),
                        new GrpcRegistryTransport(loop, rpcs.apart()),
                        RandomGenerator.getDefault()),
                config.reconcileEvery(),
                Readers.in(reads, loop, READS_MAX));
    }

    private MembershipReconciler membership(
            RegistryServerConfig config,
            OwnDisk disk,
            RaftNode raft,
            RegistryService serving,
            LeadershipTransfers leading,
            BugHandler bugs) {
        return new MembershipReconciler(
                loop,
                config,
                rpcs.security(),
                disk,
                raft,
                serving.groups(),
                serving.stamping(),
                why -> {
                    raft.retire();
                    bugs.onBug("Registry server " + config.name(), new IllegalStateException(why));
                },
                leading::leave);
    }

    private RaftNode startRaft(
            RegistryServerConfig config,
            OwnDisk disk,
            DiskState before,
            ShardTables shards,
            StateMeter states,
            BugHandler bugs) {
        boolean done = false;
        try {
            RaftNode raft =
                    RaftNode.start(
                            new RaftNode.Config(
                                    disk.peer(),
                                    config.self().raftListen(),
                                    config.data(),
                                    config.tuning(),
                                    // The control group began with the first disks.
                                    disk.number() == 1 ? config.members() : List.of(),
                                    () -> new MeteredState(new ControlState(), states),
                                    group -> new MeteredState(shards.make(group), states),
                                    rpcs.security().files()),
                            bugs,
                            () -> {});
            done = true;
            return raft;
        } finally {
            if (!done) {
                disk.begunInVain(before);
            }
        }
    }

    private LeadershipTransfers leadership(
            RegistryServerConfig config,
            RaftNode raft,
            RegistryService serving,
            Map<String, String> services) {
        GrpcChannels made = new GrpcChannels(loop, rpcs.apart());
        channels = made;
        Duration deadline =
                config.tuning().electionMax().multipliedBy(2).plus(TRANSFER_ANSWERS_WITHIN);
        return new LeadershipTransfers(
                loop,
                raft,
                () -> serving.groups().control().read(ControlState::roster),
                serving::shards,
                serving.counts(),
                config,
                services,
                server ->
                        made.unary(server, LeadershipGrpc.getTransferLeadershipMethod(), deadline));
    }

    private GrpcServer serve(
            HostPort listen,
            RegistryService serving,
            Handler<DescribeServerRequest, DescribeServerResponse> describing,
            Handler<DescribeAuditRequest, DescribeAuditResponse> auditing,
            MembersHandler membership,
            LeadershipTransfers leading) {
        return GrpcServer.at(listen, loop)
                .within(rpcs)
                .limits(RpcLimits.DEFAULTS.withMessageBytes(REQUEST_BYTES_MAX))
                .session(RegistryGrpc.getCommitMethod(), serving.commit())
                .session(RegistryGrpc.getLookupMethod(), serving.lookupStreams())
                .unary(RegistryGrpc.getRemoveMethod(), serving.remove())
                .unary(RegistryGrpc.getCancelMethod(), serving.cancel())
                .unary(RegistryGrpc.getFenceMethod(), serving.fence())
                .unary(RegistryGrpc.getScanMethod(), serving.scan())
                .unary(ControlGrpc.getOpenPipelineMethod(), serving.openPipeline())
                .unary(ControlGrpc.getDescribePipelineMethod(), serving.describePipeline())
                .unary(ControlGrpc.getRegisterMethod(), serving.register())
                .unary(ControlGrpc.getFenceIncarnationMethod(), serving.fenceIncarnation())
                .unary(ControlGrpc.getSetIncarnationStateMethod(), serving.setIncarnationState())
                .unary(ControlGrpc.getListIncarnationsMethod(), serving.listIncarnations())
                .unary(RegistryGrpc.getPrepareEpochMethod(), serving.prepareEpoch())
                .unary(RegistryGrpc.getTellClockMethod(), serving.tellClock())
                .unary(ControlGrpc.getBeginReshardMethod(), serving.beginReshard())
                .unary(ControlGrpc.getDecideReshardMethod(), serving.decideReshard())
                .unary(ControlGrpc.getSetPipelineMethod(), serving.setPipeline())
                .unary(ControlGrpc.getDropPipelineMethod(), serving.dropPipeline())
                .unary(ControlGrpc.getRenewIncarnationMethod(), serving.renewIncarnation())
                .unary(
                        ControlGrpc.getRegisterDispatcherStateMethod(),
                        serving.registerDispatcherState())
                .unary(ControlGrpc.getReopenIncarnationMethod(), serving.reopenIncarnation())
                .unary(ControlGrpc.getRetireDatacenterMethod(), serving.retireDatacenter())
                .unary(RegistryBackupGrpc.getCutGroupMethod(), serving.cutGroup())
                .unary(RegistryBackupGrpc.getReadCutMethod(), serving.readCut())
                .unary(RegistryRestoreGrpc.getRestoreMethod(), serving.restore())
                .unary(RegistryRestoreGrpc.getLoadIdsMethod(), serving.loadIds())
                .unary(RegistryStatusGrpc.getDescribeServerMethod(), describing)
                .unary(RegistryStatusGrpc.getDescribeAuditMethod(), auditing)
                .unary(LeadershipGrpc.getTransferLeadershipMethod(), leading::transfer)
                .unary(LeadershipGrpc.getHoldLeaderBalancingMethod(), leading::hold)
                .unary(MembersGrpc.getIntroduceMethod(), membership::introduce)
                .unary(MembersGrpc.getAdmitDiskMethod(), membership::admit)
                .unary(MembersGrpc.getReplaceMemberMethod(), membership::replace)
                .unary(MembersGrpc.getChangeRosterMethod(), membership::changeRoster)
                .unary(MembersGrpc.getFinalizeUpgradeMethod(), membership::finalizeUpgrade)
                .start();
    }

    private static List<ServerMember> members(RegistryServerConfig config) {
        return config.peers().stream()
                .map(
                        peer ->
                                ServerMember.newBuilder()
                                        .setName(peer.name())
                                        .setRaft(peer.raft().toString())
                                        .setService(peer.service().toString())
                                        .setLeaderWeight(peer.leaderWeight())
                                        .build())
                .toList();
    }

    private void lookAfter(
            Duration every, RaftNode raft, RegistryService serving, LeadershipTransfers leading) {
        raft.lookAfter(loop.nanoTime());
        raft.endStuckLeaderships(loop.nanoTime());
        raft.takeSnapshots(loop.nanoTime());
        serving.lookAfterIdle();
        leading.look();
        stats = serving.stats();
        upkeep = loop.schedule(every, () -> lookAfter(every, raft, serving, leading));
    }

    /** Where clients reach it. */
    public HostPort address() {
        return Objects.requireNonNull(grpc).address();
    }

    /** As of the last look around, a fraction of a second ago; after {@link #close} the last. */
    public RegistryStats stats() {
        return stats;
    }

    /**
     * What it is now, as {@code DescribeServer} answers it.
     *
     * @return completed in the server's loop; never, if it closes before
     */
    public CompletableFuture<DescribeServerResponse> describe() {
        CompletableFuture<DescribeServerResponse> answer = new CompletableFuture<>();
        Handler<DescribeServerRequest, DescribeServerResponse> describing =
                Objects.requireNonNull(describe);
        loop.execute(
                () ->
                        describing.handle(
                                DescribeServerRequest.getDefaultInstance(), answer::complete));
        return answer;
    }

    /**
     * Gives the leadership of all groups to others that follow closely, and goes on serving: to be
     * called before {@link #close} where the others stay, so that nobody waits for an election.
     * Returns when that is done, or in vain, or after three of the longest election timeouts.
     */
    public void handOver() {
        LeadershipTransfers leading = leadership;
        if (leading == null) {
            return;
        }
        CompletableFuture<LeadershipTransfers.HandedOver> ended = new CompletableFuture<>();
        loop.execute(() -> leading.handOver().thenAccept(ended::complete));
        try {
            LeadershipTransfers.HandedOver done =
                    ended.get(handOverMax.toMillis(), TimeUnit.MILLISECONDS);
            LOG.info(
                    "Gave away the leadership of {} groups; of {} nobody took it",
                    done.given(),
                    done.kept());
        } catch (TimeoutException e) {
            LOG.warn("Leadership was not given away within {} ms", handOverMax.toMillis());
        } catch (ExecutionException e) {
            LOG.warn("Leadership was not given away", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Stops serving, leaves the groups, frees ports and directory. Safe to call twice. */
    @Override
    public void close() {
        close(RaftNode::close);
    }

    /**
     * For a process that ends now: all files are closed, as by {@link #close}, and its connections
     * end with the process. That is two seconds sooner.
     */
    public void closeFiles() {
        close(RaftNode::closeFiles);
    }

    private synchronized void close(Consumer<RaftNode> how) {
        if (closed) {
            return;
        }
        closed = true;
        if (grpc != null) {
            grpc.close();
        }
        inLoop(
                () -> {
                    if (upkeep != null) {
                        upkeep.cancel();
                    }
                    if (members != null) {
                        members.stop();
                    }
                    if (service != null) {
                        stats = service.stats();
                        service.stop();
                    }
                    if (channels != null) {
                        channels.close();
                    }
                });
        reads.close();
        if (node != null) {
            how.accept(node);
        }
        if (tables != null) {
            tables.close();
        }
        loop.close();
    }

    private void inLoop(Runnable task) {
        CountDownLatch done = new CountDownLatch(1);
        loop.execute(
                () -> {
                    task.run();
                    done.countDown();
                });
        try {
            if (!done.await(CLOSE_TIMEOUT_SECONDS, TimeUnit.SECONDS)) {
                LOG.error("{} has not ended its work and is left behind", loop);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}

package photon.idregistry.server;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import photon.core.loop.EventLoop;
import photon.core.rpc.Handler;
import photon.core.rpc.SessionHandler;
import photon.core.time.IntervalClock;
import photon.idregistry.batch.BatchLimits;
import photon.idregistry.control.ControlState;
import photon.idregistry.server.backup.BackupHandler;
import photon.idregistry.server.backup.RestoreHandler;
import photon.idregistry.server.boundary.BoundaryAdvancer;
import photon.idregistry.server.boundary.OwnClock;
import photon.idregistry.server.control.ControlHandler;
import photon.idregistry.server.control.Reconciler;
import photon.idregistry.server.counts.RegistryStats;
import photon.idregistry.server.counts.ServerCounts;
import photon.idregistry.server.counts.StateMeter;
import photon.idregistry.server.data.CancelHandler;
import photon.idregistry.server.data.CommitHandler;
import photon.idregistry.server.data.FenceHandler;
import photon.idregistry.server.data.LookupHandler;
import photon.idregistry.server.data.RemoveHandler;
import photon.idregistry.server.data.ScanHandler;
import photon.idregistry.server.groups.Group;
import photon.idregistry.server.groups.GroupLoad;
import photon.idregistry.server.groups.GroupMaker;
import photon.idregistry.server.groups.Groups;
import photon.idregistry.server.groups.Readers;
import photon.idregistry.server.groups.ServedGroups;
import photon.idregistry.server.groups.ServerPeers;
import photon.idregistry.server.groups.Stamping;
import photon.idregistry.server.members.OwnDisk;
import photon.idregistry.server.reshard.PrepareHandler;
import photon.idregistry.server.status.AuditHandler;
import photon.idregistry.server.status.StatusHandler;
import photon.proto.v1.BeginReshardRequest;
import photon.proto.v1.BeginReshardResponse;
import photon.proto.v1.CancelRequest;
import photon.proto.v1.CancelResponse;
import photon.proto.v1.CommitRequest;
import photon.proto.v1.CommitResponse;
import photon.proto.v1.CutGroupRequest;
import photon.proto.v1.CutGroupResponse;
import photon.proto.v1.DecideReshardRequest;
import photon.proto.v1.DecideReshardResponse;
import photon.proto.v1.DescribeAuditRequest;
import photon.proto.v1.DescribeAuditResponse;
import photon.proto.v1.DescribePipelineRequest;
import photon.proto.v1.DescribePipelineResponse;
import photon.proto.v1.DescribeServerRequest;
import photon.proto.v1.DescribeServerResponse;
import photon.proto.v1.DropPipelineRequest;
import photon.proto.v1.DropPipelineResponse;
import photon.proto.v1.FenceIncarnationRequest;
import photon.proto.v1.FenceIncarnationResponse;
import photon.proto.v1.FenceRequest;
import photon.proto.v1.FenceResponse;
import photon.proto.v1.ListIncarnationsRequest;
import photon.proto.v1.ListIncarnationsResponse;
import photon.proto.v1.LoadIdsRequest;
import photon.proto.v1.LoadIdsResponse;
import photon.proto.v1.LookupRequest;
import photon.proto.v1.LookupResponse;
import photon.proto.v1.OpenPipelineRequest;
import photon.proto.v1.OpenPipelineResponse;
import photon.proto.v1.PrepareEpochRequest;
import photon.proto.v1.PrepareEpochResponse;
import photon.proto.v1.ReadCutRequest;
import photon.proto.v1.ReadCutResponse;
import photon.proto.v1.RegisterDispatcherStateRequest;
import photon.proto.v1.RegisterDispatcherStateResponse;
import photon.proto.v1.RegisterRequest;
import photon.proto.v1.RegisterResponse;
import photon.proto.v1.RemoveRequest;
import photon.proto.v1.RemoveResponse;
import photon.proto.v1.RenewIncarnationRequest;
import photon.proto.v1.RenewIncarnationResponse;
import photon.proto.v1.ReopenIncarnationRequest;
import photon.proto.v1.ReopenIncarnationResponse;
import photon.proto.v1.RestoreRequest;
import photon.proto.v1.RestoreResponse;
import photon.proto.v1.RetireDatacenterRequest;
import photon.proto.v1.RetireDatacenterResponse;
import photon.proto.v1.ScanRequest;
import photon.proto.v1.ScanResponse;
import photon.proto.v1.ServerMember;
import photon.proto.v1.SetIncarnationStateRequest;
import photon.proto.v1.SetIncarnationStateResponse;
import photon.proto.v1.SetPipelineRequest;
import photon.proto.v1.SetPipelineResponse;
import photon.proto.v1.ShardRef;
import photon.proto.v1.TellClockRequest;
import photon.proto.v1.TellClockResponse;

/**
 * All that a registry server decides, between the calls that reach it and the logs of its groups:
 * it has no threads, sockets or files. {@link RegistryServer} puts it between gRPC and Ratis. Used
 * in its loop; made anywhere.
 */
public final class RegistryService {
    private final EventLoop loop;
    private final ServedGroups groups;
    private final Reconciler reconciler;
    private final BoundaryAdvancer boundary;
    private final ControlHandler control;
    private final Stamping stamping;
    private final IntervalClock clock;
    private final Duration maxSkew;
    private final int idsPerEntryMax;
    private final Readers readers;
    private final ServerPeers peers;
    private final BackupHandler backups;
    private final RestoreHandler restores;

    /**
     * @param control this server's replica of the control group
     * @param maker makes its replicas of the shards
     * @param maxSkew how far an id's timestamp may be ahead of the clock's latest
     * @param peers how it reaches the servers, itself among them
     * @param reconcileEvery how often the control group's decisions are looked at
     */
    public RegistryService(
            EventLoop loop,
            Group<ControlState> control,
            GroupMaker maker,
            IntervalClock clock,
            Duration maxSkew,
            BatchLimits limits,
            ServerPeers peers,
            Duration reconcileEvery) {
        this(loop, control, maker, clock, maxSkew, limits, peers, reconcileEvery, Readers.atOnce());
    }

    /**
     * @param readers where lookups and scans are carried out
     */
    RegistryService(
            EventLoop loop,
            Group<ControlState> control,
            GroupMaker maker,
            IntervalClock clock,
            Duration maxSkew,
            BatchLimits limits,
            ServerPeers peers,
            Duration reconcileEvery,
            Readers readers) {
        this.loop = loop;
        this.groups = new ServedGroups(loop, limits, control);
        this.stamping = new Stamping(clock);
        this.reconciler = new Reconciler(loop, groups, maker, peers, stamping, reconcileEvery);
        this.boundary = new BoundaryAdvancer(loop, groups, clock, peers);
        this.control = new ControlHandler(groups, peers.addresses(), stamping);
        this.clock = clock;
        this.maxSkew = maxSkew;
        this.idsPerEntryMax = limits.idsPerEntryMax();
        this.readers = readers;
        this.peers = peers;
        this.backups = new BackupHandler(groups, readers);
        this.restores = new RestoreHandler(groups, stamping, readers, idsPerEntryMax);
    }

    Groups groups() {
        return groups;
    }

    Stamping stamping() {
        return stamping;
    }

    /** From now on follows what the control group decides. Does nothing after {@link #stop}. */
    public void start() {
        reconciler.start();
        boundary.start();
    }

    /** What waits is answered as not submitted. Safe to call twice, and before {@link #start}. */
    public void stop() {
        loop.checkInLoop();
        reconciler.stop();
        boundary.stop();
        groups.close();
        peers.transport().close();
    }

    /** To be called every few moments. */
    public void lookAfterIdle() {
        groups.lookAfterIdle(readers);
    }

    public RegistryStats stats() {
        return groups.stats();
    }

    /** What each group has under way now. Not for other threads than the loop's. */
    public List<GroupLoad> loads() {
        return groups.loads();
    }

    ServerCounts counts() {
        return groups.counts();
    }

    /** Those that this server has replicas of, in the order in which they came. */
    Set<ShardRef> shards() {
        return groups.shards().keySet();
    }

    public SessionHandler<CommitRequest, CommitResponse> commit() {
        return groups.counts().commits(new CommitHandler(groups, clock, maxSkew));
    }

    public Handler<LookupRequest, LookupResponse> lookup() {
        return groups.counts().lookups(new LookupHandler(groups, readers));
    }

    /** {@link #lookup} for streams. */
    public SessionHandler<LookupRequest, LookupResponse> lookupStreams() {
        return groups.counts().lookupStreams(lookup());
    }

    public Handler<RemoveRequest, RemoveResponse> remove() {
        return new RemoveHandler(groups, idsPerEntryMax, stamping);
    }

    public Handler<CancelRequest, CancelResponse> cancel() {
        return new CancelHandler(groups, idsPerEntryMax);
    }

    public Handler<FenceRequest, FenceResponse> fence() {
        return new FenceHandler(groups);
    }

    public Handler<ScanRequest, ScanResponse> scan() {
        return new ScanHandler(groups, readers);
    }

    public Handler<TellClockRequest, TellClockResponse> tellClock() {
        return (request, respond) ->
                respond.accept(
                        TellClockResponse.newBuilder()
                                .setClock(OwnClock.tell(clock))
                                .setServer(peers.addresses().get(0))
                                .build());
    }

    public Handler<RenewIncarnationRequest, RenewIncarnationResponse> renewIncarnation() {
        return control::renewIncarnation;
    }

    /**
     * @param name this server's
     * @param members all servers
     * @param states what the replicas' states were measured by
     * @param disk this server's
     */
    Handler<DescribeServerRequest, DescribeServerResponse> describeServer(
            String name, List<ServerMember> members, StateMeter states, OwnDisk disk) {
        return new StatusHandler(name, members, groups, states, clock, boundary, disk);
    }

    public Handler<OpenPipelineRequest, OpenPipelineResponse> openPipeline() {
        return control::openPipeline;
    }

    public Handler<DescribePipelineRequest, DescribePipelineResponse> describePipeline() {
        return control::describePipeline;
    }

    public Handler<RegisterRequest, RegisterResponse> register() {
        return control::register;
    }

    public Handler<FenceIncarnationRequest, FenceIncarnationResponse> fenceIncarnation() {
        return control::fenceIncarnation;
    }

    public Handler<SetIncarnationStateRequest, SetIncarnationStateResponse> setIncarnationState() {
        return control::setIncarnationState;
    }

    public Handler<RegisterDispatcherStateRequest, RegisterDispatcherStateResponse>
            registerDispatcherState() {
        return control::registerDispatcherState;
    }

    public Handler<ReopenIncarnationRequest, ReopenIncarnationResponse> reopenIncarnation() {
        return control::reopenIncarnation;
    }

    public Handler<RetireDatacenterRequest, RetireDatacenterResponse> retireDatacenter() {
        return control::retireDatacenter;
    }

    public Handler<ListIncarnationsRequest, ListIncarnationsResponse> listIncarnations() {
        return control::listIncarnations;
    }

    public Handler<PrepareEpochRequest, PrepareEpochResponse> prepareEpoch() {
        return new PrepareHandler(groups);
    }

    public Handler<BeginReshardRequest, BeginReshardResponse> beginReshard() {
        return control::beginReshard;
    }

    public Handler<DecideReshardRequest, DecideReshardResponse> decideReshard() {
        return control::decideReshard;
    }

    public Handler<SetPipelineRequest, SetPipelineResponse> setPipeline() {
        return control::setPipeline;
    }

    public Handler<RestoreRequest, RestoreResponse> restore() {
        return restores::restore;
    }

    public Handler<LoadIdsRequest, LoadIdsResponse> loadIds() {
        return restores::load;
    }

    Handler<CutGroupRequest, CutGroupResponse> cutGroup() {
        return backups::cut;
    }

    Handler<ReadCutRequest, ReadCutResponse> readCut() {
        return backups::read;
    }

    public Handler<DropPipelineRequest, DropPipelineResponse> dropPipeline() {
        return control::dropPipeline;
    }

    /**
     * @param name this server's
     */
    Handler<DescribeAuditRequest, DescribeAuditResponse> describeAudit(String name) {
        return new AuditHandler(name, groups);
    }
}

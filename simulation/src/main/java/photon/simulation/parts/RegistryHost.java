package photon.simulation.parts;

import com.google.protobuf.ByteString;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import photon.core.loop.EventLoop;
import photon.core.rpc.Handler;
import photon.core.rpc.HostPort;
import photon.core.rpc.SessionHandler;
import photon.idregistry.batch.BatchLimits;
import photon.idregistry.control.ControlEntries;
import photon.idregistry.replicated.FeatureLevel;
import photon.idregistry.server.RegistryService;
import photon.idregistry.server.groups.GroupLoad;
import photon.idregistry.server.groups.ServerPeers;
import photon.proto.v1.AdmitDiskRequest;
import photon.proto.v1.CommitRequest;
import photon.proto.v1.CommitResponse;
import photon.proto.v1.FirstRoster;
import photon.simulation.kernel.Bugs;
import photon.simulation.kernel.HostClock;
import photon.simulation.kernel.Life;
import photon.simulation.kernel.Timeline;
import photon.simulation.network.Network;
import photon.simulation.raft.ClusterServer;
import photon.simulation.raft.SimulatedCluster;

/**
 * The machine of one registry server: starts the process, and starts it again when it has ended,
 * until it is told not to. Its clock, and its disk in the cluster, outlive the process.
 */
public final class RegistryHost {
    private static final long CLOCK_BOUND_MICROS = 10_000;
    private static final long RESTART_MIN_NANOS = 1_000_000_000L;
    private static final long RESTART_SPREAD_NANOS = 6_000_000_000L;
    private static final Duration RECONCILE_EVERY = Duration.ofMillis(500);

    private final Timeline timeline;
    private final Network network;
    private final SimulatedCluster cluster;
    private final HostPort listen;
    private final List<HostPort> servers;
    private final BatchLimits limits;
    private final Bugs bugs;
    private final HostClock clock;
    private final RandomGenerator random;
    private @Nullable Life life;
    private @Nullable RegistryService service;
    private @Nullable ClusterServer replicas;
    private boolean wanted;
    private int lives;

    /**
     * @param listen one of {@code servers}; its host names the process
     * @param bugs told of what stops a life from within, before it ends
     */
    public RegistryHost(
            Timeline timeline,
            Network network,
            SimulatedCluster cluster,
            HostPort listen,
            List<HostPort> servers,
            BatchLimits limits,
            Bugs bugs) {
        this.timeline = timeline;
        this.network = network;
        this.cluster = cluster;
        this.listen = listen;
        this.servers = servers;
        this.limits = limits;
        this.bugs = bugs;
        this.clock = new HostClock(timeline, CLOCK_BOUND_MICROS);
        this.random = timeline.random().split();
    }

    /** The process, such as {@code registry-0}; the network's name of the machine too. */
    public String process() {
        return listen.host();
    }

    public HostClock clock() {
        return clock;
    }

    /** The process, if it runs. */
    public @Nullable Life life() {
        return life;
    }

    /** What each group has under way in it; nothing while it does not run. */
    public List<GroupLoad> loads() {
        RegistryService now = service;
        return now == null ? List.of() : now.loads();
    }

    /**
     * All servers tell what their software understands, as real ones do: simulated ones have no
     * disks that are admitted. Nothing unless this one leads.
     */
    public void tellFeatureLevels() {
        ClusterServer now = replicas;
        if (now == null || !now.control().log().leads()) {
            return;
        }
        List<String> names = servers.stream().map(HostPort::host).toList();
        now.control()
                .log()
                .submit(
                        ControlEntries.firstRoster(
                                FirstRoster.newBuilder().addAllServers(names).build()));
        for (String name : names) {
            now.control()
                    .log()
                    .submit(
                            ControlEntries.admitDisk(
                                    AdmitDiskRequest.newBuilder()
                                            .setName(name)
                                            .setDisk(ByteString.copyFrom(new byte[16]))
                                            .setNumber(1)
                                            .setFeatureLevel(FeatureLevel.SUPPORTED)
                                            .build()));
        }
    }

    /** Lives begun so far. */
    public int lives() {
        return lives;
    }

    /** Starts the process unless it runs; from now on it is started again when it has ended. */
    public void start() {
        wanted = true;
        if (life == null) {
            begin();
        }
    }

    /** Ends the process as kill -9 does; it is started again soon. */
    public void kill(String why) {
        Life now = life;
        if (now != null) {
            now.end(why);
        }
    }

    /** Ends it; it is not started again before {@link #start}. */
    public void shutDown(String why) {
        wanted = false;
        kill(why);
    }

    private void begin() {
        Life begun = new Life(timeline, clock, process(), ++lives, this::met);
        life = begun;
        ClusterServer replicas = cluster.start(process(), begun);
        this.replicas = replicas;
        begun.onEnd(this::ended);
        EventLoop loop = begun.loop("main");
        RegistryService service =
                new RegistryService(
                        loop,
                        replicas.control(),
                        replicas,
                        begun.clock(),
                        BatchLimits.DEFAULT_MAX_SKEW,
                        limits,
                        new ServerPeers(
                                serversFromHere(),
                                new SimulatedTransport(network, begun, process(), loop),
                                begun.random()),
                        RECONCILE_EVERY);
        this.service = service;
        serve(begun, loop, service);
        loop.execute(service::start);
    }

    private List<HostPort> serversFromHere() {
        List<HostPort> all = new ArrayList<>();
        all.add(listen);
        servers.stream().filter(server -> !server.equals(listen)).forEach(all::add);
        return all;
    }

    private void met(Life in, String where, Throwable bug) {
        bugs.met(in, where, bug);
        in.end("stopped by what it met in " + where);
    }

    private void ended() {
        life = null;
        replicas = null;
        service = null;
        if (wanted) {
            long pause = RESTART_MIN_NANOS + random.nextLong(RESTART_SPREAD_NANOS);
            timeline.at(timeline.nowNanos() + pause, this::startAgain);
        }
    }

    private void startAgain() {
        if (wanted && life == null) {
            begin();
        }
    }

    private void serve(Life begun, EventLoop loop, RegistryService service) {
        Binding at = new Binding(begun, loop);
        SessionHandler<CommitRequest, CommitResponse> commit = service.commit();
        network.serveSession(begun, loop, listen, RegistryMethods.COMMIT, commit);
        at.bind(
                RegistryMethods.COMMIT_CALL,
                (CommitRequest request, Consumer<CommitResponse> respond) ->
                        commit.opened(respond).received(request));
        at.bind(RegistryMethods.LOOKUP, service.lookup());
        at.bind(RegistryMethods.REMOVE, service.remove());
        at.bind(RegistryMethods.CANCEL, service.cancel());
        at.bind(RegistryMethods.FENCE, service.fence());
        at.bind(RegistryMethods.SCAN, service.scan());
        at.bind(RegistryMethods.OPEN_PIPELINE, service.openPipeline());
        at.bind(RegistryMethods.DESCRIBE_PIPELINE, service.describePipeline());
        at.bind(RegistryMethods.REGISTER, service.register());
        at.bind(RegistryMethods.FENCE_INCARNATION, service.fenceIncarnation());
        at.bind(RegistryMethods.SET_INCARNATION_STATE, service.setIncarnationState());
        at.bind(RegistryMethods.LIST_INCARNATIONS, service.listIncarnations());
        at.bind(RegistryMethods.PREPARE_EPOCH, service.prepareEpoch());
        at.bind(RegistryMethods.BEGIN_RESHARD, service.beginReshard());
        at.bind(RegistryMethods.DECIDE_RESHARD, service.decideReshard());
        at.bind(RegistryMethods.TELL_CLOCK, service.tellClock());
        at.bind(RegistryMethods.SET_PIPELINE, service.setPipeline());
        at.bind(RegistryMethods.DROP_PIPELINE, service.dropPipeline());
        at.bind(RegistryMethods.RENEW_INCARNATION, service.renewIncarnation());
        at.bind(RegistryMethods.REGISTER_STATE, service.registerDispatcherState());
        at.bind(RegistryMethods.REOPEN_INCARNATION, service.reopenIncarnation());
        at.bind(RegistryMethods.RETIRE_DATACENTER, service.retireDatacenter());
    }

    /** Serves one life's methods at this host's address. */
    private final class Binding {
        private final Life begun;
        private final EventLoop loop;

        Binding(Life begun, EventLoop loop) {
            this.begun = begun;
            this.loop = loop;
        }

        <Q, R> void bind(String method, Handler<Q, R> handler) {
            network.serve(begun, loop, listen, method, handler);
        }
    }
}

package photon.simulation.run;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.Predicate;
import photon.simulation.checks.Checkers;
import photon.simulation.disk.DiskFaults;
import photon.simulation.faults.Scene;
import photon.simulation.faults.Victim;
import photon.simulation.kernel.HostClock;
import photon.simulation.kernel.Timeline;
import photon.simulation.network.Network;
import photon.simulation.network.SimulatedLinks;
import photon.simulation.parts.DispatcherHost;
import photon.simulation.parts.EventStoreHost;
import photon.simulation.parts.JoinerHost;
import photon.simulation.parts.ProcessHost;
import photon.simulation.parts.RegistryHost;
import photon.simulation.parts.RegistryMethods;
import photon.simulation.parts.ReshardOperators;
import photon.simulation.parts.SimulatedDatacenter;
import photon.simulation.raft.SimulatedCluster;

/** A world as its faults see it. */
final class WorldScene implements Scene {
    private static final Duration OPERATOR_LOOKS = Duration.ofSeconds(20);

    private final Timeline timeline;
    private final Network network;
    private final SimulatedCluster cluster;
    private final List<RegistryHost> servers;
    private final List<SimulatedDatacenter> datacenters;
    private final List<String> names;
    private final List<Victim> victims;
    private final ReshardOperators operators;
    private final WatchedCalls calls;
    private final WorldSettings settings;
    private final Checkers checkers;
    private final Verdicts verdicts;
    private final LostFilesOperator lostFiles;
    private final Predicate<String> retires;

    /** Where what the dispatcher has read cannot be read again. */
    private final Set<String> logsGone = new TreeSet<>();

    private final Set<String> statesLost = new TreeSet<>();
    private boolean boundaryLeapt;

    /**
     * @param retires true for a datacenter that is retired or shall be
     */
    WorldScene(
            Network network,
            SimulatedCluster cluster,
            List<RegistryHost> servers,
            List<SimulatedDatacenter> datacenters,
            ReshardOperators operators,
            WatchedCalls calls,
            WorldSettings settings,
            Checkers checkers,
            Timeline timeline,
            Verdicts verdicts,
            Predicate<String> retires) {
        this.timeline = timeline;
        this.network = network;
        this.cluster = cluster;
        this.servers = List.copyOf(servers);
        this.datacenters = List.copyOf(datacenters);
        this.names = datacenters.stream().map(SimulatedDatacenter::name).toList();
        this.victims = victims(servers, datacenters);
        this.operators = operators;
        this.calls = calls;
        this.settings = settings;
        this.checkers = checkers;
        this.verdicts = verdicts;
        this.retires = retires;
        this.lostFiles =
                new LostFilesOperator(timeline, cluster, operators, victims, checkers, verdicts);
    }

    private static List<Victim> victims(
            List<RegistryHost> servers, List<SimulatedDatacenter> datacenters) {
        List<Victim> all = new ArrayList<>();
        servers.forEach(server -> all.add(new RegistryVictim(server)));
        for (SimulatedDatacenter datacenter : datacenters) {
            for (ProcessHost host : datacenter.hosts()) {
                all.add(new HostVictim(host, datacenter.name(), role(host)));
            }
        }
        return List.copyOf(all);
    }

    private static Victim.Role role(ProcessHost host) {
        if (host instanceof JoinerHost) {
            return Victim.Role.JOINER;
        }
        if (host instanceof DispatcherHost) {
            return Victim.Role.DISPATCHER;
        }
        if (host instanceof EventStoreHost) {
            return Victim.Role.EVENT_STORE;
        }
        return Victim.Role.VERIFIER;
    }

    @Override
    public Timeline timeline() {
        return timeline;
    }

    @Override
    public SimulatedLinks links() {
        return network.links();
    }

    @Override
    public List<Victim> victims() {
        return victims;
    }

    @Override
    public List<String> datacenters() {
        return names;
    }

    private SimulatedDatacenter named(String name) {
        return datacenters.stream().filter(d -> d.name().equals(name)).findFirst().orElseThrow();
    }

    @Override
    public DiskFaults disk(String datacenter) {
        return named(datacenter).disk().faults();
    }

    @Override
    public void hideFiles(Victim process, Duration length) {
        SimulatedDatacenter there = named(process.datacenter());
        int oneIn = 1 + timeline.random().nextInt(3);
        there.disk().faults().hide(process.name(), there.layout().output(), oneIn, length);
    }

    @Override
    public void losePower(String datacenter) {
        outage(datacenter, true, Duration.ofMillis(1_000L + timeline.random().nextInt(30_000)));
    }

    @Override
    public void outage(String datacenter, Duration length) {
        outage(datacenter, false, length);
    }

    private void outage(String datacenter, boolean powerLoss, Duration length) {
        SimulatedDatacenter hit = named(datacenter);
        if (powerLoss) {
            verdicts.note(checkers.beforePowerLoss(datacenter));
        }
        hit.killAll(powerLoss);
        verdicts.note(powerLoss ? checkers.onPowerLoss(datacenter) : checkers.onKill());
        timeline.after(length, hit::startAll);
    }

    @Override
    public List<HostClock> clocks() {
        List<HostClock> clocks = new ArrayList<>();
        servers.forEach(server -> clocks.add(server.clock()));
        for (SimulatedDatacenter datacenter : datacenters) {
            datacenter.hosts().forEach(host -> clocks.add(host.clock()));
        }
        return clocks;
    }

    @Override
    public int registryClocks() {
        return servers.size();
    }

    @Override
    public void leapBoundary(Duration ahead, Duration length) {
        boundaryLeapt = true;
        int majority = servers.size() / 2 + 1;
        for (RegistryHost server : servers.subList(0, majority)) {
            server.clock().mend();
            server.clock().jump(settings.retention().plus(ahead).toNanos() / 1_000);
            timeline.after(length, server.clock()::mend);
        }
    }

    @Override
    public void changeLeader() {
        List<String> groups = cluster.groups();
        cluster.deposeLeader(groups.get(timeline.random().nextInt(groups.size())));
    }

    @Override
    public void changeLeaders() {
        cluster.groups().forEach(cluster::deposeLeader);
    }

    @Override
    public void lag(Victim registryServer, Duration length) {
        cluster.lag(registryServer.host(), length);
    }

    @Override
    public void slowRegistryDisks(Duration length) {
        cluster.slowDisks(length);
    }

    @Override
    public void lagInControl(Duration length) {
        cluster.lagInControl(length);
    }

    @Override
    public Held holdCommits(Victim joiner, double share, Duration length) {
        return network.links().hold(joiner.host(), share, length)::releaseSome;
    }

    @Override
    public void afterRemovals(Victim joiner, Runnable task) {
        calls.afterAnswers(RegistryMethods.REMOVE, joiner.host(), task);
    }

    @Override
    public void reshardUnheard(Duration length, Runnable prepared) {
        operators.beginAlone();
        boolean[] told = {false};
        for (RegistryHost server : servers) {
            calls.afterAnswers(
                    RegistryMethods.PREPARE_EPOCH,
                    server.process(),
                    () -> {
                        if (!told[0]) {
                            told[0] = true;
                            network.links().loseAnswers(RegistryMethods.PREPARE_EPOCH, length);
                            prepared.run();
                        }
                    });
        }
    }

    @Override
    public String repairRowsMethod() {
        return DispatcherHost.ADD_REPAIR_ROWS;
    }

    @Override
    public void putForeignLogsAway(String datacenter) {
        if (boundaryLeapt && statesLost.contains(datacenter)) {
            // By the clock that leapt the loss is still to come: a repair that misses these logs
            // would wait for longer than a world lasts.
            return;
        }
        verdicts.note(checkers.everyMinute()); // all that stands in them is known by now
        logsGone.add(datacenter);
        named(datacenter).putForeignLogsAway();
    }

    @Override
    public boolean loseDispatcherState(String datacenter, Duration undeclared) {
        SimulatedDatacenter hit = named(datacenter);
        if (logsGone.contains(datacenter)) {
            return false;
        }
        statesLost.add(datacenter);
        hit.loseDispatcherState();
        checkers.readsAgain(datacenter);
        timeline.after(undeclared, () -> lookAfterState(hit));
        return true;
    }

    @Override
    public boolean loseFile(String datacenter, long draw, Duration undeclared) {
        // Of a datacenter that is retired nothing is ever joined again.
        return !retires.test(datacenter) && lostFiles.lose(named(datacenter), draw, undeclared);
    }

    /** The operator: until the dispatcher has the state that the registry names. */
    private void lookAfterState(SimulatedDatacenter datacenter) {
        Optional<UUID> registered =
                cluster.committedControl().pipelines().stream()
                        .findFirst()
                        .flatMap(
                                pipeline ->
                                        cluster.committedControl()
                                                .dispatcherState(
                                                        pipeline.uuid(), datacenter.name()));
        if (registered.isPresent() && registered.equals(datacenter.dispatcherState())) {
            return;
        }
        registered.ifPresent(datacenter::declareStateLost);
        timeline.after(OPERATOR_LOOKS, () -> lookAfterState(datacenter));
    }

    @Override
    public void hideForeignLogs(Victim process, int oneIn, Duration length) {
        SimulatedDatacenter there = named(process.datacenter());
        there.disk().faults().hide(process.name(), there.layout().foreignLogs(), oneIn, length);
    }

    @Override
    public void hideForeignDirectory(Victim process, Duration length) {
        SimulatedDatacenter there = named(process.datacenter());
        there.disk().faults().hideDirectory(process.name(), there.layout().foreignLogs(), length);
    }

    @Override
    public boolean logsMayGo() {
        return settings.logsKept().isPresent();
    }

    @Override
    public Duration fenceAfter() {
        return settings.fenceAfter();
    }

    @Override
    public void fenceComesLate(Victim verifier, Duration late, Runnable sent) {
        network.links().delayNext(RegistryMethods.FENCE_INCARNATION, verifier.host(), late, sent);
    }

    @Override
    public Duration giveUpAfter() {
        return settings.config().repair().giveUpAfter();
    }

    @Override
    public void reshard(int attempts) {
        operators.begin(attempts);
    }
}

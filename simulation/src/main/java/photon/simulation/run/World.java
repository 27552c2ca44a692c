package photon.simulation.run;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import photon.core.id.EventId;
import photon.core.id.Incarnation;
import photon.core.rpc.HostPort;
import photon.dispatcher.state.DispatcherStatus;
import photon.simulation.checks.BoundaryHeldBack;
import photon.simulation.checks.Checkers;
import photon.simulation.checks.GroundTruth;
import photon.simulation.checks.InvariantViolation;
import photon.simulation.checks.SilentFences;
import photon.simulation.checks.SlotPairs;
import photon.simulation.checks.UnmatchedInTime;
import photon.simulation.faults.FaultPlan;
import photon.simulation.faults.Injector;
import photon.simulation.faults.TakeOvers;
import photon.simulation.faults.Triggers;
import photon.simulation.kernel.Life;
import photon.simulation.kernel.Timeline;
import photon.simulation.kernel.Trace;
import photon.simulation.network.Network;
import photon.simulation.parts.DispatcherHost;
import photon.simulation.parts.JoinerHost;
import photon.simulation.parts.ProcessHost;
import photon.simulation.parts.RegistryHost;
import photon.simulation.parts.ReshardOperators;
import photon.simulation.parts.SimulatedDatacenter;
import photon.simulation.parts.SimulatedTransport;
import photon.simulation.parts.Surroundings;
import photon.simulation.raft.Reach;
import photon.simulation.raft.SimulatedCluster;
import photon.storage.files.MemoryFileStore.Operation;

/**
 * One world of one seed: ten minutes of input and faults, then quiet, in which everything must come
 * right. It stops at the first violation.
 */
final class World {
    private static final int REGISTRY_PORT = 7_300;

    /**
     * A clock that is an hour behind at the start holds the boundary back that far; then it comes
     * on in steps.
     */
    private static final Duration WARM_UP_MAX = Duration.ofMinutes(6);

    private static final long MINUTE_MICROS = 60_000_000L;

    /** Of how many answers one is checked. */
    private static final int ANSWERS_ONE_IN = 4;

    /** Steps. Short peaks are missed else. */
    private static final int LOOK_AT_BOUNDS_EVERY = 16;

    /**
     * Tasks in one loop's queue, about ten times what worlds show. What waits there is bounded by
     * what its peers may have in flight.
     */
    private static final int QUEUE_MAX = 1_024;

    private static final Duration TICK = Duration.ofMillis(500);
    private static final Duration LOOK = Duration.ofMinutes(1);

    private final Timeline timeline;
    private final WorldSettings settings;
    private final Network network;
    private final SimulatedCluster cluster;
    private final List<RegistryHost> servers = new ArrayList<>();
    private final List<SimulatedDatacenter> datacenters = new ArrayList<>();
    private final GroundTruth truth;
    private final Checkers checkers;
    private final Triggers triggers = new Triggers();
    private final WatchedCalls calls = new WatchedCalls(triggers);
    private final Injector injector;
    private final ReshardOperators operators;
    private final Verdicts verdicts;
    private final BoundaryHeldBack boundary;
    private final SilentFences silentFences;
    private final SlotPairs slotPairs;
    private final QuietPhase quiet;
    private final PlannedWork planned;
    private final Optional<Sharing> sharing;
    private final Optional<TakeOvers> takeOvers;

    /** What the checkers draw on: that they look must not change the world. */
    private final SplittableRandom samples;

    /** When input and faults begin. */
    private long beginNanos;

    World(long seed, boolean keepTrace) {
        samples = new SplittableRandom(~seed);
        timeline = new Timeline(seed, new Trace(keepTrace));
        verdicts = new Verdicts(timeline.trace());
        Additions additions = Additions.draw(seed);
        sharing = additions.sharing().map(Sharing::draw);
        settings = additions.to(WorldSettings.draw(timeline.random().split()));
        network = new Network(timeline);
        List<HostPort> addresses = new ArrayList<>();
        for (int i = 0; i < settings.registryServers(); i++) {
            addresses.add(new HostPort("registry-" + i, REGISTRY_PORT));
        }
        cluster =
                new SimulatedCluster(
                        timeline,
                        Reach.over(network),
                        addresses,
                        text ->
                                verdicts.violated(
                                        new InvariantViolation("replicas", text, List.of())));
        addresses.forEach(address -> servers.add(server(address, addresses)));
        network.observe(calls);
        Surroundings surroundings = surroundings(addresses, additions);
        operators = new ReshardOperators(surroundings);
        for (String name : settings.datacenters()) {
            add(new SimulatedDatacenter(surroundings, name, datacenters.size()));
        }
        truth = truth(additions);
        planned = new PlannedWork(additions, surroundings, cluster, servers, datacenters);
        checkers =
                new Checkers(truth, checked(), new CommittedRegistry(cluster), unmatchedInTime());
        WorldScene scene = scene();
        injector = new Injector(scene, triggers);
        takeOvers = takeOvers(scene);
        boundary =
                new BoundaryHeldBack(
                        () -> servers.stream().map(s -> s.clock().highestToldMicros()).toList(),
                        cluster::committedBoundaries,
                        settings.retention().toNanos() / 1_000);
        silentFences = silentFences(new CommittedRegistry(cluster));
        slotPairs = new SlotPairs(new CommittedRegistry(cluster)::liveOnes);
        quiet =
                new QuietPhase(
                        timeline,
                        this::runUntil,
                        truth,
                        datacenters,
                        cluster,
                        checkers,
                        verdicts,
                        settings,
                        planned::done);
        watchBounds();
    }

    private GroundTruth truth(Additions additions) {
        return GroundTruth.make(
                timeline.random().split(),
                additions.emissions(),
                settings.datacenters(),
                Timeline.START_MICROS,
                settings.retention(),
                settings.unmatched());
    }

    private SilentFences silentFences(CommittedRegistry committed) {
        return new SilentFences(
                () -> committed.silentFences(timeline.nowNanos(), calls.listings()),
                settings.fenceAfter());
    }

    private RegistryHost server(HostPort address, List<HostPort> all) {
        return new RegistryHost(
                timeline, network, cluster, address, all, settings.batch(), verdicts::stopped);
    }

    private Surroundings surroundings(List<HostPort> registryServers, Additions additions) {
        return new Surroundings(
                timeline,
                network,
                settings.config(),
                settings.logsKept(),
                settings.joiners(),
                settings.journalSegmentBytes(),
                sharing.map(Sharing::work),
                additions.eventStores(),
                additions.compression(),
                registryServers,
                (life, host, loop) -> new SimulatedTransport(network, life, host, loop),
                triggers::passed,
                verdicts::stopped);
    }

    private Optional<TakeOvers> takeOvers(WorldScene scene) {
        return sharing.map(
                shared ->
                        new TakeOvers(
                                timeline,
                                scene.victims(),
                                triggers,
                                shared.random(),
                                shared.work().term()));
    }

    private WorldScene scene() {
        return new WorldScene(
                network,
                cluster,
                servers,
                datacenters,
                operators,
                calls,
                settings,
                checkers,
                timeline,
                verdicts,
                planned::retires);
    }

    private void add(SimulatedDatacenter datacenter) {
        datacenters.add(datacenter);
        datacenter.joiners().forEach(joiner -> joiner.watch(answers(datacenter)));
        datacenter
                .disk()
                .faults()
                .setInterruption(
                        (life, operation, path) -> {
                            triggers.before(life, operation, path);
                            if (operation == Operation.PUBLISH_UNLINK) {
                                // The name stands.
                                verdicts.note(checkers().onPublish(datacenter.name()));
                            }
                        });
    }

    private JoinerHost.Answered answers(SimulatedDatacenter datacenter) {
        return new JoinerHost.Answered() {
            @Override
            public void joined(List<Incarnation> by, List<EventId> ids) {
                answered(datacenter, by, ids);
            }

            @Override
            public void tooOld(List<Incarnation> by, List<EventId> ids) {
                checkers.onTooOld(by, ids);
            }
        };
    }

    private void answered(SimulatedDatacenter datacenter, List<Incarnation> by, List<EventId> ids) {
        if (samples.nextInt(ANSWERS_ONE_IN) == 0) {
            verdicts.note(checkers.onAnswered(datacenter.name(), by, ids));
        }
    }

    /** The constructor makes datacenters before their checkers. */
    private Checkers checkers() {
        return checkers;
    }

    private List<photon.simulation.checks.DatacenterFiles> checked() {
        List<photon.simulation.checks.DatacenterFiles> all = new ArrayList<>();
        for (SimulatedDatacenter datacenter : datacenters) {
            all.add(datacenter.checked());
        }
        return all;
    }

    private Optional<UnmatchedInTime> unmatchedInTime() {
        Map<String, UnmatchedInTime.Site> sites = new TreeMap<>();
        datacenters.forEach(one -> sites.put(one.name(), one.checkedSite()));
        return settings.unmatched().map(rule -> new UnmatchedInTime(truth, rule.after(), sites));
    }

    private void watchBounds() {
        int events = truth.identities().size() * settings.datacenters().size();
        for (SimulatedDatacenter datacenter : datacenters) {
            for (DispatcherHost dispatcher : datacenter.dispatchers()) {
                Supplier<DispatcherStatus> told =
                        () -> {
                            DispatcherStatus status = dispatcher.status();
                            return status == null ? DispatcherStatus.NOTHING : status;
                        };
                checkers.bounds()
                        .putDispatcher(
                                dispatcher.process(),
                                told,
                                settings.config().limits(),
                                sharing.map(s -> s.work().partitions()).orElse(1),
                                events);
            }
            for (JoinerHost joiner : datacenter.joiners()) {
                checkers.bounds()
                        .putJoiner(
                                joiner.process(),
                                joiner::status,
                                joiner.settings(),
                                () -> cluster.groups().size() - 1);
            }
            datacenter.hosts().forEach(host -> watchQueue(host.process(), host::life));
        }
        for (RegistryHost server : servers) {
            checkers.bounds().putRegistry(server.process(), server::loads, settings.batch());
            watchQueue(server.process(), server::life);
        }
    }

    private void watchQueue(String process, Supplier<@Nullable Life> life) {
        checkers.bounds()
                .put(
                        process + ": tasks queued",
                        () -> {
                            Life now = life.get();
                            return now == null ? 0 : now.longestQueue();
                        },
                        // What all joiners send waits at one registry server.
                        (long) QUEUE_MAX * settings.joiners());
    }

    // ---- the run

    /** Runs it to its end, or to the first violation. */
    SeedResult run(long seed) {
        start();
        if (warmUp()) {
            beginNanos = timeline.nowNanos();
            long end = beginNanos + GroundTruth.SPAN.toNanos();
            datacenters.forEach(d -> d.inputs().play(truth.inputs(), beginNanos));
            planned.begin();
            takeOvers.ifPresent(some -> some.begin(end));
            injector.schedule(
                    FaultPlan.draw(
                            timeline.random().split(),
                            beginNanos,
                            end,
                            busyNanos(),
                            truth.boundaryMoves(),
                            settings.logsKept().isPresent()));
            runUntil(end);
        }
        if (verdicts.clean()) {
            mendAll();
            quiet.run(beginNanos + truth.lastNanos());
        }
        return result(seed);
    }

    private List<Long> busyNanos() {
        return truth.inputs().stream().map(input -> beginNanos + input.atNanos()).toList();
    }

    private void start() {
        servers.forEach(server -> timeline.after(soon(), server::start));
        settings.wrongClockAtStart().ifPresent(micros -> servers.get(0).clock().jump(micros));
        for (SimulatedDatacenter datacenter : datacenters) {
            timeline.after(soon(), datacenter::startAll);
        }
        new FeatureLevels(timeline, cluster, servers).tellFor(settings);
        timeline.after(TICK, this::tick);
        timeline.after(LOOK, this::look);
    }

    /** Until the boundary stands: what is older was too old from the start. */
    private boolean warmUp() {
        while (verdicts.clean()) {
            if (cluster.committedShards().size()
                            >= settings.config().limits().registryShards().orElseThrow()
                    && cluster.committedShards().stream()
                            .allMatch(
                                    shard ->
                                            shard.boundaryMicros()
                                                    > truth.boundaryMicros() - MINUTE_MICROS)) {
                return true;
            }
            if (timeline.nowNanos() > WARM_UP_MAX.toNanos()) {
                verdicts.violated(
                        new InvariantViolation(
                                "I2", "the world does not begin to work", List.of()));
            }
            timeline.step();
        }
        return false;
    }

    private Duration soon() {
        return Duration.ofMillis(timeline.random().nextInt(2_000));
    }

    private void tick() {
        planned.tell(checkers);
        verdicts.note(checkers.everyTick());
        verdicts.note(boundary.check());
        verdicts.note(silentFences.check());
        verdicts.note(slotPairs.check());
        timeline.after(TICK, this::tick);
    }

    private void look() {
        verdicts.note(checkers.everyMinute());
        timeline.after(LOOK, this::look);
    }

    private boolean runUntil(long nanos) {
        while (verdicts.clean() && timeline.nowNanos() < nanos) {
            if (!timeline.stepUntil(nanos)) {
                break;
            }
            if (timeline.steps() % LOOK_AT_BOUNDS_EVERY == 0) {
                verdicts.note(checkers.everyTick());
            }
        }
        return verdicts.clean();
    }

    /** From now on nothing goes wrong. */
    private void mendAll() {
        injector.stop();
        takeOvers.ifPresent(TakeOvers::stop);
        timeline.trace().add("world", "all is mended");
        network.links().mend();
        servers.forEach(server -> server.clock().mend());
        datacenters.forEach(d -> d.hosts().forEach(host -> host.clock().mend()));
        cluster.calm();
        planned.calm();
        servers.forEach(RegistryHost::start);
        for (SimulatedDatacenter datacenter : datacenters) {
            datacenter.disk().faults().mend();
            datacenter.startAll();
        }
    }

    /** By the dispatchers that run in the end. */
    private long woken() {
        return datacenters.stream()
                .map(SimulatedDatacenter::dispatcherStatus)
                .filter(Objects::nonNull)
                .mapToLong(DispatcherStatus::woken)
                .sum();
    }

    private SeedResult result(long seed) {
        Totals totals = new Totals();
        totals.faults(injector.done());
        checkers.bounds()
                .met()
                .forEach(name -> totals.add("met." + name.substring(name.indexOf(": ") + 2), 1));
        totals.put("restarts", restarts());
        totals.put("rolls", new CommittedRegistry(cluster).rolls());
        totals.put("stoppedByFiles", verdicts.stoppedByFiles());
        totals.put("woken", woken());
        takeOvers.ifPresent(done -> totals.put("fellAsleepSharing", done.slept()));
        takeOvers.ifPresent(done -> totals.put("takeOvers", takeOversDone()));
        totals.put(
                "logsCompressed",
                datacenters.stream().mapToLong(d -> d.inputs().compressed()).sum());
        totals.put("messages", network.messages());
        totals.put("messagesLost", network.links().lost());
        totals.put("messagesRepeated", network.links().repeated());
        checkers.totals().forEach(totals::put);
        planned.addTo(totals);
        totals.put("commitsUnknown", cluster.counts().unknownSubmits());
        totals.put("elections", cluster.counts().elections());
        totals.put("reshardsCommitted", new CommittedRegistry(cluster).reshards());
        totals.put("epochsDropped", new CommittedRegistry(cluster).epochsDropped());
        totals.put("fencedForSilence", silentFences.count());
        totals.put("repaired", new CommittedRegistry(cluster).repaired());
        return new SeedResult(
                seed,
                verdicts.violations().stream()
                        .map(v -> new SeedResult.Violation(v.invariant(), v.text()))
                        .toList(),
                timeline.trace().hash(),
                timeline.trace().lines(),
                verdicts.clean() ? List.of() : Story.of(timeline.trace(), verdicts.violations()),
                totals.all(),
                timeline.nowNanos(),
                timeline.steps());
    }

    private long takeOversDone() {
        return datacenters.stream()
                .flatMap(datacenter -> datacenter.dispatchers().stream())
                .mapToLong(DispatcherHost::takings)
                .sum();
    }

    private long restarts() {
        long lives = 0;
        for (RegistryHost server : servers) {
            lives += server.lives() - 1;
        }
        for (SimulatedDatacenter datacenter : datacenters) {
            for (ProcessHost host : datacenter.hosts()) {
                lives += host.lives() - 1;
            }
        }
        return lives;
    }
}

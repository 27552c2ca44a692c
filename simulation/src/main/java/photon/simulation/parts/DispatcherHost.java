package photon.simulation.parts;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import photon.core.error.ConfigException;
import photon.core.rpc.HostPort;
import photon.core.rpc.SessionCaller;
import photon.core.trace.AttemptTracer;
import photon.dispatcher.DispatcherServer;
import photon.dispatcher.OtherPartitions;
import photon.dispatcher.StateEntrance;
import photon.dispatcher.StateEntrance.OpenedState;
import photon.dispatcher.flow.EventStoreCallers;
import photon.dispatcher.flow.Flow;
import photon.dispatcher.flow.FlowSettings;
import photon.dispatcher.flow.Loops;
import photon.dispatcher.flow.PartitionFlows;
import photon.dispatcher.flow.PartitionWork;
import photon.dispatcher.flow.RepairRowsHandler;
import photon.dispatcher.flow.StateFiles;
import photon.dispatcher.rules.Stagger;
import photon.dispatcher.state.DispatcherStatus;
import photon.dispatcher.state.StateDirectory;
import photon.proto.v1.JoinRequest;
import photon.proto.v1.JoinResponse;
import photon.registry.api.DispatcherStates;
import photon.registry.api.RegistryClient;
import photon.registry.client.RegistryConnection;
import photon.simulation.kernel.Life;
import photon.storage.files.StreamListing;
import photon.storage.lease.Node;
import photon.storage.lease.PartitionLeases;
import photon.storage.state.StatePartitions;
import photon.storage.tail.LogShare;
import photon.storage.tail.LogTail;

/** A datacenter's dispatcher as a process, wired as {@link DispatcherServer} wires it. */
public final class DispatcherHost extends ProcessHost {
    static final String ROLE = "dispatcher";
    public static final String ADD_REPAIR_ROWS = "AddRepairRows";

    /** A world has few files. */
    private static final int POSITIONS_MOVED_MAX = 1;

    private final HostPort address;
    private @Nullable Running running;
    private long takings;

    /** What serves. */
    private record Running(
            PartitionFlows flows, int partitions, Optional<PartitionLeases> leases) {}

    DispatcherHost(SimulatedSite site) {
        this(site, ROLE);
    }

    private DispatcherHost(SimulatedSite site, String name) {
        super(site, name);
        this.address = site.layout.address(name);
    }

    /** On another machine, with the same state. */
    static DispatcherHost second(SimulatedSite site) {
        return new DispatcherHost(site, ROLE + "-b");
    }

    @Override
    void open(Means means) {
        SimulatedOpenedPipeline.enter(
                this,
                means,
                admission -> {
                    Loops loops =
                            new Loops(
                                    means.main(),
                                    means.life().loop("reader"),
                                    means.life().loop("journal"));
                    enterState(
                            means,
                            admission,
                            state -> {
                                if (site.world.sharedWork().isPresent()) {
                                    share(means, loops, state, admission);
                                } else {
                                    attempt(
                                            means,
                                            loops.journal(),
                                            () -> claim(means, loops, state, admission));
                                }
                            });
                });
    }

    /** As production works where machines share a state. */
    private void share(
            Means means, Loops loops, OpenedState state, SimulatedOpenedPipeline admission) {
        Life life = means.life();
        PartitionFlows flows = serve(means, loops, state, admission);
        DispatcherStates registered = connect(means).states();
        SharedWork shared = site.world.sharedWork().orElseThrow();
        PartitionWork work =
                new PartitionWork(
                        state.partitions(),
                        means.files(),
                        loops,
                        List.of(life.loop("claims")),
                        flows,
                        state.identity(),
                        () ->
                                registered
                                        .registered(admission.pipeline(), site.datacenter())
                                        .thenApply(DispatcherStates.Registered::state),
                        site.world.journalSegmentBytes(),
                        life.bugHandler());
        PartitionLeases leases =
                PartitionLeases.join(
                        life.loop("lease"),
                        means.files(),
                        state.partitions(),
                        new Node(networkHost(), address.toString(), 1, shared.term().toMillis()),
                        life.random(),
                        new CountedWork(work),
                        life.bugHandler());
        if (life == life()) {
            running = new Running(flows, state.partitions().count(), Optional.of(leases));
        }
    }

    /** Counts what is taken. */
    private final class CountedWork implements PartitionLeases.Work {
        private final PartitionLeases.Work work;

        CountedWork(PartitionLeases.Work work) {
            this.work = work;
        }

        @Override
        public long lastNumber(int partition) throws IOException {
            return work.lastNumber(partition);
        }

        @Override
        public void begin(int partition, long number, Runnable failed) {
            takings++;
            work.begin(partition, number, failed);
        }

        @Override
        public void end(int partition, Runnable ended) {
            work.end(partition, ended);
        }
    }

    private void enterState(
            Means means, SimulatedOpenedPipeline admission, Consumer<OpenedState> then) {
        RegistryConnection connection = connect(means);
        new StateEntrance(
                        means.main(),
                        means.files(),
                        site.layout.state(ROLE),
                        site.world.sharedWork().map(SharedWork::partitions).orElse(1),
                        connection.states(),
                        admission.pipeline(),
                        site.datacenter(),
                        site.stateDeclaredLost(),
                        () ->
                                new UUID(
                                        means.life().random().nextLong(),
                                        means.life().random().nextLong()))
                .enter()
                .whenComplete(
                        // A task of its own: what it throws must reach the loop.
                        (state, failure) ->
                                means.main()
                                        .execute(
                                                () -> {
                                                    connection.close();
                                                    entered(means, state, failure, then);
                                                }));
    }

    private void entered(
            Means means,
            @Nullable OpenedState state,
            @Nullable Throwable failure,
            Consumer<OpenedState> then) {
        if (state != null) {
            then.accept(state);
        } else if (failure instanceof ConfigException || failure instanceof UncheckedIOException) {
            site.world.timeline().trace().add(process(), "does not start: %s", failure);
            means.life().end("it may not start");
        } else {
            throw new IllegalStateException("Expected a state, or a reason not to start", failure);
        }
    }

    private void claim(
            Means means, Loops loops, OpenedState opened, SimulatedOpenedPipeline admission)
            throws IOException {
        StatePartitions partitions = opened.partitions();
        StateFiles state =
                StateFiles.open(
                        means.files(),
                        new StateDirectory(partitions.directory(0)),
                        site.world.journalSegmentBytes());
        means.main()
                .execute(
                        () -> {
                            PartitionFlows flows = serve(means, loops, opened, admission);
                            flows.begin(0, state);
                            if (means.life() == life()) {
                                running = new Running(flows, 1, Optional.empty());
                            }
                        });
    }

    private PartitionFlows serve(
            Means means, Loops loops, OpenedState opened, SimulatedOpenedPipeline admission) {
        RegistryClient registry = connect(means).soleRegistry(admission.description());
        int partitions = opened.partitions().count();
        StreamListing listing = new StreamListing(means.files(), site.config.foreign(), partitions);
        PartitionFlows flows =
                new PartitionFlows(
                        means.main(),
                        partitions,
                        (partition, state) ->
                                flow(
                                        means,
                                        loops,
                                        partitions,
                                        state,
                                        registry,
                                        new LogTail(
                                                        means.files(),
                                                        site.config.foreign(),
                                                        new LogShare(listing, partition),
                                                        state.resume(),
                                                        means.life().clock())
                                                .lookForCopies(
                                                        new OtherPartitions(
                                                                means.files(),
                                                                opened.partitions(),
                                                                partition.index()))));
        site.world
                .network()
                .serve(
                        means.life(),
                        means.main(),
                        address,
                        ADD_REPAIR_ROWS,
                        new RepairRowsHandler(flows, opened.identity()));
        return flows;
    }

    private Flow flow(
            Means means,
            Loops loops,
            int flows,
            StateFiles state,
            RegistryClient registry,
            LogTail tail) {
        Life life = means.life();
        List<SessionCaller<JoinRequest, JoinResponse>> joiners = new ArrayList<>();
        for (int number = 0; number < site.world.joiners(); number++) {
            joiners.add(
                    site.world
                            .network()
                            .session(
                                    life,
                                    networkHost(),
                                    means.main(),
                                    site.layout.address(JoinerHost.role(number)),
                                    JoinerHost.JOIN));
        }
        return new Flow(
                new FlowSettings(
                        life.clock(),
                        life.random(),
                        new Stagger(
                                site.datacenter(),
                                site.config.datacenters(),
                                site.config.stagger()),
                        site.config.limits(),
                        flows,
                        DispatcherServer.CHECKPOINT_EVERY,
                        POSITIONS_MOVED_MAX,
                        AttemptTracer.OFF),
                loops,
                state,
                tail,
                joiners,
                eventStores(means),
                registry,
                crashPoints(life),
                life.bugHandler());
    }

    private EventStoreCallers eventStores(Means means) {
        return new EventStoreCallers(
                site.eventStores(),
                EventStoreHost.roles(site).stream()
                        .map(store -> eventStore(means, site.layout.address(store)))
                        .toList());
    }

    private EventStoreCallers.One eventStore(Means means, HostPort address) {
        return new EventStoreCallers.One(
                site.world
                        .network()
                        .caller(
                                means.life(),
                                networkHost(),
                                means.main(),
                                address,
                                EventStoreHost.FRONTIER,
                                DispatcherServer.frontierDeadline(site.eventStores())),
                site.world
                        .network()
                        .session(
                                means.life(),
                                networkHost(),
                                means.main(),
                                address,
                                EventStoreHost.AWAIT));
    }

    /** How it stands; null while it does not serve. */
    public @Nullable DispatcherStatus status() {
        Running now = running;
        return now == null ? null : now.flows().status();
    }

    /** How often it came to a partition that another one may have worked on. */
    public long takings() {
        return takings;
    }

    /** The partitions that it works on, of how many: of one that does not serve, none of none. */
    Worked worked() {
        Running now = running;
        return now == null
                ? new Worked(List.of(), 0)
                : new Worked(now.flows().partitions(), now.partitions());
    }

    /** Of {@link #worked}. */
    record Worked(List<Integer> partitions, int of) {}

    @Override
    void close(Life life) {
        Running now = running;
        if (now == null) {
            life.end("closed before it served");
        } else {
            now.leases().ifPresent(PartitionLeases::takeNoMore);
            Runnable end = () -> life.end("closed");
            Runnable leave = () -> now.leases().ifPresentOrElse(l -> l.leave(end), end);
            main(life).execute(() -> now.flows().stop(DispatcherServer.DRAIN, leave));
        }
    }

    @Override
    void gone() {
        running = null;
    }
}

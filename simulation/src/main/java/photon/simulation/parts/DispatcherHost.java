package photon.simulation.parts;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import photon.core.error.ConfigException;
import photon.core.rpc.HostPort;
import photon.core.rpc.SessionCaller;
import photon.dispatcher.DispatcherServer;
import photon.dispatcher.DispatcherStatus;
import photon.dispatcher.StateEntrance;
import photon.dispatcher.StateEntrance.OpenedState;
import photon.dispatcher.flow.EventStoreCallers;
import photon.dispatcher.flow.Flow;
import photon.dispatcher.flow.FlowSettings;
import photon.dispatcher.flow.Loops;
import photon.dispatcher.flow.RepairRowsHandler;
import photon.dispatcher.flow.StateFiles;
import photon.dispatcher.lease.StateLease;
import photon.dispatcher.rules.Stagger;
import photon.proto.v1.JoinRequest;
import photon.proto.v1.JoinResponse;
import photon.registry.api.RegistryClient;
import photon.registry.client.RegistryConnection;
import photon.simulation.kernel.Life;
import photon.storage.tail.LogTail;

/** A datacenter's dispatcher as a process, wired as {@link DispatcherServer} wires it. */
public final class DispatcherHost extends ProcessHost {
    static final String ROLE = "dispatcher";
    public static final String ADD_REPAIR_ROWS = "AddRepairRows";

    /** A world has few files. */
    private static final int POSITIONS_MOVED_MAX = 1;

    private final HostPort address;
    private @Nullable Flow flow;
    private @Nullable StateLease lease;
    private long takeOvers;

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
                                if (site.world.leaseTerm().isPresent()) {
                                    awaitLease(means, loops, state, admission);
                                } else {
                                    attempt(
                                            means,
                                            loops.journal(),
                                            () -> claim(means, loops, state, admission, null));
                                }
                            });
                });
    }

    /** As production waits for it where machines share a state. */
    private void awaitLease(
            Means means, Loops loops, OpenedState state, SimulatedOpenedPipeline admission) {
        StateLease waiting =
                StateLease.await(
                        means.life().loop("lease"),
                        means.files(),
                        state.directory(),
                        new StateLease.Holder(process(), address.toString()),
                        site.world.leaseTerm().orElseThrow(),
                        means.life().random(),
                        means.life().bugHandler());
        waiting.taken()
                .thenAccept(
                        held ->
                                means.main()
                                        .execute(
                                                () ->
                                                        enterState(
                                                                means,
                                                                admission,
                                                                now ->
                                                                        claimAgain(
                                                                                means, loops, state,
                                                                                now, admission,
                                                                                held))));
    }

    private void claimAgain(
            Means means,
            Loops loops,
            OpenedState awaited,
            OpenedState now,
            SimulatedOpenedPipeline admission,
            StateLease held) {
        if (now.identity().equals(awaited.identity())) {
            attempt(means, loops.journal(), () -> claim(means, loops, now, admission, held));
        } else {
            means.life().end("the state that it waited for was lost");
        }
    }

    private void enterState(
            Means means, SimulatedOpenedPipeline admission, Consumer<OpenedState> then) {
        RegistryConnection connection = connect(means);
        new StateEntrance(
                        means.main(),
                        means.files(),
                        site.layout.state(ROLE),
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
            Means means,
            Loops loops,
            OpenedState opened,
            SimulatedOpenedPipeline admission,
            @Nullable StateLease held)
            throws IOException {
        long segmentBytes = site.world.journalSegmentBytes();
        StateFiles state =
                held == null
                        ? StateFiles.open(means.files(), opened.directory(), segmentBytes)
                        : StateFiles.openAs(
                                held.number(), means.files(), opened.directory(), segmentBytes);
        means.main()
                .execute(
                        () -> {
                            begin(means, loops, opened.identity(), state, admission);
                            if (means.life() == life()) {
                                lease = held;
                                takeOvers += held == null ? 0 : 1;
                            }
                        });
    }

    private void begin(
            Means means,
            Loops loops,
            UUID identity,
            StateFiles state,
            SimulatedOpenedPipeline admission) {
        Life life = means.life();
        RegistryClient registry = connect(means).soleRegistry(admission.description());
        LogTail tail =
                new LogTail(
                        means.files(),
                        site.config.foreign(),
                        state.resume(),
                        site.config.foreign().input().listEvery(),
                        life.clock());
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
        Flow made =
                new Flow(
                        new FlowSettings(
                                life.clock(),
                                life.random(),
                                new Stagger(
                                        site.datacenter(),
                                        site.config.datacenters(),
                                        site.config.stagger()),
                                site.config.limits(),
                                DispatcherServer.CHECKPOINT_EVERY,
                                POSITIONS_MOVED_MAX),
                        loops,
                        state,
                        tail,
                        joiners,
                        eventStore(means),
                        registry,
                        crashPoints(life),
                        life.bugHandler());
        site.world
                .network()
                .serve(
                        life,
                        means.main(),
                        address,
                        ADD_REPAIR_ROWS,
                        new RepairRowsHandler(made, identity));
        made.start();
        if (life == life()) {
            flow = made;
        }
    }

    private EventStoreCallers eventStore(Means means) {
        HostPort address = site.layout.address(EventStoreHost.ROLE);
        return new EventStoreCallers(
                site.world
                        .network()
                        .caller(
                                means.life(),
                                networkHost(),
                                means.main(),
                                address,
                                EventStoreHost.FRONTIER,
                                DispatcherServer.FRONTIER_DEADLINE),
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
        Flow now = flow;
        return now == null ? null : now.status();
    }

    /** How often it came to a state that another one may have worked with. */
    public long takeOvers() {
        return takeOvers;
    }

    /** Of the lease with which it works; 0: without one. */
    long number() {
        StateLease held = lease;
        return held == null ? 0 : held.number();
    }

    @Override
    void close(Life life) {
        Flow now = flow;
        StateLease held = lease;
        if (now == null) {
            life.end("closed before it served");
        } else {
            Runnable end = () -> life.end("closed");
            main(life)
                    .execute(
                            () ->
                                    now.stop(
                                            DispatcherServer.DRAIN,
                                            held == null ? end : () -> held.release(end)));
        }
    }

    @Override
    void gone() {
        flow = null;
        lease = null;
    }
}

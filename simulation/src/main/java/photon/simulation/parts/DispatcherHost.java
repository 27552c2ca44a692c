package photon.simulation.parts;

import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import photon.core.rpc.SessionCaller;
import photon.dispatcher.DispatcherServer;
import photon.dispatcher.DispatcherStatus;
import photon.dispatcher.StateDirectory;
import photon.dispatcher.flow.Flow;
import photon.dispatcher.flow.FlowSettings;
import photon.dispatcher.flow.Loops;
import photon.dispatcher.flow.RepairRowsHandler;
import photon.dispatcher.flow.StateFiles;
import photon.dispatcher.rules.Stagger;
import photon.proto.v1.JoinRequest;
import photon.proto.v1.JoinResponse;
import photon.registry.api.RegistryClient;
import photon.simulation.kernel.Life;
import photon.storage.tail.LogTail;

/** A datacenter's dispatcher as a process, wired as {@link DispatcherServer} wires it. */
public final class DispatcherHost extends ProcessHost {
    static final String ROLE = "dispatcher";
    public static final String ADD_REPAIR_ROWS = "AddRepairRows";

    private @Nullable Flow flow;

    DispatcherHost(SimulatedSite site) {
        super(site, ROLE);
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
                    attempt(means, loops.journal(), () -> claim(means, loops, admission));
                });
    }

    private void claim(Means means, Loops loops, SimulatedOpenedPipeline admission)
            throws IOException {
        StateFiles state =
                StateFiles.open(means.files(), new StateDirectory(site.layout.state(ROLE)));
        means.main().execute(() -> begin(means, loops, state, admission));
    }

    private void begin(
            Means means, Loops loops, StateFiles state, SimulatedOpenedPipeline admission) {
        Life life = means.life();
        RegistryClient registry = connect(means).soleRegistry(admission.description());
        LogTail tail =
                new LogTail(
                        means.files(),
                        site.config.foreign(),
                        state.resume(),
                        DispatcherServer.RESCAN);
        SessionCaller<JoinRequest, JoinResponse> joiner =
                site.world
                        .network()
                        .session(
                                life,
                                networkHost(),
                                means.main(),
                                site.layout.address(JoinerHost.ROLE),
                                JoinerHost.JOIN);
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
                                DispatcherServer.CHECKPOINT_EVERY),
                        loops,
                        state,
                        tail,
                        List.of(joiner),
                        registry,
                        crashPoints(life),
                        life.bugHandler());
        site.world
                .network()
                .serve(
                        life,
                        means.main(),
                        site.layout.address(ROLE),
                        ADD_REPAIR_ROWS,
                        new RepairRowsHandler(made));
        made.start();
        if (life == life()) {
            flow = made;
        }
    }

    /** How it stands; null while it does not serve. */
    public @Nullable DispatcherStatus status() {
        Flow now = flow;
        return now == null ? null : now.status();
    }

    @Override
    void close(Life life) {
        Flow now = flow;
        if (now == null) {
            life.end("closed before it served");
        } else {
            main(life).execute(() -> now.stop(DispatcherServer.DRAIN, () -> life.end("closed")));
        }
    }

    @Override
    void gone() {
        flow = null;
    }
}

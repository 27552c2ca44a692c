package photon.simulation.parts;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import photon.core.rpc.Caller;
import photon.core.rpc.FollowingCaller;
import photon.core.rpc.HostPort;
import photon.dispatcher.lease.DispatcherAddress;
import photon.proto.v1.AddRepairRowsRequest;
import photon.proto.v1.AddRepairRowsResponse;
import photon.registry.client.RegistryConnection;
import photon.simulation.kernel.Life;
import photon.storage.output.OutputDirectory;
import photon.verifier.repair.RepairLimits;
import photon.verifier.repair.RepairServer;
import photon.verifier.repair.RepairSettings;
import photon.verifier.repair.RepairStatus;
import photon.verifier.runs.IdRuns;
import photon.verifier.source.ForeignLogs;
import photon.verifier.source.IdHolders;
import photon.verifier.source.OutputFiles;
import photon.verifier.source.RegisteredState;

/** A datacenter's repair as a process, wired as the CLI's verifier role wires it. */
public final class VerifierHost extends ProcessHost {
    static final String ROLE = "verifier";

    /** As in production. */
    private static final Duration ROWS_DEADLINE = Duration.ofSeconds(30);

    /** So little memory that the few ids of a world go through scratch files, too. */
    private static final RepairLimits LIMITS =
            RepairLimits.DEFAULTS.withPublished(new IdRuns.Limits(4, 3));

    private @Nullable RepairServer server;

    VerifierHost(SimulatedSite site) {
        super(site, ROLE);
    }

    @Override
    void open(Means means) {
        SimulatedOpenedPipeline.enter(
                this,
                means,
                admission ->
                        attempt(
                                means,
                                means.main(),
                                () ->
                                        begin(
                                                means,
                                                admission,
                                                JoinerHost.openOutput(
                                                        site,
                                                        means,
                                                        admission,
                                                        crashPoints(means.life())))));
    }

    private void begin(Means means, SimulatedOpenedPipeline admission, OutputDirectory output) {
        Life life = means.life();
        String state = site.layout.state(ROLE);
        RegistryConnection registry = connect(means);
        RepairServer made =
                RepairServer.start(
                        new RepairSettings(
                                site.datacenter(),
                                admission.pipeline(),
                                state,
                                site.layout.ledger(ROLE),
                                state + "/scratch",
                                site.layout.state(DispatcherHost.ROLE),
                                site.config.repair().giveUpAfter(),
                                site.config.repair().fenceAfter(),
                                site.world.logsKept(),
                                site.config.limits().keepLedgers(),
                                RepairSettings.DEFAULT_INTERVAL,
                                LIMITS),
                        means.main(),
                        means.files(),
                        registry.control(),
                        IdHolders.of(registry::registry),
                        RegisteredState.of(
                                registry.states(), admission.pipeline(), site.datacenter()),
                        OutputFiles.of(output),
                        ForeignLogs.of(means.files(), site.config.foreign(), means.life().clock()),
                        dispatcher(means),
                        crashPoints(life),
                        life.clock());
        if (life == life()) {
            server = made;
        }
    }

    private Caller<AddRepairRowsRequest, AddRepairRowsResponse> dispatcher(Means means) {
        HostPort usual = site.layout.address(DispatcherHost.ROLE);
        if (site.world.sharedWork().isEmpty()) {
            return dispatcher(means, usual);
        }
        String home = site.layout.state(DispatcherHost.ROLE);
        return new FollowingCaller<>(
                new DispatcherAddress(means.files(), home, usual), at -> dispatcher(means, at));
    }

    private Caller<AddRepairRowsRequest, AddRepairRowsResponse> dispatcher(
            Means means, HostPort at) {
        return site.world
                .network()
                .caller(
                        means.life(),
                        networkHost(),
                        means.main(),
                        at,
                        DispatcherHost.ADD_REPAIR_ROWS,
                        ROWS_DEADLINE);
    }

    /** How it stands; null while it does not run. */
    public @Nullable RepairStatus status() {
        RepairServer now = server;
        return now == null ? null : now.status();
    }

    @Override
    void gone() {
        server = null;
    }
}

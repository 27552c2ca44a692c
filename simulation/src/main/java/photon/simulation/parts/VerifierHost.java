package photon.simulation.parts;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import photon.proto.v1.AddRepairRowsRequest;
import photon.proto.v1.AddRepairRowsResponse;
import photon.simulation.kernel.Life;
import photon.storage.output.OutputDirectory;
import photon.verifier.repair.RepairServer;
import photon.verifier.repair.RepairSettings;
import photon.verifier.repair.RepairStatus;
import photon.verifier.source.ForeignLogs;
import photon.verifier.source.OutputFiles;

/** A datacenter's repair as a process, wired as the CLI's verifier role wires it. */
public final class VerifierHost extends ProcessHost {
    static final String ROLE = "verifier";

    /** As in production. */
    private static final Duration ROWS_DEADLINE = Duration.ofSeconds(30);

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
        RepairServer made =
                RepairServer.start(
                        new RepairSettings(
                                site.datacenter(),
                                admission.pipeline(),
                                state,
                                site.layout.ledger(ROLE)),
                        means.main(),
                        means.files(),
                        connect(means).control(),
                        OutputFiles.of(output),
                        ForeignLogs.of(means.files(), site.config.foreign()),
                        site.world
                                .network()
                                .<AddRepairRowsRequest, AddRepairRowsResponse>caller(
                                        life,
                                        networkHost(),
                                        means.main(),
                                        site.layout.address(DispatcherHost.ROLE),
                                        DispatcherHost.ADD_REPAIR_ROWS,
                                        ROWS_DEADLINE),
                        crashPoints(life),
                        life.clock());
        if (life == life()) {
            server = made;
        }
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

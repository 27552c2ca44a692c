package photon.server.roles;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import photon.core.id.Incarnation;
import photon.registry.api.ControlClient.IncarnationInfo;
import photon.registry.api.ControlClient.IncarnationState;
import photon.server.datacenters.DatacenterPaths;
import photon.server.roles.RepairReport.Repair;
import photon.storage.files.MemoryFileStore;
import photon.verifier.repair.RepairStatus;
import photon.verifier.repair.SilenceStatus;
import photon.verifier.repair.TroubledRepair;
import photon.verifier.repair.WaitingRepair;

class RepairReportTest {
    private static final Incarnation DEAD = new Incarnation(1, 2);

    private final MemoryFileStore files = new MemoryFileStore();

    /** As another machine of the datacenter sees it: what lies there alone is the shared state. */
    private final DatacenterPaths elsewhere =
            new DatacenterPaths("east", Path.of("/of-this-machine/east"), "/shared/east", "/out");

    @Test
    void whatARepairWaitsForIsSeenFromEachMachineOfTheDatacenter() throws IOException {
        assertThat(state()).isEqualTo("to be repaired");
        leave(status("the directory /a is not there"));
        leave(status("the directory /b is not there"));
        assertThat(state()).isEqualTo("waiting");
        assertThat(repair().waiting().orElseThrow().path("reason").asText())
                .isEqualTo("the directory /b is not there");
        leave(RepairStatus.NOTHING_KNOWN);
        assertThat(state()).isEqualTo("to be repaired");
    }

    /** What a person has to look at must not look like one that is queued. */
    @Test
    void anAlarmOfARepairIsSeenAsItsState() throws IOException {
        leave(alarm(true, "a.jsonl is missing"));
        assertThat(state()).isEqualTo("stopped");
        assertThat(repair().troubled().orElseThrow().path("alarm").asText())
                .isEqualTo("a.jsonl is missing");
        leave(alarm(false, "has failed 3 times"));
        assertThat(state()).isEqualTo("failing");
    }

    private void leave(RepairStatus status) throws IOException {
        RepairReport.leave(files, elsewhere.verifier(), status, 1_000_000);
    }

    @Test
    void aVerifierThatIsSilentForAMinuteOrWasNeverHeardIsOutdated() throws IOException {
        assertThat(RepairReport.read(files, elsewhere).isOutdated(1_000_000)).isTrue();
        leave(RepairStatus.NOTHING_KNOWN);
        RepairReport report = RepairReport.read(files, elsewhere);
        assertThat(report.isOutdated(1_060_000)).isFalse();
        assertThat(report.isOutdated(1_061_000)).isTrue();
        assertThat(report.secondsAgo(1_061_000)).hasValue(61);
        assertThat(report.secondsAgo(900_000)).as("by a clock that is behind").hasValue(0);
    }

    private static RepairStatus alarm(boolean stopped, String text) {
        return new RepairStatus(
                0,
                1,
                stopped ? 0 : 1,
                0,
                0,
                List.of(text),
                0,
                List.of(),
                true,
                SilenceStatus.NONE,
                List.of(new TroubledRepair(DEAD, stopped, text)));
    }

    private String state() throws IOException {
        return repair().state();
    }

    private Repair repair() throws IOException {
        return RepairReport.read(files, elsewhere).of(List.of(dead())).get(0);
    }

    private static RepairStatus status(String reason) {
        return new RepairStatus(
                0,
                0,
                0,
                0,
                0,
                List.of(),
                0,
                List.of(new WaitingRepair(DEAD, "east/joiner-0", 1, 90, -1, reason)),
                false);
    }

    private static IncarnationInfo dead() {
        return new IncarnationInfo(
                DEAD, "east/joiner-0", IncarnationState.OPEN, true, "h:1", 1, 1, "o");
    }
}

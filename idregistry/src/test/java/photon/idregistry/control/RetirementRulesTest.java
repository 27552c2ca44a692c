package photon.idregistry.control;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import photon.core.hash.Sha256;
import photon.idregistry.replicated.MemorySnapshot;
import photon.idregistry.replicated.Stamps;
import photon.idregistry.replicated.StateFile;
import photon.proto.v1.AdmitDiskRequest;
import photon.proto.v1.AuditKind;
import photon.proto.v1.DatacenterReport;
import photon.proto.v1.DatacenterSeen;
import photon.proto.v1.FenceIncarnationRequest;
import photon.proto.v1.FirstRoster;
import photon.proto.v1.Incarnation;
import photon.proto.v1.IncarnationInfo;
import photon.proto.v1.IncarnationState;
import photon.proto.v1.OpenPipelineRequest;
import photon.proto.v1.RegisterDispatcherStateRequest;
import photon.proto.v1.RegisterDispatcherStateResponse;
import photon.proto.v1.RegisterRequest;
import photon.proto.v1.RegisterResponse;
import photon.proto.v1.ReopenIncarnationRequest;
import photon.proto.v1.ReopenIncarnationResponse;
import photon.proto.v1.ReportState;
import photon.proto.v1.RestoreBegin;
import photon.proto.v1.RestorePhase;
import photon.proto.v1.RestorePiece;
import photon.proto.v1.RestoreRequest;
import photon.proto.v1.RetireDatacenterRequest;
import photon.proto.v1.RetireDatacenterResponse;
import photon.proto.v1.RetireDatacenterResponse.Verdict;
import photon.proto.v1.SetIncarnationStateRequest;
import photon.proto.v1.Stamp;
import photon.registry.api.RegistryProtos;

/** When a datacenter may take part no more, and that it never does again. */
final class RetirementRulesTest {
    private static final UUID ADS = new UUID(0, 1);
    private static final UUID A = new UUID(0, 100);
    private static final UUID B = new UUID(0, 101);
    private static final Stamp STAMP =
            Stamp.newBuilder()
                    .setActor("anna@ops")
                    .setEarliestMicros(40)
                    .setLatestMicros(50)
                    .build();

    private ControlState control = new ControlState();
    private long index;

    @BeforeEach
    void aPipelineOfTwo() throws IOException {
        apply(
                ControlEntries.openPipeline(
                        OpenPipelineRequest.newBuilder()
                                .setName("ads")
                                .setUuid(RegistryProtos.bytes(ADS))
                                .setIdentityFingerprint("f")
                                .setShards(1)
                                .build()));
        live("east/joiner-0");
    }

    private byte[] apply(byte[] entry) {
        return control.apply(++index, ByteBuffer.wrap(Stamps.stamped(STAMP, entry)));
    }

    private RegisterResponse registration(String slot) throws InvalidProtocolBufferException {
        return RegisterResponse.parseFrom(
                apply(
                        ControlEntries.register(
                                RegisterRequest.newBuilder()
                                        .setPipeline(RegistryProtos.bytes(ADS))
                                        .setSlotName(slot)
                                        .setNonce(ByteString.copyFromUtf8("n" + index))
                                        .setIdentityFingerprint("f")
                                        .setOutputId("out-" + slot.charAt(0))
                                        .build())));
    }

    private Incarnation live(String slot) throws InvalidProtocolBufferException {
        return registration(slot).getIncarnation();
    }

    private void settle(Incarnation incarnation, IncarnationState as, @Nullable UUID rows) {
        settle(incarnation, as, rows, 0);
    }

    private void settle(
            Incarnation incarnation, IncarnationState as, @Nullable UUID rows, int reopened) {
        apply(
                ControlEntries.setState(
                        SetIncarnationStateRequest.newBuilder()
                                .setPipeline(RegistryProtos.bytes(ADS))
                                .setIncarnation(incarnation)
                                .setState(as)
                                .setRowsIn(RegistryProtos.bytesOrNone(rows))
                                .setTimesReopened(reopened)
                                .build()));
    }

    private void fence(Incarnation incarnation) {
        apply(
                ControlEntries.fenceIncarnation(
                        FenceIncarnationRequest.newBuilder()
                                .setPipeline(RegistryProtos.bytes(ADS))
                                .setIncarnation(incarnation)
                                .build()));
    }

    private Incarnation closed(String slot) throws InvalidProtocolBufferException {
        Incarnation incarnation = live(slot);
        settle(incarnation, IncarnationState.CLEAN, null);
        return incarnation;
    }

    private ReopenIncarnationResponse reopen(Incarnation incarnation, boolean fileLost)
            throws InvalidProtocolBufferException {
        return ReopenIncarnationResponse.parseFrom(
                apply(
                        ControlEntries.reopenIncarnation(
                                ReopenIncarnationRequest.newBuilder()
                                        .setPipeline(RegistryProtos.bytes(ADS))
                                        .setIncarnation(incarnation)
                                        .setFileLost(fileLost)
                                        .build())));
    }

    private RegisterDispatcherStateResponse state(UUID state, @Nullable UUID lost)
            throws InvalidProtocolBufferException {
        return RegisterDispatcherStateResponse.parseFrom(
                apply(
                        ControlEntries.registerState(
                                RegisterDispatcherStateRequest.newBuilder()
                                        .setPipeline(RegistryProtos.bytes(ADS))
                                        .setDatacenter("west")
                                        .setState(RegistryProtos.bytes(state))
                                        .setLost(RegistryProtos.bytesOrNone(lost))
                                        .build())));
    }

    private static DatacenterSeen seen(long generations, long reopened, @Nullable UUID state) {
        return DatacenterSeen.newBuilder()
                .setGenerations(generations)
                .setReopened(reopened)
                .setState(RegistryProtos.bytesOrNone(state))
                .build();
    }

    private RetireDatacenterResponse retire(String datacenter, DatacenterSeen seen)
            throws InvalidProtocolBufferException {
        return RetireDatacenterResponse.parseFrom(
                apply(
                        ControlEntries.retireDatacenter(
                                RetireDatacenterRequest.newBuilder()
                                        .setPipeline(RegistryProtos.bytes(ADS))
                                        .setDatacenter(datacenter)
                                        .setSeen(seen)
                                        .build())));
    }

    @Test
    void whatIsOpenMayHoldEventsThatNobodyElseWrites() throws IOException {
        Incarnation one = live("west/joiner-0");
        RetireDatacenterResponse live = retire("west", seen(1, 0, null));
        assertThat(live.getVerdict()).isEqualTo(Verdict.INCARNATIONS_OPEN);
        assertThat(live.getOpenList())
                .extracting(IncarnationInfo::getIncarnation)
                .containsExactly(one);
        fence(one);
        assertThat(retire("west", seen(1, 0, null)).getVerdict())
                .as("not repaired")
                .isEqualTo(Verdict.INCARNATIONS_OPEN);
        settle(one, IncarnationState.REPAIRED, null);
        assertThat(retire("west", seen(1, 0, null)).getVerdict()).isEqualTo(Verdict.RETIRED);
        assertThat(control.describe("ads").orElseThrow().datacenters())
                .containsExactly("east", "west");
    }

    @Test
    void theFirstWordStandsAndSaysWhenAndByWhom() throws IOException {
        closed("west/joiner-0");
        RetireDatacenterResponse first = retire("west", seen(1, 0, null));
        assertThat(first.getBefore()).isFalse();
        assertThat(first.getRetired().getRetiredMicros()).isEqualTo(50);
        assertThat(first.getRetired().getActor()).isEqualTo("anna@ops");
        RetireDatacenterResponse again = retire("west", seen(99, 9, A));
        assertThat(again.getVerdict()).isEqualTo(Verdict.RETIRED);
        assertThat(again.getBefore()).isTrue();
        assertThat(again.getRetired()).isEqualTo(first.getRetired());
        assertThat(control.audit())
                .filteredOn(row -> row.getKind() == AuditKind.AUDIT_DATACENTER_RETIRED)
                .singleElement()
                .extracting(row -> row.getDetail())
                .isEqualTo("west, of 1 incarnations");
    }

    @Test
    void aRowThatMayHaveComeBehindTheLookAtTheJournalChangesNothing() throws IOException {
        assertThat(state(A, null).getVerdict())
                .isEqualTo(RegisterDispatcherStateResponse.Verdict.REGISTERED);
        Incarnation first = live("west/joiner-0");
        fence(first);
        settle(first, IncarnationState.REPAIRED, A);
        DatacenterSeen looked = seen(1, 0, A);

        closed("west/joiner-0");
        assertThat(retire("west", looked).getVerdict())
                .as("one has run since")
                .isEqualTo(Verdict.SEEN_CHANGED);
        assertThat(reopen(first, false).getState()).isEqualTo(IncarnationState.OPEN);
        settle(first, IncarnationState.REPAIRED, A, 1);
        assertThat(retire("west", seen(2, 0, A)).getVerdict())
                .as("one was repaired again since")
                .isEqualTo(Verdict.SEEN_CHANGED);
        assertThat(retire("west", seen(2, 1, B)).getVerdict())
                .as("another journal")
                .isEqualTo(Verdict.SEEN_CHANGED);
        assertThat(retire("west", seen(2, 1, A)).getVerdict()).isEqualTo(Verdict.RETIRED);
    }

    @Test
    void nothingOfARetiredDatacenterComesBack() throws IOException {
        state(A, null);
        Incarnation clean = closed("west/joiner-0");
        Incarnation repaired = live("west/joiner-1");
        fence(repaired);
        settle(repaired, IncarnationState.REPAIRED, A);
        retire("west", seen(2, 0, A));

        for (String slot : new String[] {"west/joiner-0", "west/joiner-0~b", "west/new"}) {
            RegisterResponse refused = registration(slot);
            assertThat(refused.getVerdict()).isEqualTo(RegisterResponse.Verdict.DATACENTER_RETIRED);
            assertThat(refused.getRetired().getDatacenter()).isEqualTo("west");
        }
        assertThat(registration("westward/joiner-0").getVerdict())
                .as("another name")
                .isEqualTo(RegisterResponse.Verdict.REGISTERED);
        assertThat(state(B, A).getVerdict())
                .isEqualTo(RegisterDispatcherStateResponse.Verdict.DATACENTER_RETIRED);
        assertThat(reopen(clean, true).getState()).isEqualTo(IncarnationState.CLEAN);
        assertThat(reopen(repaired, false).getState()).isEqualTo(IncarnationState.REPAIRED);
    }

    @Test
    void oneDatacenterIsLeft() throws IOException {
        assertThat(retire("north", seen(0, 0, null)).getVerdict())
                .isEqualTo(Verdict.UNKNOWN_DATACENTER);
        assertThat(retire("east", seen(1, 0, null)).getVerdict())
                .isEqualTo(Verdict.LAST_DATACENTER);
        closed("west/joiner-0");
        retire("west", seen(1, 0, null));
        assertThat(retire("east", seen(1, 0, null)).getVerdict())
                .as("west does not count")
                .isEqualTo(Verdict.LAST_DATACENTER);
    }

    @Test
    void aSnapshotKnowsIt() throws IOException {
        closed("west/joiner-0");
        retire("west", seen(1, 0, null));
        ControlState copy = new ControlState();
        copy.restore(MemorySnapshot.of(control, null));
        control = copy;
        assertThat(retire("west", seen(1, 0, null)).getBefore()).isTrue();
        assertThat(registration("west/joiner-0").getVerdict())
                .isEqualTo(RegisterResponse.Verdict.DATACENTER_RETIRED);
    }

    private void everyServerUnderstands(int level) {
        apply(ControlEntries.firstRoster(FirstRoster.newBuilder().addServers("r0").build()));
        apply(
                ControlEntries.admitDisk(
                        AdmitDiskRequest.newBuilder()
                                .setName("r0")
                                .setDisk(RegistryProtos.bytes(new UUID(7, 7)))
                                .setNumber(1)
                                .setFeatureLevel(level)
                                .build()));
    }

    private byte[] backup() throws IOException {
        try (InputStream in = MemorySnapshot.of(control, null).file(StateFile.NAME).open()) {
            return in.readAllBytes();
        }
    }

    private void restore(byte[] backup, String listed) {
        ByteString id = RegistryProtos.bytes(new UUID(9, 9));
        apply(
                ControlEntries.restore(
                        RestoreRequest.newBuilder()
                                .setRestore(id)
                                .setBegin(
                                        RestoreBegin.newBuilder()
                                                .setBytes(backup.length)
                                                .setSha256(Sha256.of(backup))
                                                .addDatacenters(listed))
                                .build()));
        apply(
                ControlEntries.restore(
                        RestoreRequest.newBuilder()
                                .setRestore(id)
                                .setPiece(
                                        RestorePiece.newBuilder()
                                                .setBytes(ByteString.copyFrom(backup)))
                                .build()));
        assertThat(control.restoreStatus().getPhase()).isEqualTo(RestorePhase.RESTORE_LOADING);
    }

    private IncarnationState stateOf(Incarnation incarnation) {
        return control.incarnations(ADS, "").stream()
                .filter(info -> info.getIncarnation().equals(incarnation))
                .findFirst()
                .orElseThrow()
                .getState();
    }

    @Test
    void aRestoreKnowsItAndReopensNothingOfItWhereEveryServerUnderstandsThat() throws IOException {
        Incarnation repaired = live("west/joiner-0");
        fence(repaired);
        settle(repaired, IncarnationState.REPAIRED, null);
        retire("west", seen(1, 0, null));
        byte[] backup = backup();
        for (int level = 1; level <= 2; level++) {
            control = new ControlState();
            everyServerUnderstands(level);
            restore(backup, "west");
            assertThat(control.describe("ads").orElseThrow().retired())
                    .as("level " + level)
                    .hasSize(level - 1);
            assertThat(stateOf(repaired))
                    .as("level " + level)
                    .isEqualTo(level == 1 ? IncarnationState.OPEN : IncarnationState.REPAIRED);
        }
    }

    /** Its output has ids that the backup may lack: they would be joined once more. */
    @Test
    void aRestoreWaitsForItsReportThoughNobodyListsIt() throws IOException {
        closed("west/joiner-0");
        retire("west", seen(1, 0, null));
        byte[] backup = backup();
        control = new ControlState();
        everyServerUnderstands(2);
        restore(backup, "east");
        assertThat(control.describe("ads").orElseThrow().retired()).hasSize(1);
        assertThat(control.restoreStatus().getReportsList())
                .allMatch(report -> report.getState() == ReportState.REPORT_WAITED_FOR)
                .extracting(DatacenterReport::getDatacenter)
                .containsExactlyInAnyOrder("east", "west");
    }
}

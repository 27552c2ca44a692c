package photon.idregistry.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import photon.idregistry.replicated.MemorySnapshot;
import photon.idregistry.replicated.Stamps;
import photon.proto.v1.AuditKind;
import photon.proto.v1.FenceIncarnationRequest;
import photon.proto.v1.Incarnation;
import photon.proto.v1.IncarnationInfo;
import photon.proto.v1.IncarnationState;
import photon.proto.v1.OpenPipelineRequest;
import photon.proto.v1.PassedTime;
import photon.proto.v1.PipelineSettings;
import photon.proto.v1.RegisterDispatcherStateRequest;
import photon.proto.v1.RegisterDispatcherStateResponse;
import photon.proto.v1.RegisterDispatcherStateResponse.Verdict;
import photon.proto.v1.RegisterRequest;
import photon.proto.v1.RegisterResponse;
import photon.proto.v1.RenewIncarnationRequest;
import photon.proto.v1.ReopenIncarnationRequest;
import photon.proto.v1.ReopenIncarnationResponse;
import photon.proto.v1.SetIncarnationStateRequest;
import photon.proto.v1.SetIncarnationStateResponse;
import photon.proto.v1.Stamp;
import photon.registry.api.RegistryProtos;

/** Which state a dispatcher works with, and what is repaired once more when it is lost. */
final class StateRulesTest {
    private static final UUID ADS = new UUID(0, 1);
    private static final UUID A = new UUID(0, 100);
    private static final UUID B = new UUID(0, 101);
    private static final UUID C = new UUID(0, 102);

    private ControlState control = new ControlState();
    private long index;

    @BeforeEach
    void aPipeline() {
        apply(
                ControlEntries.openPipeline(
                        OpenPipelineRequest.newBuilder()
                                .setName("ads")
                                .setUuid(RegistryProtos.bytes(ADS))
                                .setIdentityFingerprint("f")
                                .setShards(1)
                                .setSettings(PipelineSettings.newBuilder().setRetentionMicros(10))
                                .build()));
    }

    private byte[] apply(byte[] entry) {
        return control.apply(++index, ByteBuffer.wrap(entry));
    }

    private RegisterDispatcherStateResponse state(
            String datacenter, @Nullable UUID state, @Nullable UUID lost)
            throws InvalidProtocolBufferException {
        return RegisterDispatcherStateResponse.parseFrom(
                apply(
                        ControlEntries.registerState(
                                RegisterDispatcherStateRequest.newBuilder()
                                        .setPipeline(RegistryProtos.bytes(ADS))
                                        .setDatacenter(datacenter)
                                        .setState(RegistryProtos.bytesOrNone(state))
                                        .setLost(RegistryProtos.bytesOrNone(lost))
                                        .build())));
    }

    private Incarnation fenced(String slot) throws InvalidProtocolBufferException {
        Incarnation incarnation = live(slot);
        fence(incarnation);
        return incarnation;
    }

    private void fence(Incarnation incarnation) {
        apply(
                ControlEntries.fenceIncarnation(
                        FenceIncarnationRequest.newBuilder()
                                .setPipeline(RegistryProtos.bytes(ADS))
                                .setIncarnation(incarnation)
                                .build()));
    }

    private IncarnationState repaired(Incarnation incarnation, @Nullable UUID rows, int reopened)
            throws InvalidProtocolBufferException {
        return SetIncarnationStateResponse.parseFrom(
                        apply(
                                ControlEntries.setState(
                                        SetIncarnationStateRequest.newBuilder()
                                                .setPipeline(RegistryProtos.bytes(ADS))
                                                .setIncarnation(incarnation)
                                                .setState(IncarnationState.REPAIRED)
                                                .setRowsIn(RegistryProtos.bytesOrNone(rows))
                                                .setTimesReopened(reopened)
                                                .build())))
                .getState();
    }

    private ReopenIncarnationResponse reopen(Incarnation incarnation, int times)
            throws InvalidProtocolBufferException {
        return ReopenIncarnationResponse.parseFrom(
                apply(
                        ControlEntries.reopenIncarnation(
                                ReopenIncarnationRequest.newBuilder()
                                        .setPipeline(RegistryProtos.bytes(ADS))
                                        .setIncarnation(incarnation)
                                        .setTimesReopened(times)
                                        .build())));
    }

    private ReopenIncarnationResponse fileLost(Incarnation incarnation, int times)
            throws InvalidProtocolBufferException {
        return ReopenIncarnationResponse.parseFrom(
                apply(
                        ControlEntries.reopenIncarnation(
                                ReopenIncarnationRequest.newBuilder()
                                        .setPipeline(RegistryProtos.bytes(ADS))
                                        .setIncarnation(incarnation)
                                        .setTimesReopened(times)
                                        .setFileLost(true)
                                        .build())));
    }

    private IncarnationState closed(Incarnation incarnation) throws InvalidProtocolBufferException {
        return SetIncarnationStateResponse.parseFrom(
                        apply(
                                ControlEntries.setState(
                                        SetIncarnationStateRequest.newBuilder()
                                                .setPipeline(RegistryProtos.bytes(ADS))
                                                .setIncarnation(incarnation)
                                                .setState(IncarnationState.CLEAN)
                                                .build())))
                .getState();
    }

    private Incarnation live(String slot) throws InvalidProtocolBufferException {
        return RegisterResponse.parseFrom(
                        apply(
                                ControlEntries.register(
                                        RegisterRequest.newBuilder()
                                                .setPipeline(RegistryProtos.bytes(ADS))
                                                .setSlotName(slot)
                                                .setNonce(ByteString.copyFromUtf8("n" + index))
                                                .setIdentityFingerprint("f")
                                                .setOutputId("out-" + slot.charAt(0))
                                                .build())))
                .getIncarnation();
    }

    private IncarnationInfo info(Incarnation incarnation) {
        return control.incarnations(ADS, "").stream()
                .filter(one -> one.getIncarnation().equals(incarnation))
                .findFirst()
                .orElseThrow();
    }

    private void passed(long micros) {
        apply(ControlEntries.passedTime(PassedTime.newBuilder().setPassedMicros(micros).build()));
    }

    private long limit() {
        return control.describe("ads").orElseThrow().limitMicros();
    }

    @Test
    void aDatacenterHasOneStateAndAnotherIsToldWhichOne() throws IOException {
        assertThat(state("east", null, null).getRegistered()).isEmpty();
        assertThat(state("east", A, null).getVerdict()).isEqualTo(Verdict.REGISTERED);
        assertThat(state("east", A, null).getVerdict()).isEqualTo(Verdict.REGISTERED);
        RegisterDispatcherStateResponse other = state("east", B, null);
        assertThat(other.getVerdict()).isEqualTo(Verdict.OTHER_STATE);
        assertThat(other.getRegistered()).isEqualTo(RegistryProtos.bytes(A));
        assertThat(state("west", B, null).getVerdict()).isEqualTo(Verdict.REGISTERED);
        assertThat(state("east", null, null).getRegistered()).isEqualTo(RegistryProtos.bytes(A));
        assertThat(control.dispatcherState(ADS, "west")).isEqualTo(Optional.of(B));
    }

    @Test
    void aStateThatWasDeclaredLostNeverComesBack() throws IOException {
        assertThat(state("east", A, null).getVerdict()).isEqualTo(Verdict.REGISTERED);
        assertThat(state("east", C, B).getVerdict()).as("not B").isEqualTo(Verdict.OTHER_STATE);
        assertThat(state("east", B, A).getVerdict()).isEqualTo(Verdict.REGISTERED);
        assertThat(state("east", B, A).getVerdict()).as("again").isEqualTo(Verdict.REGISTERED);
        assertThat(state("east", A, null).getVerdict()).isEqualTo(Verdict.STATE_WAS_LOST);
        assertThat(state("east", A, B).getVerdict()).isEqualTo(Verdict.STATE_WAS_LOST);
        assertThat(state("east", null, null).getRegistered()).isEqualTo(RegistryProtos.bytes(B));
    }

    @Test
    void rowsInAnotherThanTheRegisteredStateRepairNothing() throws IOException {
        Incarnation dead = fenced("east/joiner-0");
        assertThat(repaired(dead, A, 0)).as("none registered").isEqualTo(IncarnationState.OPEN);
        state("east", A, null);
        state("west", B, null);
        assertThat(repaired(dead, B, 0)).as("of west").isEqualTo(IncarnationState.OPEN);
        assertThat(repaired(dead, A, 0)).isEqualTo(IncarnationState.REPAIRED);
        assertThat(info(dead).getRowsIn()).isEqualTo(RegistryProtos.bytes(A));
    }

    @Test
    void aLostStateReopensWhatHadItsRowsInItAndNothingElse() throws IOException {
        state("east", A, null);
        state("west", B, null);
        Incarnation rows = fenced("east/joiner-0");
        Incarnation none = fenced("east/joiner-1");
        Incarnation west = fenced("west/joiner-0");
        assertThat(repaired(rows, A, 0)).isEqualTo(IncarnationState.REPAIRED);
        assertThat(repaired(none, null, 0)).isEqualTo(IncarnationState.REPAIRED);
        assertThat(repaired(west, B, 0)).isEqualTo(IncarnationState.REPAIRED);

        assertThat(state("east", C, A).getReopened()).isEqualTo(1);

        assertThat(info(rows).getState()).isEqualTo(IncarnationState.OPEN);
        assertThat(info(rows).getFenced()).isTrue();
        assertThat(info(rows).getTimesReopened()).isEqualTo(1);
        assertThat(info(rows).getRowsLostWith()).isEqualTo(RegistryProtos.bytes(A));
        assertThat(info(none).getState()).isEqualTo(IncarnationState.REPAIRED);
        assertThat(info(west).getState()).isEqualTo(IncarnationState.REPAIRED);
        assertThat(repaired(rows, A, 0)).as("a late copy").isEqualTo(IncarnationState.OPEN);
        assertThat(repaired(rows, C, 0)).as("begun before").isEqualTo(IncarnationState.OPEN);
        assertThat(repaired(rows, C, 1)).isEqualTo(IncarnationState.REPAIRED);
        assertThat(info(rows).getRowsLostWith()).isEmpty();
        assertThat(state("east", C, A).getReopened()).as("a late copy").isZero();
        assertThat(control.audit())
                .filteredOn(one -> one.getKind() == AuditKind.AUDIT_STATE_LOST)
                .singleElement()
                .extracting(one -> one.getDetail())
                .asString()
                .contains("east: state " + A, "in its place " + C, "1 incarnations reopened");
    }

    @Test
    void aWriteOffIsReopenedOnceForEachRequest() throws IOException {
        Incarnation dead = fenced("east/joiner-0");
        assertThat(reopen(dead, 0).getState()).as("open already").isEqualTo(IncarnationState.OPEN);
        assertThat(repaired(dead, null, 0)).isEqualTo(IncarnationState.REPAIRED);
        assertThat(reopen(dead, 0).getTimesReopened()).isEqualTo(1);
        assertThat(info(dead).getState()).isEqualTo(IncarnationState.OPEN);
        assertThat(repaired(dead, null, 0)).as("a late copy").isEqualTo(IncarnationState.OPEN);
        assertThat(repaired(dead, null, 1)).isEqualTo(IncarnationState.REPAIRED);
        assertThat(reopen(dead, 0).getState())
                .as("a late copy")
                .isEqualTo(IncarnationState.REPAIRED);
        Incarnation never = Incarnation.newBuilder().setSlot(1).setGeneration(99).build();
        assertThat(reopen(never, 0).getState())
                .isEqualTo(IncarnationState.INCARNATION_STATE_UNSPECIFIED);
    }

    @Test
    void noBoundaryPassesWhatAReopenedIncarnationMayHold() throws IOException {
        Incarnation dead = fenced("east/joiner-0");
        assertThat(repaired(dead, null, 0)).isEqualTo(IncarnationState.REPAIRED);
        passed(1_010);
        assertThat(limit()).isEqualTo(1_000);
        reopen(dead, 0);
        assertThat(info(dead).getHoldMicros()).isEqualTo(1_000);
        passed(2_010);
        assertThat(limit()).isEqualTo(1_000);
        control = restored();
        passed(2_010);
        assertThat(limit()).isEqualTo(1_000);
        assertThat(repaired(dead, null, 1)).isEqualTo(IncarnationState.REPAIRED);
        passed(2_010);
        assertThat(limit()).isEqualTo(2_000);
    }

    @Test
    void whatALostStateHadReadIsUnknownToAllThatExistedThen() throws IOException {
        state("east", A, null);
        Incarnation repairedOne = fenced("east/joiner-0");
        repaired(repairedOne, A, 0);
        Incarnation open = fenced("east/joiner-1");
        Incarnation west = fenced("west/joiner-0");
        state("west", C, null);
        assertThat(info(open).getStateLostMicros()).isZero();

        RegisterDispatcherStateRequest lost =
                RegisterDispatcherStateRequest.newBuilder()
                        .setPipeline(RegistryProtos.bytes(ADS))
                        .setDatacenter("east")
                        .setState(RegistryProtos.bytes(B))
                        .setLost(RegistryProtos.bytes(A))
                        .build();
        apply(stamped(7_000, ControlEntries.registerState(lost)));
        apply(stamped(9_000, ControlEntries.registerState(lost)));
        Incarnation later = fenced("east/joiner-1");

        control = restored();
        assertThat(info(open).getStateLostMicros()).as("not when asked again").isEqualTo(7_000);
        assertThat(info(repairedOne).getStateLostMicros()).isEqualTo(7_000);
        assertThat(info(west).getStateLostMicros()).isZero();
        assertThat(info(later).getStateLostMicros()).isZero();
    }

    private static byte[] stamped(long latestMicros, byte[] entry) {
        return Stamps.stamped(Stamp.newBuilder().setLatestMicros(latestMicros).build(), entry);
    }

    @Test
    void aSnapshotKeepsStatesAndRows() throws IOException {
        state("east", A, null);
        Incarnation lost = fenced("east/joiner-0");
        Incarnation kept = fenced("east/joiner-1");
        repaired(lost, A, 0);
        state("east", B, A);
        repaired(kept, B, 0);
        List<IncarnationInfo> before = control.incarnations(ADS, "");

        control = restored();

        assertThat(control.incarnations(ADS, "")).isEqualTo(before);
        assertThat(state("east", A, B).getVerdict()).isEqualTo(Verdict.STATE_WAS_LOST);
        assertThat(state("east", C, B).getReopened()).isEqualTo(1);
    }

    private ControlState restored() throws IOException {
        ControlState copy = new ControlState();
        copy.restore(MemorySnapshot.of(control, null));
        return copy;
    }

    @Test
    void aLostFileReopensAlsoWhatWasClosedClean() throws IOException {
        Incarnation clean = live("east/joiner-0");
        passed(20);
        assertThat(fileLost(clean, 0).getTimesReopened()).as("live").isZero();
        assertThat(closed(clean)).isEqualTo(IncarnationState.CLEAN);
        passed(1_000);
        assertThat(reopen(clean, 0).getState())
                .as("without a lost file there is nothing to look for")
                .isEqualTo(IncarnationState.CLEAN);
        long limit = limit();
        assertThat(fileLost(clean, 0).getState()).isEqualTo(IncarnationState.OPEN);
        assertThat(info(clean).getFenced()).isTrue();
        assertThat(info(clean).getHoldMicros()).isEqualTo(limit);
        passed(2_000);
        assertThat(limit()).as("it holds the boundary").isEqualTo(limit);
        assertThat(closed(clean)).as("a late copy").isEqualTo(IncarnationState.OPEN);
        assertThat(repaired(clean, null, 1)).isEqualTo(IncarnationState.REPAIRED);
    }

    /** They are told of together until there is something to tell of one. */
    @Test
    void ofThoseThatWereClosedCleanALostFileReopensItsOwnAlone() throws IOException {
        List<Incarnation> all = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            all.add(live("east/joiner-0"));
            closed(all.get(i));
        }
        assertThat(control.incarnations(ADS, "")).hasSize(1);
        assertThat(fileLost(all.get(2), 0).getState()).isEqualTo(IncarnationState.OPEN);
        assertThat(control.incarnations(ADS, ""))
                .extracting(
                        IncarnationInfo::getFirstGeneration,
                        info -> info.getIncarnation().getGeneration(),
                        IncarnationInfo::getState)
                .containsExactly(
                        tuple(1, 2, IncarnationState.CLEAN),
                        tuple(0, 3, IncarnationState.OPEN),
                        tuple(4, 5, IncarnationState.CLEAN));
        assertThat(fileLost(all.get(4), 0).getState()).isEqualTo(IncarnationState.OPEN);
        assertThat(fileLost(all.get(0), 0).getState()).isEqualTo(IncarnationState.OPEN);
        assertThat(control.incarnations(ADS, "")).hasSize(5);
        assertThat(info(all.get(1)).getState()).isEqualTo(IncarnationState.CLEAN);
        assertThat(info(all.get(3)).getState()).isEqualTo(IncarnationState.CLEAN);
    }

    @Test
    void aRepairThatBeganBeforeAFileWasDeclaredLostDoesNotCount() throws IOException {
        Incarnation dead = fenced("east/joiner-0");
        long hold = info(dead).getHoldMicros();
        assertThat(fileLost(dead, 0).getTimesReopened()).isEqualTo(1);
        assertThat(fileLost(dead, 0).getTimesReopened()).as("a late copy").isEqualTo(1);
        assertThat(info(dead).getHoldMicros()).isEqualTo(hold);
        assertThat(repaired(dead, null, 0)).isEqualTo(IncarnationState.OPEN);
        assertThat(repaired(dead, null, 1)).isEqualTo(IncarnationState.REPAIRED);
    }

    /** What it has promised is that all below is published: that is not so any more. */
    @Test
    void ofOneThatIsOpenALostFileTakesItsPromiseToTheBoundaryBack() throws IOException {
        Incarnation dead = live("east/joiner-0");
        passed(1_000);
        apply(
                ControlEntries.renewIncarnation(
                        RenewIncarnationRequest.newBuilder()
                                .setPipeline(RegistryProtos.bytes(ADS))
                                .setIncarnation(dead)
                                .setHoldMicros(2_000)
                                .build()));
        passed(1_000);
        long limit = limit();
        fence(dead);
        assertThat(fileLost(dead, 0).getTimesReopened()).isEqualTo(1);

        passed(1_500);

        assertThat(limit()).isEqualTo(limit).isEqualTo(990);
    }

    @Test
    void oneThatWasClosedCleanKnowsOfALostStateWhenItIsReopened() throws IOException {
        Incarnation clean = live("east/joiner-0");
        closed(clean);
        state("east", A, null);
        state("east", B, A);
        assertThat(info(clean).getStateLostMicros()).isPositive();
    }
}

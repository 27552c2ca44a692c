package photon.idregistry.control;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import photon.idregistry.replicated.MemorySnapshot;
import photon.idregistry.replicated.Stamps;
import photon.proto.v1.AuditKind;
import photon.proto.v1.AuditRecord;
import photon.proto.v1.FenceIncarnationRequest;
import photon.proto.v1.FenceIncarnationResponse;
import photon.proto.v1.FenceIncarnationResponse.Silence;
import photon.proto.v1.Incarnation;
import photon.proto.v1.IncarnationInfo;
import photon.proto.v1.IncarnationState;
import photon.proto.v1.OpenPipelineRequest;
import photon.proto.v1.RegisterRequest;
import photon.proto.v1.RegisterResponse;
import photon.proto.v1.RenewIncarnationRequest;
import photon.proto.v1.RenewIncarnationResponse;
import photon.proto.v1.SetIncarnationStateRequest;
import photon.proto.v1.Stamp;
import photon.registry.api.RegistryProtos;

/** Fences that hold only while the incarnation stays silent. */
final class SilentFenceTest {
    private static final UUID PIPELINE = new UUID(0, 1);

    private ControlState control = new ControlState();
    private long index = 40;
    private Incarnation joiner = Incarnation.getDefaultInstance();

    @BeforeEach
    void oneJoiner() throws InvalidProtocolBufferException {
        apply(
                ControlEntries.openPipeline(
                        OpenPipelineRequest.newBuilder()
                                .setName("ads")
                                .setUuid(RegistryProtos.bytes(PIPELINE))
                                .setIdentityFingerprint("id")
                                .setShards(2)
                                .build()));
        joiner = register("1");
    }

    private byte[] apply(byte[] entry) {
        return control.apply(++index, ByteBuffer.wrap(entry));
    }

    private Incarnation register(String nonce) throws InvalidProtocolBufferException {
        return RegisterResponse.parseFrom(
                        apply(
                                ControlEntries.register(
                                        RegisterRequest.newBuilder()
                                                .setPipeline(RegistryProtos.bytes(PIPELINE))
                                                .setSlotName("east/joiner-0")
                                                .setNonce(ByteString.copyFromUtf8(nonce))
                                                .setIdentityFingerprint("id")
                                                .setOutputId("out")
                                                .build())))
                .getIncarnation();
    }

    private RenewIncarnationResponse renew(long withinMillis)
            throws InvalidProtocolBufferException {
        return RenewIncarnationResponse.parseFrom(
                apply(
                        ControlEntries.renewIncarnation(
                                RenewIncarnationRequest.newBuilder()
                                        .setPipeline(RegistryProtos.bytes(PIPELINE))
                                        .setIncarnation(joiner)
                                        .setHoldMicros(5)
                                        .setWithinMillis(withinMillis)
                                        .build())));
    }

    private FenceIncarnationResponse fence(long renewedIndex)
            throws InvalidProtocolBufferException {
        return FenceIncarnationResponse.parseFrom(
                apply(
                        Stamps.stamped(
                                Stamp.newBuilder().setActor("east/verifier").build(),
                                ControlEntries.fenceIncarnation(
                                        FenceIncarnationRequest.newBuilder()
                                                .setPipeline(RegistryProtos.bytes(PIPELINE))
                                                .setIncarnation(joiner)
                                                .setRenewedIndex(renewedIndex)
                                                .setSilentMillis(31_500)
                                                .build()))));
    }

    private void settle(IncarnationState state) {
        apply(
                ControlEntries.setState(
                        SetIncarnationStateRequest.newBuilder()
                                .setPipeline(RegistryProtos.bytes(PIPELINE))
                                .setIncarnation(joiner)
                                .setState(state)
                                .build()));
    }

    private IncarnationInfo info() {
        return control.incarnations(PIPELINE, "east/").stream()
                .filter(one -> one.getIncarnation().equals(joiner))
                .findFirst()
                .orElseThrow();
    }

    private void restore() throws IOException {
        ControlState copy = new ControlState();
        copy.restore(MemorySnapshot.of(control, null));
        control = copy;
    }

    @Test
    void theEntryOfTheLastRenewalIsKnown() throws IOException {
        assertThat(info().getRenewedIndex()).as("it has registered").isEqualTo(42);
        assertThat(info().getRenewsWithinMillis()).isZero();
        renew(5_000);
        assertThat(info().getRenewedIndex()).isEqualTo(43);
        assertThat(info().getRenewsWithinMillis()).isEqualTo(5_000);
        restore();
        assertThat(info().getRenewedIndex()).as("in a snapshot, too").isEqualTo(43);
        assertThat(info().getRenewsWithinMillis()).isEqualTo(5_000);
        settle(IncarnationState.CLEAN);
        IncarnationInfo settled = info();
        restore();
        assertThat(info()).as("the same on every replica").isEqualTo(settled);
        assertThat(settled.getRenewedIndex()).isZero();
    }

    @Test
    void whatIsStillSilentIsFencedAndTheAuditSaysByWhomAndWhy() throws IOException {
        renew(5_000);
        FenceIncarnationResponse answer = fence(43);
        assertThat(answer.getSilence()).isEqualTo(Silence.FENCED_NOW);
        assertThat(answer.getShardsCount()).isEqualTo(2);
        assertThat(info().getFenced()).isTrue();
        AuditRecord record = control.audit().get(control.audit().size() - 1);
        assertThat(record.getKind()).isEqualTo(AuditKind.AUDIT_FENCED);
        assertThat(record.getDetail()).isEqualTo("east/joiner-0, silent for 31 s");
        assertThat(record.getStamp().getActor()).isEqualTo("east/verifier");
        int records = control.audit().size();
        assertThat(fence(43).getSilence()).as("asked again").isEqualTo(Silence.FENCED_BEFORE);
        assertThat(control.audit()).hasSize(records);
    }

    /** A fence may be under way for minutes. */
    @Test
    void whatHasRenewedSinceIsNotFenced() throws IOException {
        renew(5_000);
        renew(5_000);
        int records = control.audit().size();
        assertThat(fence(43).getSilence()).isEqualTo(Silence.HAS_RENEWED);
        assertThat(fence(42).getSilence()).isEqualTo(Silence.HAS_RENEWED);
        assertThat(info().getFenced()).isFalse();
        assertThat(control.audit()).hasSize(records);
        assertThat(renew(5_000).getLive()).isTrue();
    }

    @Test
    void oneThatWasReplacedIsNoMatterAnyMore() throws IOException {
        Incarnation next = register("2");
        assertThat(fence(42).getSilence()).isEqualTo(Silence.FENCED_BEFORE);
        assertThat(control.fenceTable(PIPELINE))
                .as("the next is live")
                .containsEntry(next.getSlot(), next.getGeneration());
    }

    @Test
    void aJoinerHearsOfItsFenceFromItsRenewalButNotOfItsOwnCleanClose() throws IOException {
        assertThat(renew(5_000).getFenced()).isFalse();
        fence(43);
        assertThat(renew(5_000).getFenced()).isTrue();
        assertThat(info().getRenewedIndex()).as("nothing is renewed any more").isEqualTo(43);
        joiner = register("2");
        settle(IncarnationState.CLEAN);
        assertThat(renew(5_000).getLive()).isFalse();
        assertThat(renew(5_000).getFenced()).isFalse();
        joiner = Incarnation.newBuilder().setSlot(9).setGeneration(9).build();
        assertThat(renew(5_000).getFenced()).as("never issued here").isFalse();
    }
}

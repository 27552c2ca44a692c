package photon.idregistry.control;

import com.google.protobuf.MessageLite;
import java.nio.ByteBuffer;
import java.util.UUID;
import photon.proto.v1.AdmitDiskRequest;
import photon.proto.v1.BeginReshardRequest;
import photon.proto.v1.ChangeRosterRequest;
import photon.proto.v1.DecideReshardRequest;
import photon.proto.v1.DropEpochRequest;
import photon.proto.v1.DropPipelineRequest;
import photon.proto.v1.FenceIncarnationRequest;
import photon.proto.v1.FinalizeUpgradeRequest;
import photon.proto.v1.FirstRoster;
import photon.proto.v1.Incarnation;
import photon.proto.v1.MemberSettled;
import photon.proto.v1.OpenPipelineRequest;
import photon.proto.v1.PassedTime;
import photon.proto.v1.RegisterDispatcherStateRequest;
import photon.proto.v1.RegisterRequest;
import photon.proto.v1.RenewIncarnationRequest;
import photon.proto.v1.ReopenIncarnationRequest;
import photon.proto.v1.ReplaceMemberRequest;
import photon.proto.v1.RestoreRequest;
import photon.proto.v1.RetireDatacenterRequest;
import photon.proto.v1.SetIncarnationStateRequest;
import photon.proto.v1.SetPipelineRequest;
import photon.registry.api.RegistryProtos;

/**
 * The entries of the control group's log: a byte that is kind and version in one, then the request
 * as it came. The result of each is the packed response of the same name. They are few: a start, a
 * close or a repair of a joiner makes one. Those that people may want to look back at are put into
 * a {@linkplain photon.idregistry.replicated.Stamps stamped} one, since apply has no clock and
 * knows no caller.
 */
public final class ControlEntries {
    static final byte OPEN_PIPELINE = 1;
    static final byte REGISTER = 2;
    static final byte FENCE_INCARNATION = 3;
    static final byte SET_STATE = 4;
    static final byte BEGIN_RESHARD = 5;
    static final byte DECIDE_RESHARD = 6;
    static final byte DROP_EPOCH = 10;
    static final byte SET_PIPELINE = 16;
    static final byte DROP_PIPELINE = 17;
    static final byte RENEW_INCARNATION = 18;
    static final byte PASSED_TIME = 19;
    static final byte REPLACE_MEMBER = 20;
    static final byte ADMIT_DISK = 21;
    static final byte MEMBER_SETTLED = 22;
    static final byte RESTORE = 24;
    static final byte FIRST_ROSTER = 25;
    static final byte CHANGE_ROSTER = 26;
    static final byte REGISTER_STATE = 32;
    static final byte REOPEN_INCARNATION = 33;

    /** Of {@link photon.idregistry.replicated.FeatureLevel#RETIRED_DATACENTERS}. */
    static final byte RETIRE_DATACENTER = 34;

    /** Of {@link photon.idregistry.replicated.FeatureLevel#RAISED_BY_OPERATOR}. */
    static final byte FINALIZE_UPGRADE = 35;

    private ControlEntries() {}

    /** The result is an {@link photon.proto.v1.OpenPipelineResponse}. */
    public static byte[] openPipeline(OpenPipelineRequest request) {
        return entry(OPEN_PIPELINE, request);
    }

    /** The result is a {@link photon.proto.v1.RegisterResponse}. */
    public static byte[] register(RegisterRequest request) {
        return entry(REGISTER, request);
    }

    /** The result is a {@link photon.proto.v1.FenceIncarnationResponse}. */
    public static byte[] fenceIncarnation(FenceIncarnationRequest request) {
        return entry(FENCE_INCARNATION, request);
    }

    /** The result is a {@link photon.proto.v1.SetIncarnationStateResponse}. */
    public static byte[] setState(SetIncarnationStateRequest request) {
        return entry(SET_STATE, request);
    }

    /** The result is a {@link photon.proto.v1.BeginReshardResponse}. */
    public static byte[] beginReshard(BeginReshardRequest request) {
        return entry(BEGIN_RESHARD, request);
    }

    /** The result is a {@link photon.proto.v1.DecideReshardResponse}. */
    public static byte[] decideReshard(DecideReshardRequest request) {
        return entry(DECIDE_RESHARD, request);
    }

    /** The result is a {@link photon.proto.v1.DropEpochResponse}. */
    public static byte[] dropEpoch(DropEpochRequest request) {
        return entry(DROP_EPOCH, request);
    }

    /** The result is a {@link photon.proto.v1.SetPipelineResponse}. */
    public static byte[] setPipeline(SetPipelineRequest request) {
        return entry(SET_PIPELINE, request);
    }

    /** The result is a {@link photon.proto.v1.DropPipelineResponse}. */
    public static byte[] dropPipeline(DropPipelineRequest request) {
        return entry(DROP_PIPELINE, request);
    }

    /** The result is a {@link photon.proto.v1.RenewIncarnationResponse}. */
    public static byte[] renewIncarnation(RenewIncarnationRequest request) {
        return entry(RENEW_INCARNATION, request);
    }

    /** The result is a {@link photon.proto.v1.RegisterDispatcherStateResponse}. */
    public static byte[] registerState(RegisterDispatcherStateRequest request) {
        return entry(REGISTER_STATE, request);
    }

    /** The result is a {@link photon.proto.v1.ReopenIncarnationResponse}. */
    public static byte[] reopenIncarnation(ReopenIncarnationRequest request) {
        return entry(REOPEN_INCARNATION, request);
    }

    /** The result is a {@link photon.proto.v1.RetireDatacenterResponse}. */
    public static byte[] retireDatacenter(RetireDatacenterRequest request) {
        return entry(RETIRE_DATACENTER, request);
    }

    /** The result is the {@link PassedTime} that stands. */
    public static byte[] passedTime(PassedTime passed) {
        return entry(PASSED_TIME, passed);
    }

    /** An entry that changes nothing: no pipeline has that UUID. */
    public static byte[] nothing() {
        return renewIncarnation(
                RenewIncarnationRequest.newBuilder()
                        .setPipeline(RegistryProtos.bytes(new UUID(0, 0)))
                        .setIncarnation(Incarnation.newBuilder().setSlot(1).setGeneration(1))
                        .build());
    }

    /** The result is a {@link photon.proto.v1.ReplaceMemberResponse}. */
    public static byte[] replaceMember(ReplaceMemberRequest request) {
        return entry(REPLACE_MEMBER, request);
    }

    /** The result is an {@link photon.proto.v1.AdmitDiskResponse}. */
    public static byte[] admitDisk(AdmitDiskRequest request) {
        return entry(ADMIT_DISK, request);
    }

    /** The result is the same again. */
    public static byte[] memberSettled(MemberSettled settled) {
        return entry(MEMBER_SETTLED, settled);
    }

    /** The result is the {@link photon.proto.v1.Roster} that stands. */
    public static byte[] firstRoster(FirstRoster first) {
        return entry(FIRST_ROSTER, first);
    }

    /** The result is a {@link photon.proto.v1.ChangeRosterResponse}. */
    public static byte[] changeRoster(ChangeRosterRequest request) {
        return entry(CHANGE_ROSTER, request);
    }

    /** The result is a {@link photon.proto.v1.FinalizeUpgradeResponse}. */
    public static byte[] finalizeUpgrade(FinalizeUpgradeRequest request) {
        return entry(FINALIZE_UPGRADE, request);
    }

    /** The result is a {@link photon.proto.v1.RestoreResponse}. */
    public static byte[] restore(RestoreRequest request) {
        return entry(RESTORE, request);
    }

    private static byte[] entry(byte kind, MessageLite request) {
        return ByteBuffer.allocate(1 + request.getSerializedSize())
                .put(kind)
                .put(request.toByteArray())
                .array();
    }
}

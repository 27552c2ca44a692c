package photon.idregistry.control;

import static photon.core.error.Checks.check;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.MessageLite;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import photon.core.error.BugException;
import photon.idregistry.replicated.FeatureLevel;
import photon.idregistry.replicated.FrozenState;
import photon.idregistry.replicated.ReplicatedState;
import photon.idregistry.replicated.SnapshotReader;
import photon.idregistry.replicated.Stamps;
import photon.idregistry.replicated.StateFile;
import photon.proto.v1.AdmitDiskRequest;
import photon.proto.v1.AuditRecord;
import photon.proto.v1.BeginReshardRequest;
import photon.proto.v1.ChangeRosterRequest;
import photon.proto.v1.DecideReshardRequest;
import photon.proto.v1.DropEpochRequest;
import photon.proto.v1.DropPipelineRequest;
import photon.proto.v1.DroppedPipeline;
import photon.proto.v1.FenceIncarnationRequest;
import photon.proto.v1.FinalizeUpgradeRequest;
import photon.proto.v1.FirstRoster;
import photon.proto.v1.IncarnationInfo;
import photon.proto.v1.MemberDisk;
import photon.proto.v1.MemberSettled;
import photon.proto.v1.OpenPipelineRequest;
import photon.proto.v1.PassedTime;
import photon.proto.v1.Progress;
import photon.proto.v1.RegisterDispatcherStateRequest;
import photon.proto.v1.RegisterRequest;
import photon.proto.v1.RegisterResponse;
import photon.proto.v1.RenewIncarnationRequest;
import photon.proto.v1.ReopenIncarnationRequest;
import photon.proto.v1.ReplaceMemberRequest;
import photon.proto.v1.ReshardAttempt;
import photon.proto.v1.RestoreRequest;
import photon.proto.v1.RestoreStatus;
import photon.proto.v1.RetireDatacenterRequest;
import photon.proto.v1.Roster;
import photon.proto.v1.SetIncarnationStateRequest;
import photon.proto.v1.SetPipelineRequest;
import photon.proto.v1.ShardRef;
import photon.proto.v1.Stamp;
import photon.registry.api.RegistryProtos;

/**
 * What the control group knows, and the only rules by which it changes (docs/protocol.md sections 1
 * and 4). Every command may be applied again: the answer is the same. Results are responses with
 * progress DECIDED.
 *
 * <p>Not thread-safe: the thread that applies the log owns it, reads included.
 */
public final class ControlState implements ReplicatedState {
    private final Pipelines pipelines = new Pipelines();
    private final AuditTrail audit = new AuditTrail();
    private final MemberRules members = new MemberRules(audit);
    private final RestoreRules restore =
            new RestoreRules(new RestoredPipelines(pipelines, audit, members));
    private final BoundaryLimits limits = new BoundaryLimits(restore);
    private final PipelineRules pipelineRules = new PipelineRules(pipelines, limits, audit);
    private final IncarnationRules incarnationRules =
            new IncarnationRules(pipelines, limits, restore, audit);
    private final StateRules stateRules = new StateRules(pipelines, audit);
    private final RetirementRules retirementRules = new RetirementRules(pipelines, audit);
    private long lastIndex;

    @Override
    public byte[] apply(long index, ByteBuffer entry) {
        check(index > lastIndex, "Expected an index after %s, but got %s", lastIndex, index);
        ByteBuffer in = entry.slice();
        check(in.hasRemaining(), "Expected an entry at index %s, but it is empty", index);
        MessageLite result;
        try {
            byte kind = in.get();
            Stamp stamp = Stamp.getDefaultInstance();
            if (kind == Stamps.STAMPED) {
                stamp = Stamps.read(in);
                kind = in.get();
            }
            audit.begin(index, stamp);
            result = decide(index, stamp, kind, in);
        } catch (InvalidProtocolBufferException e) {
            throw new BugException("Expected a readable entry at index " + index, e);
        }
        lastIndex = index;
        return result.toByteArray();
    }

    private MessageLite decide(long index, Stamp stamp, byte kind, ByteBuffer in)
            throws InvalidProtocolBufferException {
        if (restore.isUnderWay() && waitsForRestore(kind)) {
            // All results have it in the same place. Nothing is decided: it is asked again.
            return RegisterResponse.newBuilder().setProgress(Progress.RESOURCE_EXHAUSTED).build();
        }
        return switch (kind) {
            case ControlEntries.OPEN_PIPELINE ->
                    pipelineRules.open(OpenPipelineRequest.parseFrom(in));
            case ControlEntries.REGISTER ->
                    incarnationRules.register(index, RegisterRequest.parseFrom(in), stamp);
            case ControlEntries.FENCE_INCARNATION ->
                    incarnationRules.fence(FenceIncarnationRequest.parseFrom(in));
            case ControlEntries.SET_STATE ->
                    incarnationRules.settle(SetIncarnationStateRequest.parseFrom(in));
            case ControlEntries.BEGIN_RESHARD ->
                    ReshardRules.begin(pipelines, BeginReshardRequest.parseFrom(in), audit);
            case ControlEntries.DECIDE_RESHARD ->
                    ReshardRules.decide(pipelines, DecideReshardRequest.parseFrom(in), audit);
            case ControlEntries.DROP_EPOCH ->
                    EpochRules.drop(pipelines, DropEpochRequest.parseFrom(in), audit);
            case ControlEntries.SET_PIPELINE -> pipelineRules.set(SetPipelineRequest.parseFrom(in));
            case ControlEntries.DROP_PIPELINE ->
                    pipelineRules.drop(index, DropPipelineRequest.parseFrom(in));
            case ControlEntries.RENEW_INCARNATION ->
                    incarnationRules.renew(index, RenewIncarnationRequest.parseFrom(in), stamp);
            case ControlEntries.REGISTER_STATE ->
                    stateRules.register(RegisterDispatcherStateRequest.parseFrom(in), stamp);
            case ControlEntries.REOPEN_INCARNATION ->
                    stateRules.reopen(ReopenIncarnationRequest.parseFrom(in));
            case ControlEntries.RETIRE_DATACENTER ->
                    retirementRules.retire(RetireDatacenterRequest.parseFrom(in), stamp);
            case ControlEntries.PASSED_TIME ->
                    limits.passed(PassedTime.parseFrom(in), pipelines.all());
            case ControlEntries.REPLACE_MEMBER ->
                    members.replace(ReplaceMemberRequest.parseFrom(in), pipelines.all());
            case ControlEntries.ADMIT_DISK -> members.admit(AdmitDiskRequest.parseFrom(in));
            case ControlEntries.MEMBER_SETTLED ->
                    members.settle(MemberSettled.parseFrom(in), pipelines.all());
            case ControlEntries.FIRST_ROSTER -> members.begin(FirstRoster.parseFrom(in));
            case ControlEntries.CHANGE_ROSTER ->
                    members.change(ChangeRosterRequest.parseFrom(in), pipelines.all());
            case ControlEntries.FINALIZE_UPGRADE ->
                    members.finalizeUpgrade(FinalizeUpgradeRequest.parseFrom(in));
            case ControlEntries.RESTORE -> restore.decide(RestoreRequest.parseFrom(in));
            default -> throw FeatureLevel.unknown("Control entry " + kind);
        };
    }

    private boolean waitsForRestore(byte kind) {
        return switch (kind) {
            case ControlEntries.RESTORE,
                    // Of this registry's servers, whatever is brought back onto them.
                    ControlEntries.REPLACE_MEMBER,
                    ControlEntries.ADMIT_DISK,
                    ControlEntries.MEMBER_SETTLED,
                    ControlEntries.FIRST_ROSTER,
                    ControlEntries.CHANGE_ROSTER,
                    ControlEntries.FINALIZE_UPGRADE,
                    ControlEntries.PASSED_TIME,
                    ControlEntries.RENEW_INCARNATION ->
                    false;
            case ControlEntries.OPEN_PIPELINE, ControlEntries.SET_PIPELINE ->
                    !restore.isReporting();
            default -> true;
        };
    }

    /** The datacenter that a slot is of: what its name has before the first slash. */
    public static String datacenter(String slotName) {
        return RestoreRules.datacenter(slotName);
    }

    /** What stands of a restore from a backup. */
    public RestoreStatus restoreStatus() {
        return restore.status();
    }

    /**
     * Slots up to this number are of before a restore, and are fenced unless the fence table says
     * otherwise; 0: there was none.
     */
    public int lostSlots() {
        return restore.slotsBelow();
    }

    /** True while no shard may be given its map: they would accept ids. */
    public boolean isRestoring() {
        return restore.isUnderWay();
    }

    /** True for ever once it is; a replica that says so is right however old its state is. */
    public boolean isDropped(ByteString pipelineUuid) {
        return pipelines.isDropped(RegistryProtos.uuid(pipelineUuid));
    }

    /** In the order in which they were dropped. */
    public List<DroppedPipeline> dropped() {
        return List.copyOf(pipelines.dropped.values());
    }

    /** The disk behind a server's name, as it stands. */
    public MemberDisk member(String name) {
        return members.member(name);
    }

    /** Of the servers of which something was decided, by name. */
    public List<MemberDisk> members() {
        return members.all();
    }

    /** The servers that are members of the registry; version 0: not known yet. */
    public Roster roster() {
        return members.roster().current();
    }

    /**
     * The servers with which a group began, the same on every server; empty: not known yet.
     *
     * @param shard one that the control group has decided
     */
    public List<String> initialServers(ShardRef shard) {
        return members.roster().initial(shard);
    }

    /**
     * The number of the disk behind a server's name with which a group began, the same on every
     * server.
     *
     * @param shard null: the control group
     */
    public int initialNumber(String name, @Nullable ShardRef shard) {
        return members.initialNumber(name, shard);
    }

    /**
     * What every server understands: a kind of entry or snapshot of a higher {@link FeatureLevel}
     * is not written.
     */
    public int featureLevel() {
        return members.featureLevel();
    }

    /** What was decided lately, in its order: for people. */
    public List<AuditRecord> audit() {
        return audit.records();
    }

    /** So many records were there before {@link #audit}'s. */
    public long auditForgotten() {
        return audit.forgotten();
    }

    @Override
    public long lastIndex() {
        return lastIndex;
    }

    /** All pipelines, in order of their names. */
    public List<PipelineView> pipelines() {
        List<PipelineView> all = new ArrayList<>();
        pipelines.all().forEach(pipeline -> all.add(limits.view(pipeline)));
        return all;
    }

    /** The pipeline of that name. */
    public Optional<PipelineView> describe(String name) {
        return Optional.ofNullable(pipelines.named(name)).map(limits::view);
    }

    /** Every incarnation, settled ones too, of the pipeline's slots whose name begins so. */
    public List<IncarnationInfo> incarnations(UUID pipelineUuid, String slotPrefix) {
        List<IncarnationInfo> all = new ArrayList<>();
        PipelineState pipeline = pipelines.find(pipelineUuid);
        if (pipeline != null) {
            for (Slot slot : pipeline.slots()) {
                if (slot.name().startsWith(slotPrefix)) {
                    all.addAll(slot.describe());
                }
            }
        }
        return all;
    }

    /** The state with which the datacenter's dispatcher works. */
    public Optional<UUID> dispatcherState(UUID pipelineUuid, String datacenter) {
        return Optional.ofNullable(pipelines.find(pipelineUuid))
                .map(pipeline -> pipeline.states.of(datacenter));
    }

    /** What a majority of the servers' clocks has passed; {@link Long#MIN_VALUE}: not told yet. */
    public long passedMicros() {
        return limits.passedMicros();
    }

    /** The pipeline's open incarnation with the lowest hold. */
    public Optional<IncarnationInfo> holder(UUID pipelineUuid) {
        return Optional.ofNullable(pipelines.find(pipelineUuid)).flatMap(HoldRules::holder);
    }

    /** Slot to lowest live generation; empty for an unknown pipeline. */
    public SortedMap<Integer, Integer> fenceTable(UUID pipelineUuid) {
        PipelineState pipeline = pipelines.find(pipelineUuid);
        return pipeline == null ? new TreeMap<>() : pipeline.fenceTable();
    }

    /** The pipeline's reshard attempts that are remembered, in order. */
    public List<ReshardAttempt> attempts(UUID pipelineUuid) {
        PipelineState pipeline = pipelines.find(pipelineUuid);
        return pipeline == null
                ? List.of()
                : pipeline.reshards.attempts().stream().map(ReshardRules::toProto).toList();
    }

    /** Empty unless the shard's epoch was dropped, or was lost with a registry. */
    public Optional<DroppedShard> dropped(ShardRef shard) {
        PipelineState pipeline = pipelines.find(shard.getPipeline());
        if (pipeline == null) {
            return Optional.empty();
        }
        if (shard.getEpoch() > pipeline.map.lastEpoch().number()
                && restore.wasRestored(pipeline.uuid)) {
            return Optional.of(new DroppedShard(Long.MIN_VALUE, pipeline.map, true));
        }
        return EpochRules.endOfDropped(pipeline, shard.getEpoch())
                .map(end -> new DroppedShard(end, pipeline.map, false));
    }

    @Override
    public FrozenState freeze() {
        return StateFile.freeze(
                out ->
                        ControlSnapshot.write(
                                out,
                                new ControlSnapshot.Header(
                                        lastIndex, pipelines.slotsIssued, limits.passedMicros()),
                                pipelines,
                                audit,
                                members,
                                restore.stored()));
    }

    @Override
    public void restore(SnapshotReader from) throws IOException {
        StateFile.read(
                from,
                in -> {
                    ControlSnapshot.Header header =
                            ControlSnapshot.read(in, pipelines, audit, members);
                    lastIndex = header.lastIndex();
                    pipelines.slotsIssued = header.slotsIssued();
                    limits.restore(header.passedMicros());
                    restore.restore(header.restore());
                });
    }
}

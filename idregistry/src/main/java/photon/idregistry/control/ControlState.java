package photon.idregistry.control;

import static photon.core.error.Checks.check;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.MessageLite;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import photon.core.error.BugException;
import photon.core.id.Incarnation;
import photon.idregistry.replicated.FrozenState;
import photon.idregistry.replicated.MemorySnapshot;
import photon.idregistry.replicated.ReplicatedState;
import photon.idregistry.replicated.SnapshotReader;
import photon.idregistry.replicated.Stamps;
import photon.idregistry.replicated.StateFile;
import photon.proto.v1.AdmitDiskRequest;
import photon.proto.v1.AuditKind;
import photon.proto.v1.AuditRecord;
import photon.proto.v1.BeginReshardRequest;
import photon.proto.v1.BeginReshardResponse;
import photon.proto.v1.ChangeRosterRequest;
import photon.proto.v1.DecideReshardRequest;
import photon.proto.v1.DecideReshardResponse;
import photon.proto.v1.DropEpochRequest;
import photon.proto.v1.DropEpochResponse;
import photon.proto.v1.DropPipelineRequest;
import photon.proto.v1.DropPipelineResponse;
import photon.proto.v1.DroppedPipeline;
import photon.proto.v1.FenceIncarnationRequest;
import photon.proto.v1.FenceIncarnationResponse;
import photon.proto.v1.FirstRoster;
import photon.proto.v1.IncarnationInfo;
import photon.proto.v1.IncarnationState;
import photon.proto.v1.MemberDisk;
import photon.proto.v1.MemberSettled;
import photon.proto.v1.OpenPipelineRequest;
import photon.proto.v1.OpenPipelineResponse;
import photon.proto.v1.PassedTime;
import photon.proto.v1.Pipeline;
import photon.proto.v1.PipelineSettings;
import photon.proto.v1.Progress;
import photon.proto.v1.RegisterRequest;
import photon.proto.v1.RegisterResponse;
import photon.proto.v1.RegisterResponse.Verdict;
import photon.proto.v1.RenewIncarnationRequest;
import photon.proto.v1.RenewIncarnationResponse;
import photon.proto.v1.ReplaceMemberRequest;
import photon.proto.v1.ReshardAttempt;
import photon.proto.v1.RestoreRequest;
import photon.proto.v1.RestoreStatus;
import photon.proto.v1.Roster;
import photon.proto.v1.SetIncarnationStateRequest;
import photon.proto.v1.SetIncarnationStateResponse;
import photon.proto.v1.SetPipelineRequest;
import photon.proto.v1.SetPipelineResponse;
import photon.proto.v1.ShardRef;
import photon.proto.v1.Stamp;
import photon.registry.api.RegistryClient.Shard;
import photon.registry.api.RegistryProtos;
import photon.registry.api.ShardMap;

/**
 * What the control group knows, and the only rules by which it changes (docs/protocol.md sections 1
 * and 4). Every command may be applied again: the answer is the same. Results are responses with
 * progress DECIDED.
 *
 * <p>Not thread-safe: the thread that applies the log owns it, reads included.
 */
public final class ControlState implements ReplicatedState {
    private final TreeMap<String, PipelineState> pipelines = new TreeMap<>();

    /** For ever, in the order in which they were dropped. */
    private final Map<UUID, DroppedPipeline> dropped = new LinkedHashMap<>();

    private final AuditTrail audit = new AuditTrail();
    private final MemberRules members = new MemberRules(audit);
    private int slotsIssued;

    /** By a majority of the servers' clocks; {@link Long#MIN_VALUE}: not told yet. */
    private long passedMicros = Long.MIN_VALUE;

    private long lastIndex;
    private final RestoreRules restore = new RestoreRules(new Restored());

    /**
     * A pipeline as it stands.
     *
     * @param dropped epochs that the map does not have any more, in order
     * @param limitMicros no boundary of its shards may be beyond; {@link Long#MIN_VALUE}: nor is
     *     there one
     * @param wantedMicros where the limit would be if no incarnation held it back, or MIN_VALUE
     */
    public record PipelineView(
            UUID uuid,
            String name,
            String identityFingerprint,
            ShardMap map,
            PipelineSettings settings,
            long fenceVersion,
            ReshardView reshards,
            List<ShardMap.Epoch> dropped,
            long limitMicros,
            long wantedMicros) {}

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
            case ControlEntries.OPEN_PIPELINE -> openPipeline(OpenPipelineRequest.parseFrom(in));
            case ControlEntries.REGISTER -> register(RegisterRequest.parseFrom(in), stamp);
            case ControlEntries.FENCE_INCARNATION ->
                    fenceIncarnation(FenceIncarnationRequest.parseFrom(in));
            case ControlEntries.SET_STATE -> setState(SetIncarnationStateRequest.parseFrom(in));
            case ControlEntries.BEGIN_RESHARD -> beginReshard(BeginReshardRequest.parseFrom(in));
            case ControlEntries.DECIDE_RESHARD -> decideReshard(DecideReshardRequest.parseFrom(in));
            case ControlEntries.DROP_EPOCH -> dropEpoch(DropEpochRequest.parseFrom(in));
            case ControlEntries.SET_PIPELINE -> setPipeline(SetPipelineRequest.parseFrom(in));
            case ControlEntries.DROP_PIPELINE ->
                    dropPipeline(index, DropPipelineRequest.parseFrom(in));
            case ControlEntries.RENEW_INCARNATION ->
                    renew(RenewIncarnationRequest.parseFrom(in), stamp);
            case ControlEntries.PASSED_TIME -> passed(PassedTime.parseFrom(in));
            case ControlEntries.REPLACE_MEMBER ->
                    members.replace(ReplaceMemberRequest.parseFrom(in), pipelines.values());
            case ControlEntries.ADMIT_DISK -> members.admit(AdmitDiskRequest.parseFrom(in));
            case ControlEntries.MEMBER_SETTLED ->
                    members.settle(MemberSettled.parseFrom(in), pipelines.values());
            case ControlEntries.FIRST_ROSTER -> members.begin(FirstRoster.parseFrom(in));
            case ControlEntries.CHANGE_ROSTER ->
                    members.change(ChangeRosterRequest.parseFrom(in), pipelines.values());
            case ControlEntries.RESTORE -> restore.decide(RestoreRequest.parseFrom(in));
            default -> throw new BugException("Expected a kind of control entry, but got " + kind);
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
                    ControlEntries.PASSED_TIME,
                    ControlEntries.RENEW_INCARNATION ->
                    false;
            case ControlEntries.OPEN_PIPELINE, ControlEntries.SET_PIPELINE ->
                    !restore.isReporting();
            default -> true;
        };
    }

    /** What a restore may do here. */
    private final class Restored implements RestoreRules.Registry {
        @Override
        public boolean isEmpty() {
            return pipelines.isEmpty() && dropped.isEmpty() && slotsIssued == 0;
        }

        @Override
        public int load(byte[] snapshot) throws IOException {
            Map<String, PipelineState> read = new TreeMap<>();
            Map<UUID, DroppedPipeline> gone = new LinkedHashMap<>();
            AuditTrail trail = new AuditTrail();
            int[] slots = new int[1];
            StateFile.read(
                    MemorySnapshot.of(StateFile.NAME, snapshot),
                    in ->
                            slots[0] =
                                    ControlSnapshot.read(
                                                    in, read, gone, trail, new MemberRules(trail))
                                            .slotsIssued());
            pipelines.putAll(read);
            dropped.putAll(gone);
            audit.restore(trail.forgotten(), trail.ofBackup());
            return slots[0];
        }

        @Override
        public void slotsIssued(int issued) {
            slotsIssued = issued;
        }

        @Override
        public java.util.Collection<PipelineState> pipelines() {
            return pipelines.values();
        }

        @Override
        public AuditTrail audit() {
            return audit;
        }
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

    /**
     * The pipeline of that name as it stands, made if it is not there. The answer has none if the
     * request cannot make one: no right name, no UUID or another pipeline's, no shards or too many,
     * settings that cannot be. A UUID that was dropped is refused, whatever the name.
     */
    private OpenPipelineResponse openPipeline(OpenPipelineRequest request) {
        OpenPipelineResponse.Builder answer =
                OpenPipelineResponse.newBuilder().setProgress(Progress.DECIDED);
        PipelineState pipeline = pipelines.get(request.getName());
        if (pipeline == null) {
            UUID uuid = RegistryProtos.uuid(request.getUuid());
            DroppedPipeline gone = uuid == null ? null : dropped.get(uuid);
            if (gone != null) {
                return answer.setVerdict(OpenPipelineResponse.Verdict.UUID_DROPPED)
                        .setDropped(gone)
                        .build();
            }
            int shards = request.getShards();
            if (uuid == null
                    || pipeline(uuid) != null
                    || !PipelineLimits.NAME.matcher(request.getName()).matches()
                    || shards < 1
                    || shards > ShardMap.SHARDS_MAX
                    || !PipelineRules.mayBe(request.getSettings())) {
                return answer.setVerdict(OpenPipelineResponse.Verdict.BAD_REQUEST).build();
            }
            pipeline =
                    new PipelineState(
                            uuid,
                            request.getName(),
                            request.getIdentityFingerprint(),
                            ShardMap.initial(shards),
                            request.getSettings());
            pipelines.put(pipeline.name, pipeline);
            moveLimit(pipeline);
            answer.setMade(true);
            audit.add(
                    AuditKind.AUDIT_PIPELINE_CREATED,
                    pipeline,
                    shards + " shards, " + PipelineRules.text(pipeline.settings));
        }
        return answer.setVerdict(OpenPipelineResponse.Verdict.OPENED)
                .setPipeline(toProto(view(pipeline)))
                .build();
    }

    private SetPipelineResponse setPipeline(SetPipelineRequest request) {
        SetPipelineResponse.Builder answer =
                SetPipelineResponse.newBuilder().setProgress(Progress.DECIDED);
        UUID uuid = RegistryProtos.uuid(request.getPipeline());
        PipelineState pipeline = pipeline(uuid);
        if (pipeline == null) {
            return answer.setVerdict(
                            isDropped(uuid)
                                    ? SetPipelineResponse.Verdict.PIPELINE_DROPPED
                                    : SetPipelineResponse.Verdict.UNKNOWN_PIPELINE)
                    .build();
        }
        PipelineSettings changed = PipelineRules.changed(pipeline.settings, request);
        if (!PipelineRules.mayBe(changed)) {
            return answer.setVerdict(SetPipelineResponse.Verdict.BAD_SETTINGS).build();
        }
        if (!changed.equals(pipeline.settings)) {
            pipeline.settings = changed;
            audit.add(AuditKind.AUDIT_PIPELINE_SET, pipeline, PipelineRules.text(changed));
        }
        return answer.setVerdict(SetPipelineResponse.Verdict.SET).setSettings(changed).build();
    }

    private DropPipelineResponse dropPipeline(long index, DropPipelineRequest request) {
        DropPipelineResponse.Builder answer =
                DropPipelineResponse.newBuilder().setProgress(Progress.DECIDED);
        UUID uuid = RegistryProtos.uuid(request.getPipeline());
        PipelineState pipeline = pipeline(uuid);
        DroppedPipeline gone = uuid == null ? null : dropped.get(uuid);
        if (pipeline != null) {
            List<IncarnationInfo> live = PipelineRules.live(pipeline);
            if (!live.isEmpty() && !request.getForce()) {
                return answer.setVerdict(DropPipelineResponse.Verdict.INCARNATIONS_LIVE)
                        .addAllLive(live)
                        .build();
            }
            gone = PipelineRules.dropped(pipeline, index);
            PipelineRules.record(audit, pipeline, !live.isEmpty());
            pipelines.remove(pipeline.name);
            dropped.put(pipeline.uuid, gone);
        }
        return gone == null
                ? answer.setVerdict(DropPipelineResponse.Verdict.UNKNOWN_PIPELINE).build()
                : answer.setVerdict(DropPipelineResponse.Verdict.DROPPED).setDropped(gone).build();
    }

    private RegisterResponse register(RegisterRequest request, Stamp stamp) {
        RegisterResponse.Builder answer =
                RegisterResponse.newBuilder().setProgress(Progress.DECIDED);
        UUID uuid = RegistryProtos.uuid(request.getPipeline());
        PipelineState pipeline = pipeline(uuid);
        DroppedPipeline gone = uuid == null ? null : dropped.get(uuid);
        if (gone != null) {
            return answer.setVerdict(Verdict.PIPELINE_DROPPED).setHeld(gone.getName()).build();
        }
        if (pipeline == null) {
            return answer.setVerdict(Verdict.UNKNOWN_PIPELINE).build();
        }
        if (!pipeline.identityFingerprint.equals(request.getIdentityFingerprint())) {
            return answer.setVerdict(Verdict.OTHER_IDENTITY)
                    .setHeld(pipeline.identityFingerprint)
                    .build();
        }
        if (!restore.mayRegister(pipeline, request.getSlotName())) {
            return answer.setVerdict(Verdict.NOT_REPORTED)
                    .setHeld(RestoreRules.datacenter(request.getSlotName()))
                    .build();
        }
        Slot slot = pipeline.slot(request.getSlotName());
        if (slot != null && !slot.outputId().equals(request.getOutputId())) {
            return answer.setVerdict(Verdict.OTHER_OUTPUT).setHeld(slot.outputId()).build();
        }
        if (slot == null) {
            slot = new Slot(++slotsIssued, request.getSlotName(), request.getOutputId());
            pipeline.add(slot);
        }
        return answer.setVerdict(Verdict.REGISTERED)
                .setIncarnation(toProto(incarnation(pipeline, slot, request, stamp)))
                .build();
    }

    /**
     * Only the holder of the highest generation gets its answer again: a nonce of an older one was
     * fenced by whoever came after it.
     */
    private Incarnation incarnation(
            PipelineState pipeline, Slot slot, RegisterRequest request, Stamp stamp) {
        String nonce = hex(request.getNonce());
        if (slot.isHighest(nonce)) {
            return new Incarnation(slot.number(), slot.highest());
        }
        // It may commit from now on, and no boundary is beyond the limit as it is now.
        Incarnation issued =
                slot.add(request, nonce, pipeline.limitMicros, stamp.getEarliestMicros());
        pipeline.raise(slot, issued.generation());
        audit.add(
                AuditKind.AUDIT_REGISTERED,
                pipeline,
                toProto(issued),
                slot.name() + " at " + request.getAddress());
        return issued;
    }

    /** The answer names no generation and no shard if the incarnation was never issued. */
    private FenceIncarnationResponse fenceIncarnation(FenceIncarnationRequest request) {
        FenceIncarnationResponse.Builder answer =
                FenceIncarnationResponse.newBuilder().setProgress(Progress.DECIDED);
        UUID uuid = RegistryProtos.uuid(request.getPipeline());
        PipelineState pipeline = pipeline(uuid);
        Slot slot = pipeline == null ? null : pipeline.slot(request.getIncarnation().getSlot());
        int generation = request.getIncarnation().getGeneration();
        if (pipeline == null || slot == null || slot.generation(generation) == null) {
            return answer.setPipelineDropped(isDropped(uuid)).build();
        }
        if (pipeline.raise(slot, generation + 1)) {
            audit.add(AuditKind.AUDIT_FENCED, pipeline, request.getIncarnation(), slot.name());
        }
        answer.setLowestLiveGeneration(slot.lowestLive()).setLife(restore.slotsBelow());
        for (Shard shard : pipeline.map.shards()) {
            answer.addShards(RegistryProtos.shardRef(pipeline.uuid, shard));
        }
        return answer.build();
    }

    /** The answer is the state that stands, unspecified if the incarnation was never issued. */
    private SetIncarnationStateResponse setState(SetIncarnationStateRequest request) {
        SetIncarnationStateResponse.Builder answer =
                SetIncarnationStateResponse.newBuilder().setProgress(Progress.DECIDED);
        UUID uuid = RegistryProtos.uuid(request.getPipeline());
        PipelineState pipeline = pipeline(uuid);
        Slot slot = pipeline == null ? null : pipeline.slot(request.getIncarnation().getSlot());
        int number = request.getIncarnation().getGeneration();
        Slot.Generation generation = slot == null ? null : slot.generation(number);
        if (pipeline == null || slot == null || generation == null) {
            return answer.setPipelineDropped(isDropped(uuid)).build();
        }
        if (generation.state == IncarnationState.OPEN) {
            if (request.getState() == IncarnationState.CLEAN) {
                generation.settle(IncarnationState.CLEAN);
                pipeline.raise(slot, number + 1);
                audit.add(AuditKind.AUDIT_CLOSED, pipeline, request.getIncarnation(), slot.name());
            } else if (request.getState() == IncarnationState.REPAIRED
                    && request.getLife() == restore.slotsBelow()
                    && slot.isFenced(number)) {
                generation.settle(IncarnationState.REPAIRED);
                audit.add(
                        AuditKind.AUDIT_REPAIRED, pipeline, request.getIncarnation(), slot.name());
            }
        }
        return answer.setState(generation.state).build();
    }

    /** Nothing is lowered: a late copy, or an older renewal, changes nothing. */
    private RenewIncarnationResponse renew(RenewIncarnationRequest request, Stamp stamp) {
        RenewIncarnationResponse.Builder answer =
                RenewIncarnationResponse.newBuilder().setProgress(Progress.DECIDED);
        UUID uuid = RegistryProtos.uuid(request.getPipeline());
        PipelineState pipeline = pipeline(uuid);
        Slot slot = pipeline == null ? null : pipeline.slot(request.getIncarnation().getSlot());
        int number = request.getIncarnation().getGeneration();
        Slot.Generation generation = slot == null ? null : slot.generation(number);
        if (pipeline == null || slot == null || generation == null) {
            return answer.setPipelineDropped(isDropped(uuid)).build();
        }
        boolean live = generation.state == IncarnationState.OPEN && !slot.isFenced(number);
        if (live) {
            generation.holdMicros = Math.max(generation.holdMicros, request.getHoldMicros());
            generation.heardMicros = Math.max(generation.heardMicros, stamp.getEarliestMicros());
            moveLimit(pipeline);
        }
        return answer.setLive(live)
                .setLimitMicros(pipeline.limitMicros)
                .setWantedMicros(HoldRules.wantedMicros(pipeline, passedMicros))
                .build();
    }

    private PassedTime passed(PassedTime told) {
        // The latest word, not the highest: clocks that were wrong and are mended move nothing on.
        passedMicros = told.getPassedMicros();
        pipelines.values().forEach(this::moveLimit);
        return PassedTime.newBuilder().setPassedMicros(passedMicros).build();
    }

    /** Not before a restore has ended: until then the retention may be raised. */
    private void moveLimit(PipelineState pipeline) {
        if (!restore.isUnderWay()) {
            HoldRules.move(pipeline, passedMicros);
        }
    }

    private BeginReshardResponse beginReshard(BeginReshardRequest request) {
        PipelineState pipeline = pipeline(RegistryProtos.uuid(request.getPipeline()));
        return pipeline == null
                ? BeginReshardResponse.newBuilder()
                        .setProgress(Progress.DECIDED)
                        .setVerdict(BeginReshardResponse.Verdict.UNKNOWN_PIPELINE)
                        .build()
                : ReshardRules.begin(pipeline, request, audit);
    }

    private DecideReshardResponse decideReshard(DecideReshardRequest request) {
        PipelineState pipeline = pipeline(RegistryProtos.uuid(request.getPipeline()));
        return pipeline == null
                ? DecideReshardResponse.newBuilder().setProgress(Progress.DECIDED).build()
                : ReshardRules.decide(pipeline, request, audit);
    }

    private DropEpochResponse dropEpoch(DropEpochRequest request) {
        PipelineState pipeline = pipeline(RegistryProtos.uuid(request.getPipeline()));
        return pipeline == null
                ? DropEpochResponse.newBuilder().setProgress(Progress.DECIDED).build()
                : EpochRules.drop(pipeline, request, audit);
    }

    private @Nullable PipelineState pipeline(@Nullable UUID uuid) {
        return pipelines.values().stream()
                .filter(pipeline -> pipeline.uuid.equals(uuid))
                .findFirst()
                .orElse(null);
    }

    private boolean isDropped(@Nullable UUID uuid) {
        return uuid != null && dropped.containsKey(uuid);
    }

    /** True for ever once it is; a replica that says so is right however old its state is. */
    public boolean isDropped(ByteString pipelineUuid) {
        return isDropped(RegistryProtos.uuid(pipelineUuid));
    }

    /** In the order in which they were dropped. */
    public List<DroppedPipeline> dropped() {
        return List.copyOf(dropped.values());
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
        pipelines.values().forEach(pipeline -> all.add(view(pipeline)));
        return all;
    }

    /** The pipeline of that name. */
    public Optional<PipelineView> describe(String name) {
        return Optional.ofNullable(pipelines.get(name)).map(this::view);
    }

    /** Every incarnation, settled ones too, of the pipeline's slots whose name begins so. */
    public List<IncarnationInfo> incarnations(UUID pipelineUuid, String slotPrefix) {
        List<IncarnationInfo> all = new ArrayList<>();
        PipelineState pipeline = pipeline(pipelineUuid);
        if (pipeline != null) {
            for (Slot slot : pipeline.slots()) {
                if (slot.name().startsWith(slotPrefix)) {
                    all.addAll(slot.describe());
                }
            }
        }
        return all;
    }

    /** What a majority of the servers' clocks has passed; {@link Long#MIN_VALUE}: not told yet. */
    public long passedMicros() {
        return passedMicros;
    }

    /** The pipeline's open incarnation with the lowest hold. */
    public Optional<IncarnationInfo> holder(UUID pipelineUuid) {
        return Optional.ofNullable(pipeline(pipelineUuid)).flatMap(HoldRules::holder);
    }

    /** Slot to lowest live generation; empty for an unknown pipeline. */
    public SortedMap<Integer, Integer> fenceTable(UUID pipelineUuid) {
        PipelineState pipeline = pipeline(pipelineUuid);
        return pipeline == null ? new TreeMap<>() : pipeline.fenceTable();
    }

    /** The pipeline's reshard attempts that are remembered, in order. */
    public List<ReshardAttempt> attempts(UUID pipelineUuid) {
        PipelineState pipeline = pipeline(pipelineUuid);
        return pipeline == null
                ? List.of()
                : pipeline.reshards.attempts().stream().map(ReshardRules::toProto).toList();
    }

    /**
     * A shard that was dropped.
     *
     * @param endMicros all its ids are below, and so are too old
     * @param map the pipeline's as it stands
     * @param lost it was made behind the backup from which the registry was restored; or else after
     *     all that this replica has applied: only who has applied what is committed by now can tell
     */
    public record DroppedShard(long endMicros, ShardMap map, boolean lost) {}

    /** Empty unless the shard's epoch was dropped, or was lost with a registry. */
    public Optional<DroppedShard> dropped(ShardRef shard) {
        PipelineState pipeline = pipeline(RegistryProtos.uuid(shard.getPipeline()));
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

    private PipelineView view(PipelineState pipeline) {
        return new PipelineView(
                pipeline.uuid,
                pipeline.name,
                pipeline.identityFingerprint,
                pipeline.map,
                pipeline.settings,
                pipeline.fenceVersion,
                pipeline.reshards.view(),
                List.copyOf(pipeline.dropped),
                pipeline.limitMicros,
                HoldRules.wantedMicros(pipeline, passedMicros));
    }

    /** As it travels, without the servers, which only a server knows. */
    public static Pipeline toProto(PipelineView pipeline) {
        return Pipeline.newBuilder()
                .setUuid(RegistryProtos.bytes(pipeline.uuid()))
                .setName(pipeline.name())
                .setIdentityFingerprint(pipeline.identityFingerprint())
                .setMap(pipeline.map().toProto())
                .setSettings(pipeline.settings())
                .build();
    }

    private static photon.proto.v1.Incarnation toProto(Incarnation incarnation) {
        return photon.proto.v1.Incarnation.newBuilder()
                .setSlot(incarnation.slot())
                .setGeneration(incarnation.generation())
                .build();
    }

    static String hex(ByteString bytes) {
        return java.util.HexFormat.of().formatHex(bytes.toByteArray());
    }

    @Override
    public FrozenState freeze() {
        return StateFile.freeze(
                out ->
                        ControlSnapshot.write(
                                out,
                                new ControlSnapshot.Header(lastIndex, slotsIssued, passedMicros),
                                pipelines,
                                dropped.values(),
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
                            ControlSnapshot.read(in, pipelines, dropped, audit, members);
                    lastIndex = header.lastIndex();
                    slotsIssued = header.slotsIssued();
                    passedMicros = header.passedMicros();
                    restore.restore(header.restore());
                });
    }
}

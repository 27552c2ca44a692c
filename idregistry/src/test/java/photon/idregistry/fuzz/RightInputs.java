package photon.idregistry.fuzz;

import com.google.protobuf.ByteString;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.IntStream;
import photon.core.id.CommitToken;
import photon.core.id.EventId;
import photon.core.id.Packed;
import photon.core.id.UserKey;
import photon.idregistry.control.ControlEntries;
import photon.idregistry.control.ControlState;
import photon.idregistry.replicated.MemorySnapshot;
import photon.idregistry.replicated.ReplicatedState;
import photon.idregistry.replicated.Stamps;
import photon.idregistry.shard.ShardEntries;
import photon.idregistry.shard.ShardState;
import photon.proto.v1.AdmitDiskRequest;
import photon.proto.v1.BeginReshardRequest;
import photon.proto.v1.ChangeRosterRequest;
import photon.proto.v1.DatacenterSeen;
import photon.proto.v1.DecideReshardRequest;
import photon.proto.v1.DropEpochRequest;
import photon.proto.v1.DropPipelineRequest;
import photon.proto.v1.FenceIncarnationRequest;
import photon.proto.v1.FinalizeUpgradeRequest;
import photon.proto.v1.FirstRoster;
import photon.proto.v1.Incarnation;
import photon.proto.v1.IncarnationState;
import photon.proto.v1.MemberSettled;
import photon.proto.v1.OpenPipelineRequest;
import photon.proto.v1.PassedTime;
import photon.proto.v1.RegisterDispatcherStateRequest;
import photon.proto.v1.RegisterRequest;
import photon.proto.v1.RenewIncarnationRequest;
import photon.proto.v1.ReopenIncarnationRequest;
import photon.proto.v1.ReshardDecision;
import photon.proto.v1.RetireDatacenterRequest;
import photon.proto.v1.SetIncarnationStateRequest;
import photon.proto.v1.SetPipelineRequest;
import photon.proto.v1.ShardBoundary;
import photon.proto.v1.Stamp;
import photon.registry.api.RegistryClient.Shard;
import photon.registry.api.RegistryProtos;
import photon.registry.api.ShardMap;

/** Bytes as we write them, of every kind, from which mutants are made. */
final class RightInputs {
    static final UUID PIPELINE = new UUID(3, 4);
    private static final Shard SHARD = new Shard(1, 0);
    private static final ShardMap MAP = ShardMap.initial(1);
    private static final Stamp STAMP =
            Stamp.newBuilder()
                    .setActor("me@here")
                    .setEarliestMicros(1_000)
                    .setLatestMicros(2_000)
                    .build();

    private RightInputs() {}

    static ByteString ids(int count) {
        return Packed.ids(
                IntStream.range(0, count)
                        .mapToObj(i -> EventId.ofUser(1_000 + i, UserKey.of(List.of("k" + i))))
                        .toList());
    }

    static ByteString tokens(int count, int slot) {
        return Packed.tokens(
                IntStream.range(0, count).mapToObj(i -> new CommitToken(slot, 1, i)).toList());
    }

    /** In an order in which a shard takes them. */
    static List<byte[]> shardEntries() {
        return List.of(
                ShardEntries.install(MAP, SHARD, Map.of(7, 2)),
                ShardEntries.commit(ids(3), tokens(3, 1)),
                ShardEntries.commit(ids(3), tokens(3, 2)),
                // Held, then remembered; those of slot 1 go with its fence.
                ShardEntries.cancel(ids(3), tokens(3, 1)),
                ShardEntries.cancel(ids(3), tokens(3, 2)),
                ShardEntries.cancel(ids(1), tokens(1, 9)),
                ShardEntries.fence(9, 2),
                ShardEntries.fence(1, 2),
                ShardEntries.remove(ids(1), tokens(1, 1)),
                Stamps.stamped(STAMP, ShardEntries.remove(ids(2), tokens(2, 1))),
                ShardEntries.prepare(1, 1, 1_000_000),
                ShardEntries.abort(1, 1),
                ShardEntries.prepare(2, 1, 2_000_000),
                ShardEntries.advanceBoundary(500));
    }

    static List<byte[]> controlEntries() {
        ByteString pipeline = RegistryProtos.bytes(PIPELINE);
        Incarnation incarnation = Incarnation.newBuilder().setSlot(1).setGeneration(1).build();
        return List.of(
                ControlEntries.openPipeline(
                        OpenPipelineRequest.newBuilder()
                                .setName("jobs")
                                .setUuid(pipeline)
                                .setIdentityFingerprint("f")
                                .setShards(2)
                                .build()),
                ControlEntries.register(
                        RegisterRequest.newBuilder()
                                .setPipeline(pipeline)
                                .setSlotName("east/joiner-0")
                                .setNonce(ByteString.copyFrom(new byte[16]))
                                .setAddress("a:1")
                                .setIdentityFingerprint("f")
                                .setOutputId("o")
                                .build()),
                ControlEntries.fenceIncarnation(
                        FenceIncarnationRequest.newBuilder()
                                .setPipeline(pipeline)
                                .setIncarnation(incarnation)
                                .build()),
                ControlEntries.setState(
                        SetIncarnationStateRequest.newBuilder()
                                .setPipeline(pipeline)
                                .setIncarnation(incarnation)
                                .setState(IncarnationState.REPAIRED)
                                .build()),
                ControlEntries.beginReshard(
                        BeginReshardRequest.newBuilder()
                                .setPipeline(pipeline)
                                .setBaseVersion(1)
                                .setShards(3)
                                .setStartMicros(5_000)
                                .setNonce(ByteString.copyFrom(new byte[16]))
                                .build()),
                ControlEntries.decideReshard(
                        DecideReshardRequest.newBuilder()
                                .setPipeline(pipeline)
                                .setAttempt(1)
                                .setDecision(ReshardDecision.COMMIT)
                                .addPrepared(RegistryProtos.shardRef(PIPELINE, new Shard(1, 0)))
                                .addPrepared(RegistryProtos.shardRef(PIPELINE, new Shard(1, 1)))
                                .build()),
                ControlEntries.dropEpoch(
                        DropEpochRequest.newBuilder()
                                .setPipeline(pipeline)
                                .setEpoch(1)
                                .addAllBoundaries(
                                        IntStream.range(0, 5)
                                                .mapToObj(RightInputs::boundary)
                                                .toList())
                                .build()),
                ControlEntries.setPipeline(
                        SetPipelineRequest.newBuilder()
                                .setPipeline(pipeline)
                                .setRetentionMicros(7)
                                .setShareWeight(300)
                                .build()),
                ControlEntries.register(
                        RegisterRequest.newBuilder()
                                .setPipeline(pipeline)
                                .setSlotName("west/joiner-0")
                                .setIdentityFingerprint("f")
                                .build()),
                Stamps.stamped(
                        STAMP,
                        ControlEntries.renewIncarnation(
                                RenewIncarnationRequest.newBuilder()
                                        .setPipeline(pipeline)
                                        .setIncarnation(incarnation.toBuilder().setSlot(2))
                                        .setHoldMicros(4_000)
                                        .build())),
                ControlEntries.passedTime(PassedTime.newBuilder().setPassedMicros(6_000).build()),
                Stamps.stamped(
                        STAMP,
                        ControlEntries.openPipeline(
                                OpenPipelineRequest.newBuilder()
                                        .setName("gone")
                                        .setUuid(RegistryProtos.bytes(new UUID(5, 6)))
                                        .setShards(1)
                                        .build())),
                Stamps.stamped(
                        STAMP,
                        ControlEntries.dropPipeline(
                                DropPipelineRequest.newBuilder()
                                        .setPipeline(RegistryProtos.bytes(new UUID(5, 6)))
                                        .build())),
                ControlEntries.firstRoster(
                        FirstRoster.newBuilder()
                                .addServers("r0")
                                .addServers("r1")
                                .addServers("r2")
                                .build()),
                changeRoster(ChangeRosterRequest.Change.ADD, "r3", 1),
                ControlEntries.admitDisk(
                        AdmitDiskRequest.newBuilder()
                                .setName("r3")
                                .setDisk(RegistryProtos.bytes(new UUID(7, 8)))
                                .build()),
                settled("r3", 2, false),
                ControlEntries.finalizeUpgrade(
                        FinalizeUpgradeRequest.newBuilder().setFeatureLevel(3).build()),
                changeRoster(ChangeRosterRequest.Change.REMOVE, "r1", 2),
                settled("r1", 1, true),
                changeRoster(ChangeRosterRequest.Change.ADD, "r1", 3),
                registerState(new UUID(9, 1), ByteString.EMPTY),
                registerState(new UUID(9, 2), RegistryProtos.bytes(new UUID(9, 1))),
                ControlEntries.reopenIncarnation(
                        ReopenIncarnationRequest.newBuilder()
                                .setPipeline(pipeline)
                                .setIncarnation(incarnation)
                                .build()),
                ControlEntries.setState(
                        SetIncarnationStateRequest.newBuilder()
                                .setPipeline(pipeline)
                                .setIncarnation(incarnation)
                                .setState(IncarnationState.REPAIRED)
                                .setTimesReopened(1)
                                .build()),
                Stamps.stamped(
                        STAMP,
                        ControlEntries.retireDatacenter(
                                RetireDatacenterRequest.newBuilder()
                                        .setPipeline(pipeline)
                                        .setDatacenter("east")
                                        .setSeen(
                                                DatacenterSeen.newBuilder()
                                                        .setGenerations(1)
                                                        .setReopened(1)
                                                        .setState(
                                                                RegistryProtos.bytes(
                                                                        new UUID(9, 2))))
                                        .build())));
    }

    private static byte[] registerState(UUID state, ByteString lost) {
        return ControlEntries.registerState(
                RegisterDispatcherStateRequest.newBuilder()
                        .setPipeline(RegistryProtos.bytes(PIPELINE))
                        .setDatacenter("east")
                        .setState(RegistryProtos.bytes(state))
                        .setLost(lost)
                        .build());
    }

    private static byte[] changeRoster(
            ChangeRosterRequest.Change change, String name, long version) {
        return ControlEntries.changeRoster(
                ChangeRosterRequest.newBuilder()
                        .setChange(change)
                        .setName(name)
                        .setVersion(version)
                        .build());
    }

    private static byte[] settled(String name, int number, boolean left) {
        return ControlEntries.memberSettled(
                MemberSettled.newBuilder().setName(name).setNumber(number).setLeft(left).build());
    }

    /** Of the two shards of the first epoch and the three of the second. */
    private static ShardBoundary boundary(int n) {
        return ShardBoundary.newBuilder()
                .setShard(
                        RegistryProtos.shardRef(
                                PIPELINE, n < 2 ? new Shard(1, n) : new Shard(2, n - 2)))
                .setBoundaryMicros(5_000)
                .build();
    }

    private static <S extends ReplicatedState> S with(S state, List<byte[]> entries) {
        long index = 0;
        for (byte[] entry : entries) {
            state.apply(++index, ByteBuffer.wrap(entry));
        }
        return state;
    }

    static ShardState shard() {
        return with(new ShardState(), shardEntries());
    }

    static ControlState control() {
        return with(new ControlState(), controlEntries());
    }

    private static byte[] result(byte[] entry) {
        return shard().apply(100, ByteBuffer.wrap(entry));
    }

    private static byte[] snapshot(ReplicatedState state) {
        try {
            return PackedSnapshot.pack(MemorySnapshot.of(state, null));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static List<byte[]> of(Decoder decoder) {
        return switch (decoder) {
            case SHARD_ENTRY -> shardEntries();
            case CONTROL_ENTRY -> controlEntries();
            case COMMIT_RESULT ->
                    List.of(
                            result(ShardEntries.commit(ids(4), tokens(4, 3))),
                            // Of a group that is another shard: with a map.
                            with(new ShardState(), List.of(installedElsewhere()))
                                    .apply(
                                            100,
                                            ByteBuffer.wrap(
                                                    ShardEntries.commit(ids(4), tokens(4, 3)))));
            case PREPARE_RESULT -> List.of(result(ShardEntries.prepare(3, 1, 3_000_000)));
            case SHARD_MAP -> List.of(MAP.toBytes(), MAP.withEpoch(5, 2).toBytes());
            case PACKED_IDS -> List.of(ids(3).toByteArray());
            case PACKED_TOKENS -> List.of(tokens(3, 1).toByteArray());
            case SHARD_SNAPSHOT -> List.of(snapshot(new ShardState()), snapshot(shard()));
            case CONTROL_SNAPSHOT -> List.of(snapshot(new ControlState()), snapshot(control()));
            case REQUEST -> requests();
        };
    }

    /** What a shard takes that is brought back from a backup. */
    static List<byte[]> restoredShardEntries() {
        return List.of(
                ShardEntries.restoreHead(MAP, SHARD, 9, 900, 1_000),
                ShardEntries.restoreBackup(ids(2), tokens(2, 1)),
                ShardEntries.restorePublished(ids(3), tokens(3, 2)),
                ShardEntries.install(MAP, SHARD, Map.of(12, 4)),
                ShardEntries.restoreBackup(ids(4), tokens(4, 3)),
                ShardEntries.restorePublished(ids(4), tokens(4, 3)),
                ShardEntries.commit(ids(5), tokens(5, 11)));
    }

    private static byte[] installedElsewhere() {
        return ShardEntries.install(ShardMap.initial(64), new Shard(1, 63), Map.of());
    }

    /** A request's number, then its message. */
    private static List<byte[]> requests() {
        List<byte[]> requests = new ArrayList<>();
        List<com.google.protobuf.Message> right = FuzzedServer.rightRequests();
        for (int i = 0; i < right.size(); i++) {
            ByteArrayOutputStream request = new ByteArrayOutputStream();
            request.write(i);
            request.writeBytes(right.get(i).toByteArray());
            requests.add(request.toByteArray());
        }
        return requests;
    }
}

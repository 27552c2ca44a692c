package photon.idregistry.control;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import photon.proto.v1.AuditKind;
import photon.proto.v1.DropEpochRequest;
import photon.proto.v1.DropEpochResponse;
import photon.proto.v1.DroppedEpochs;
import photon.proto.v1.Progress;
import photon.proto.v1.ShardBoundary;
import photon.registry.api.RegistryClient.Shard;
import photon.registry.api.RegistryProtos;
import photon.registry.api.ShardMap;
import photon.registry.api.ShardMap.Epoch;

/**
 * Which epochs may be dropped, and what is known of those that were (docs/protocol.md section 4).
 */
final class EpochRules {
    private EpochRules() {}

    static DropEpochResponse drop(Pipelines pipelines, DropEpochRequest request, AuditTrail audit) {
        PipelineState pipeline = pipelines.find(request.getPipeline());
        if (pipeline == null) {
            return DropEpochResponse.newBuilder().setProgress(Progress.DECIDED).build();
        }
        if (mayDrop(pipeline, request)) {
            pipeline.dropped.add(pipeline.map.firstEpoch());
            pipeline.map = pipeline.map.withoutFirstEpoch();
            audit.add(
                    AuditKind.AUDIT_EPOCH_DROPPED,
                    pipeline,
                    "epoch %s: map version %s"
                            .formatted(request.getEpoch(), pipeline.map.version()));
        }
        return DropEpochResponse.newBuilder()
                .setProgress(Progress.DECIDED)
                .setDropped(
                        pipeline.dropped.stream()
                                .anyMatch(epoch -> epoch.number() == request.getEpoch()))
                .setMap(pipeline.map.toProto())
                .build();
    }

    /**
     * The next epoch's shards own the dropped one's ids from then on, and must refuse them too. An
     * attempt that is open is built on the map as it is.
     */
    private static boolean mayDrop(PipelineState pipeline, DropEpochRequest request) {
        ShardMap map = pipeline.map;
        if (map.epochs().size() < 2
                || map.firstEpoch().number() != request.getEpoch()
                || !pipeline.reshards.open().isEmpty()) {
            return false;
        }
        Epoch next = map.epochs().get(1);
        Map<Shard, Long> boundaries = boundaries(pipeline, request);
        return concerned(map).stream()
                .allMatch(
                        shard ->
                                boundaries.getOrDefault(shard, Long.MIN_VALUE)
                                        >= next.startMicros());
    }

    /** Whose boundaries must have passed the first epoch's last possible id. */
    private static List<Shard> concerned(ShardMap map) {
        List<Shard> all = new ArrayList<>(ShardMap.shardsOf(map.epochs().get(0)));
        all.addAll(ShardMap.shardsOf(map.epochs().get(1)));
        return all;
    }

    private static Map<Shard, Long> boundaries(PipelineState pipeline, DropEpochRequest request) {
        Map<Shard, Long> boundaries = new HashMap<>();
        for (ShardBoundary said : request.getBoundariesList()) {
            if (said.getShard().getPipeline().equals(RegistryProtos.bytes(pipeline.uuid))) {
                boundaries.put(
                        new Shard(said.getShard().getEpoch(), said.getShard().getShard()),
                        said.getBoundaryMicros());
            }
        }
        return boundaries;
    }

    /** The first timestamp that did not belong to the epoch; empty unless it was dropped. */
    static Optional<Long> endOfDropped(PipelineState pipeline, int number) {
        List<Epoch> all = new ArrayList<>(pipeline.dropped);
        all.add(pipeline.map.firstEpoch());
        for (int i = 0; i + 1 < all.size(); i++) {
            if (all.get(i).number() == number) {
                return Optional.of(all.get(i + 1).startMicros());
            }
        }
        return Optional.empty();
    }

    static DroppedEpochs toProto(List<Epoch> epochs) {
        DroppedEpochs.Builder all = DroppedEpochs.newBuilder();
        epochs.forEach(epoch -> all.addEpochs(epoch.toProto()));
        return all.build();
    }

    static List<Epoch> of(DroppedEpochs epochs) {
        return epochs.getEpochsList().stream().map(Epoch::of).toList();
    }
}

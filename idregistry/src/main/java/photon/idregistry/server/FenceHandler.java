package photon.idregistry.server;

import java.util.function.Consumer;
import photon.core.rpc.Handler;
import photon.idregistry.shard.ShardEntries;
import photon.idregistry.shard.ShardResults;
import photon.proto.v1.FenceRequest;
import photon.proto.v1.FenceResponse;
import photon.proto.v1.Progress;

/** Fences in one shard, an entry a request. */
final class FenceHandler implements Handler<FenceRequest, FenceResponse> {
    private final Groups groups;

    FenceHandler(Groups groups) {
        this.groups = groups;
    }

    @Override
    public void handle(FenceRequest request, Consumer<FenceResponse> respond) {
        ShardGroup shard = groups.shard(request.getShard());
        if (shard == null) {
            respond.accept(
                    groups.dropped(request.getShard())
                            .map(dropped -> DroppedShards.fence())
                            .orElseGet(() -> refused(groups.absent(request.getShard()), "")));
        } else if (request.getSlot() <= 0 || request.getLowestLiveGeneration() <= 0) {
            Door.malformed("fence");
            respond.accept(refused(Progress.PROGRESS_UNSPECIFIED, ""));
        } else {
            shard.entries()
                    .submit(
                            ShardEntries.fence(
                                    request.getSlot(), request.getLowestLiveGeneration()),
                            result ->
                                    respond.accept(
                                            FenceResponse.newBuilder()
                                                    .setProgress(Progress.DECIDED)
                                                    .setIndex(ShardResults.fence(result))
                                                    .build()),
                            progress -> respond.accept(refused(progress, shard.group().leader())));
        }
    }

    private static FenceResponse refused(Progress progress, String leader) {
        return FenceResponse.newBuilder().setProgress(progress).setLeader(leader).build();
    }
}

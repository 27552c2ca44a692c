package photon.idregistry.server.data;

import java.util.function.Consumer;
import photon.core.rpc.Handler;
import photon.idregistry.server.groups.Groups;
import photon.idregistry.server.groups.RequestValidation;
import photon.idregistry.server.groups.ShardGroup;
import photon.idregistry.shard.ShardEntries;
import photon.idregistry.shard.ShardResults;
import photon.proto.v1.FenceRequest;
import photon.proto.v1.FenceResponse;
import photon.proto.v1.Progress;

/**
 * Fences in one shard, an entry a request. A shard without a map fences nothing: whoever repairs
 * would scan it next, and one that is restored from a backup may not have its ids yet. It is asked
 * again, and a new one gets the fence table with its map (docs/protocol.md sections 4 and 10).
 */
public final class FenceHandler implements Handler<FenceRequest, FenceResponse> {
    private final Groups groups;

    public FenceHandler(Groups groups) {
        this.groups = groups;
    }

    @Override
    public void handle(FenceRequest request, Consumer<FenceResponse> respond) {
        ShardGroup shard = groups.shard(request.getShard());
        if (shard == null) {
            DroppedShards.answer(
                    groups,
                    request.getShard(),
                    dropped -> DroppedShards.fence(),
                    progress -> refused(progress, ""),
                    respond);
        } else if (!RequestValidation.slot(request.getSlot())
                || request.getLowestLiveGeneration() <= 0) {
            RequestValidation.malformed("fence");
            respond.accept(refused(Progress.PROGRESS_UNSPECIFIED, ""));
        } else if (shard.group().log().leads()
                && shard.group().read(state -> state.map() == null)) {
            respond.accept(refused(Progress.UNKNOWN, ""));
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

package photon.idregistry.server;

import java.util.function.Consumer;
import photon.core.id.EventId;
import photon.core.rpc.Handler;
import photon.idregistry.shard.ShardEntries;
import photon.idregistry.shard.ShardResults;
import photon.proto.v1.Progress;
import photon.proto.v1.RemoveRequest;
import photon.proto.v1.RemoveResponse;

/** Conditional removes, an entry a request. */
final class RemoveHandler implements Handler<RemoveRequest, RemoveResponse> {
    private final Groups groups;
    private final int idsMax;

    /**
     * @param idsMax the most ids of one request
     */
    RemoveHandler(Groups groups, int idsMax) {
        this.groups = groups;
        this.idsMax = idsMax;
    }

    @Override
    public void handle(RemoveRequest request, Consumer<RemoveResponse> respond) {
        ShardGroup shard = groups.shard(request.getShard());
        if (shard == null) {
            respond.accept(refused(Progress.NO_SUCH_SHARD, ""));
        } else if (!ShardEntries.wellFormed(request.getIds(), request.getTokens())) {
            Door.malformed("remove");
            respond.accept(refused(Progress.PROGRESS_UNSPECIFIED, ""));
        } else if (request.getIds().size() > idsMax * EventId.BYTES) {
            respond.accept(refused(Progress.RESOURCE_EXHAUSTED, ""));
        } else if (request.getIds().isEmpty()) {
            respond.accept(RemoveResponse.newBuilder().setProgress(Progress.DECIDED).build());
        } else {
            shard.entries()
                    .submit(
                            ShardEntries.remove(request.getIds(), request.getTokens()),
                            result ->
                                    respond.accept(
                                            RemoveResponse.newBuilder()
                                                    .setProgress(Progress.DECIDED)
                                                    .setOutcomes(ShardResults.remove(result))
                                                    .build()),
                            progress -> respond.accept(refused(progress, shard.group().leader())));
        }
    }

    private static RemoveResponse refused(Progress progress, String leader) {
        return RemoveResponse.newBuilder().setProgress(progress).setLeader(leader).build();
    }
}

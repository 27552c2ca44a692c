package photon.idregistry.server.data;

import java.util.function.Consumer;
import photon.core.id.EventId;
import photon.core.rpc.Handler;
import photon.idregistry.server.groups.Groups;
import photon.idregistry.server.groups.RequestValidation;
import photon.idregistry.server.groups.ShardGroup;
import photon.idregistry.server.groups.Stamping;
import photon.idregistry.shard.ShardEntries;
import photon.idregistry.shard.ShardResults;
import photon.proto.v1.Progress;
import photon.proto.v1.RemoveRequest;
import photon.proto.v1.RemoveResponse;

/** Conditional removes, an entry a request. */
public final class RemoveHandler implements Handler<RemoveRequest, RemoveResponse> {
    private final Groups groups;
    private final int idsMax;
    private final Stamping stamping;

    /**
     * @param idsMax the most ids of one entry
     */
    public RemoveHandler(Groups groups, int idsMax, Stamping stamping) {
        this.groups = groups;
        this.stamping = stamping;
        this.idsMax = idsMax;
    }

    @Override
    public void handle(RemoveRequest request, Consumer<RemoveResponse> respond) {
        ShardGroup shard = groups.shard(request.getShard());
        if (!ShardEntries.wellFormed(request.getIds(), request.getTokens())) {
            RequestValidation.malformed("remove");
            respond.accept(refused(Progress.PROGRESS_UNSPECIFIED, ""));
        } else if (shard == null) {
            DroppedShards.answer(
                    groups,
                    request.getShard(),
                    dropped -> DroppedShards.remove(request, dropped),
                    progress -> refused(progress, ""),
                    respond);
        } else if (request.getIds().size() > RequestValidation.READ_MAX * EventId.BYTES) {
            respond.accept(refused(Progress.RESOURCE_EXHAUSTED, ""));
        } else {
            remove(request, shard, respond);
        }
    }

    /** What was removed is removed once more when it is asked again. */
    private void remove(RemoveRequest request, ShardGroup shard, Consumer<RemoveResponse> respond) {
        new PackedEntries(request.getIds(), request.getTokens(), idsMax)
                .submit(
                        shard.entries(),
                        (ids, tokens) ->
                                stamping.stamped(
                                        request.getActor(), ShardEntries.remove(ids, tokens)),
                        ShardResults::remove,
                        outcomes ->
                                respond.accept(
                                        RemoveResponse.newBuilder()
                                                .setProgress(Progress.DECIDED)
                                                .setOutcomes(outcomes)
                                                .build()),
                        progress -> respond.accept(refused(progress, shard.group().leader())));
    }

    private static RemoveResponse refused(Progress progress, String leader) {
        return RemoveResponse.newBuilder().setProgress(progress).setLeader(leader).build();
    }
}

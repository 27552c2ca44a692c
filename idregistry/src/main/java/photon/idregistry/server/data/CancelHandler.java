package photon.idregistry.server.data;

import java.util.function.Consumer;
import photon.core.id.EventId;
import photon.core.rpc.Handler;
import photon.idregistry.server.groups.Groups;
import photon.idregistry.server.groups.RequestValidation;
import photon.idregistry.server.groups.ShardGroup;
import photon.idregistry.shard.ShardEntries;
import photon.idregistry.shard.ShardResults;
import photon.proto.v1.CancelRequest;
import photon.proto.v1.CancelResponse;
import photon.proto.v1.Progress;

/**
 * Cancels of commit tokens, an entry a request (docs/protocol.md section 3, Cancel). Nothing is
 * asked of the ids' timestamps: a cancel adds no id.
 */
public final class CancelHandler implements Handler<CancelRequest, CancelResponse> {
    private final Groups groups;
    private final int idsMax;

    /**
     * @param idsMax the most ids of one entry, 1 or more
     */
    public CancelHandler(Groups groups, int idsMax) {
        this.groups = groups;
        this.idsMax = idsMax;
    }

    @Override
    public void handle(CancelRequest request, Consumer<CancelResponse> respond) {
        ShardGroup shard = groups.shard(request.getShard());
        if (!ShardEntries.wellFormed(request.getIds(), request.getTokens())) {
            RequestValidation.malformed("cancel");
            respond.accept(refused(Progress.PROGRESS_UNSPECIFIED, ""));
        } else if (shard == null) {
            respond.accept(
                    groups.dropped(request.getShard())
                            .map(dropped -> DroppedShards.cancel(request))
                            .orElseGet(() -> refused(groups.absent(request.getShard()), "")));
        } else if (request.getIds().size() > RequestValidation.READ_MAX * EventId.BYTES) {
            respond.accept(refused(Progress.RESOURCE_EXHAUSTED, ""));
        } else {
            new PackedEntries(request.getIds(), request.getTokens(), idsMax)
                    .submit(
                            shard.entries(),
                            ShardEntries::cancel,
                            ShardResults::cancel,
                            outcomes ->
                                    respond.accept(
                                            CancelResponse.newBuilder()
                                                    .setProgress(Progress.DECIDED)
                                                    .setOutcomes(outcomes)
                                                    .build()),
                            progress -> respond.accept(refused(progress, shard.group().leader())));
        }
    }

    private static CancelResponse refused(Progress progress, String leader) {
        return CancelResponse.newBuilder().setProgress(progress).setLeader(leader).build();
    }
}

package photon.idregistry.server;

import com.google.protobuf.ByteString;
import java.util.function.Consumer;
import photon.core.id.CommitToken;
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
    private final Stamping stamping;

    /**
     * @param idsMax the most ids of one entry
     */
    RemoveHandler(Groups groups, int idsMax, Stamping stamping) {
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
            remove(request, shard, ByteString.EMPTY, respond);
        }
    }

    /**
     * As many entries as it takes, one after the other. If one is refused the whole is: what was
     * removed is removed once more when it is asked again.
     *
     * @param outcomes of those in front
     */
    private void remove(
            RemoveRequest request,
            ShardGroup shard,
            ByteString outcomes,
            Consumer<RemoveResponse> respond) {
        int count = request.getIds().size() / EventId.BYTES;
        int from = outcomes.size();
        if (from == count) {
            respond.accept(
                    RemoveResponse.newBuilder()
                            .setProgress(Progress.DECIDED)
                            .setOutcomes(outcomes)
                            .build());
            return;
        }
        int to = Math.min(count, from + idsMax);
        shard.entries()
                .submit(
                        stamping.stamped(
                                request.getActor(),
                                ShardEntries.remove(
                                        request.getIds()
                                                .substring(
                                                        from * EventId.BYTES, to * EventId.BYTES),
                                        request.getTokens()
                                                .substring(
                                                        from * CommitToken.BYTES,
                                                        to * CommitToken.BYTES))),
                        result ->
                                remove(
                                        request,
                                        shard,
                                        outcomes.concat(ShardResults.remove(result)),
                                        respond),
                        progress -> respond.accept(refused(progress, shard.group().leader())));
    }

    private static RemoveResponse refused(Progress progress, String leader) {
        return RemoveResponse.newBuilder().setProgress(progress).setLeader(leader).build();
    }
}

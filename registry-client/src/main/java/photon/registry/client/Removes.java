package photon.registry.client;

import com.google.protobuf.ByteString;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import photon.core.id.EventId;
import photon.proto.v1.RemoveOutcome;
import photon.proto.v1.RemoveRequest;
import photon.proto.v1.ShardRef;
import photon.registry.api.PipelineDroppedException;
import photon.registry.api.RegistryClient.RemoveResult;
import photon.registry.api.RegistryClient.Shard;

/** Removes, asked until they are definite. */
final class Removes extends ShardBatches<RemoveResult> {
    private final Asking asking;
    private final Leaders leaders;

    /**
     * @param renewMap asks for the newest map, then runs
     */
    Removes(
            Asking asking,
            Leaders leaders,
            UUID pipeline,
            Function<EventId, Shard> owner,
            Consumer<Runnable> renewMap) {
        super(asking, pipeline, owner, renewMap);
        this.asking = asking;
        this.leaders = leaders;
    }

    @Override
    void ask(
            ShardRef shard,
            ByteString ids,
            ByteString tokens,
            Consumer<ByteString> decided,
            Consumer<PipelineDroppedException> gone) {
        asking.leader(
                leaders.of(shard),
                Rpc.REMOVE,
                RemoveRequest.newBuilder()
                        .setShard(shard)
                        .setIds(ids)
                        .setTokens(tokens)
                        .setActor(asking.actor())
                        .build(),
                answer -> decided.accept(answer.getOutcomes()),
                gone);
    }

    @Override
    @Nullable RemoveResult result(byte outcome) {
        return switch (outcome) {
            case RemoveOutcome.REMOVED_VALUE -> RemoveResult.REMOVED;
            case RemoveOutcome.NOT_FENCED_VALUE -> RemoveResult.NOT_FENCED;
            case RemoveOutcome.REMOVE_TOO_OLD_VALUE -> RemoveResult.ID_TOO_OLD;
            default -> null;
        };
    }

    @Override
    @Nullable RemoveResult whenGone() {
        return null;
    }
}

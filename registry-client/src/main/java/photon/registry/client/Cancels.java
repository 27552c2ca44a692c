package photon.registry.client;

import com.google.protobuf.ByteString;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import photon.core.id.EventId;
import photon.proto.v1.CancelOutcome;
import photon.proto.v1.CancelRequest;
import photon.proto.v1.ShardRef;
import photon.registry.api.PipelineDroppedException;
import photon.registry.api.RegistryClient.CancelResult;
import photon.registry.api.RegistryClient.Shard;

/**
 * Cancels, asked until they are definite. Unlike a commit a cancel may be sent any number of times
 * (docs/protocol.md section 3, Cancel).
 */
final class Cancels extends ShardBatches<CancelResult> {
    private final Asking asking;
    private final Leaders leaders;

    /**
     * @param renewMap asks for the newest map, then runs
     */
    Cancels(
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
                Rpc.CANCEL,
                CancelRequest.newBuilder().setShard(shard).setIds(ids).setTokens(tokens).build(),
                answer -> decided.accept(answer.getOutcomes()),
                gone);
    }

    /** WRONG_SHARD and EPOCH_PREPARED say nothing of the token. */
    @Override
    @Nullable CancelResult result(byte outcome) {
        return switch (outcome) {
            case CancelOutcome.CANCEL_FENCED_VALUE -> CancelResult.FENCED;
            case CancelOutcome.CANCEL_HELD_VALUE -> CancelResult.HELD;
            case CancelOutcome.CANCEL_DONE_VALUE -> CancelResult.CANCELLED;
            case CancelOutcome.CANCEL_FULL_VALUE -> CancelResult.CANCEL_FULL;
            default -> null;
        };
    }

    /** The drop ends every incarnation of the pipeline. */
    @Override
    CancelResult whenGone() {
        return CancelResult.FENCED;
    }
}

package photon.idregistry.server.data;

import com.google.protobuf.UnsafeByteOperations;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import photon.core.id.EventId;
import photon.core.rpc.Handler;
import photon.idregistry.server.groups.Groups;
import photon.idregistry.server.groups.Readers;
import photon.idregistry.server.groups.RequestValidation;
import photon.idregistry.server.groups.ShardGroup;
import photon.idregistry.shard.ShardState;
import photon.idregistry.table.LookupBatch;
import photon.proto.v1.LookupRequest;
import photon.proto.v1.LookupResponse;
import photon.proto.v1.Progress;

/**
 * Lookups: of this replica's own state, or behind a barrier in the log. They make no object an id.
 */
public final class LookupHandler implements Handler<LookupRequest, LookupResponse> {
    /** Ids that memory is asked for in one go: apply waits meanwhile. */
    static final int IN_ONE_GO = 512;

    private final Groups groups;
    private final Readers readers;

    public LookupHandler(Groups groups, Readers readers) {
        this.groups = groups;
        this.readers = readers;
    }

    @Override
    public void handle(LookupRequest request, Consumer<LookupResponse> respond) {
        ShardGroup shard = groups.shard(request.getShard());
        if (!RequestValidation.wholeIds(request.getIds())) {
            RequestValidation.malformed("lookup");
            respond.accept(refused(request, Progress.PROGRESS_UNSPECIFIED, ""));
        } else if (shard == null) {
            respond.accept(
                    groups.dropped(request.getShard())
                            .map(dropped -> DroppedShards.lookup(request, dropped))
                            .orElseGet(
                                    () -> refused(request, groups.absent(request.getShard()), "")));
        } else if (request.getIds().size() > RequestValidation.READ_MAX * EventId.BYTES) {
            respond.accept(refused(request, Progress.RESOURCE_EXHAUSTED, ""));
        } else if (request.getLinearizable()) {
            shard.entries()
                    .await(
                            shard.group()::readBarrier,
                            sure -> read(request, shard, respond),
                            progress ->
                                    respond.accept(
                                            refused(request, progress, shard.group().leader())));
        } else if (!shard.group().caughtUp()) {
            respond.accept(refused(request, Progress.UNKNOWN, ""));
        } else {
            read(request, shard, respond);
        }
    }

    private void read(LookupRequest request, ShardGroup shard, Consumer<LookupResponse> respond) {
        if (!shard.reads().read(readers, () -> look(request, shard), respond)) {
            respond.accept(refused(request, Progress.RESOURCE_EXHAUSTED, ""));
        }
    }

    private static LookupResponse look(LookupRequest request, ShardGroup shard) {
        try (LookupBatch batch = new LookupBatch(request.getIds().asReadOnlyByteBuffer())) {
            long boundaryMicros;
            do {
                Long boundary = shard.group().read(state -> ask(state, batch));
                if (boundary == null) {
                    return refused(request, Progress.UNKNOWN, "");
                }
                // It never goes back: the last is right for all, as it would be a moment later.
                boundaryMicros = boundary;
            } while (!batch.isAsked());
            batch.readFiles();
            return LookupResponse.newBuilder()
                    .setRequest(request.getRequest())
                    .setProgress(Progress.DECIDED)
                    .setFound(UnsafeByteOperations.unsafeWrap(batch.found()))
                    .setHolders(UnsafeByteOperations.unsafeWrap(batch.holders()))
                    .setBoundaryMicros(boundaryMicros)
                    .build();
        }
    }

    /**
     * @return the boundary; null if the state knows nothing yet, not even which ids are its own
     */
    private static @Nullable Long ask(ShardState state, LookupBatch batch) {
        if (state.map() == null) {
            return null;
        }
        state.ask(batch, IN_ONE_GO);
        return state.boundaryMicros();
    }

    private static LookupResponse refused(LookupRequest request, Progress progress, String leader) {
        return LookupResponse.newBuilder()
                .setRequest(request.getRequest())
                .setProgress(progress)
                .setLeader(leader)
                .setBoundaryMicros(Long.MIN_VALUE)
                .build();
    }
}

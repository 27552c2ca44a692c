package photon.idregistry.server;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import java.nio.ByteBuffer;
import java.util.function.Consumer;
import photon.core.id.CommitToken;
import photon.core.id.EventId;
import photon.core.rpc.Handler;
import photon.idregistry.shard.ShardState;
import photon.proto.v1.LookupRequest;
import photon.proto.v1.LookupResponse;
import photon.proto.v1.Progress;

/**
 * Lookups: of this replica's own state, or behind a ReadIndex. They never reach the log, and make
 * no object an id.
 */
final class LookupHandler implements Handler<LookupRequest, LookupResponse> {
    /** Ids that are looked up in one go: apply waits meanwhile. */
    static final int IN_ONE_GO = 512;

    private final Groups groups;
    private final Readers readers;

    LookupHandler(Groups groups, Readers readers) {
        this.groups = groups;
        this.readers = readers;
    }

    @Override
    public void handle(LookupRequest request, Consumer<LookupResponse> respond) {
        ShardGroup shard = groups.shard(request.getShard());
        if (shard == null) {
            respond.accept(refused(request, Progress.NO_SUCH_SHARD, ""));
        } else if (!Door.wholeIds(request.getIds())) {
            Door.malformed("lookup");
            respond.accept(refused(request, Progress.PROGRESS_UNSPECIFIED, ""));
        } else if (request.getIds().size() > Door.READ_MAX * EventId.BYTES) {
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
        if (!readers.read(() -> look(request, shard), respond)) {
            respond.accept(refused(request, Progress.RESOURCE_EXHAUSTED, ""));
        }
    }

    private static LookupResponse look(LookupRequest request, ShardGroup shard) {
        ByteBuffer ids = request.getIds().asReadOnlyByteBuffer();
        int count = ids.remaining() / EventId.BYTES;
        int end = ids.limit();
        ByteBuffer found = ByteBuffer.allocate(count);
        ByteBuffer holders = ByteBuffer.allocate(count * CommitToken.BYTES);
        long boundaryMicros;
        do {
            ids.limit(Math.min(end, ids.position() + IN_ONE_GO * EventId.BYTES));
            Long boundary = shard.group().read(state -> look(state, ids, found, holders));
            if (boundary == null) {
                return refused(request, Progress.UNKNOWN, "");
            }
            // It never goes back: the last is right for all, as it would be a moment later.
            boundaryMicros = boundary;
        } while (ids.position() < end);
        return LookupResponse.newBuilder()
                .setRequest(request.getRequest())
                .setProgress(Progress.DECIDED)
                .setFound(UnsafeByteOperations.unsafeWrap(found.flip()))
                .setHolders(packed(holders))
                .setBoundaryMicros(boundaryMicros)
                .build();
    }

    /**
     * @return the boundary; null if the state knows nothing yet, not even which ids are its own
     */
    private static @org.jspecify.annotations.Nullable Long look(
            ShardState state, ByteBuffer ids, ByteBuffer found, ByteBuffer holders) {
        if (state.map() == null) {
            return null;
        }
        state.lookup(ids, found, holders);
        return state.boundaryMicros();
    }

    /** Without what is not used of it, if that is much: the answer may wait for its reader. */
    private static ByteString packed(ByteBuffer holders) {
        holders.flip();
        return holders.limit() < holders.capacity() / 2
                ? ByteString.copyFrom(holders)
                : UnsafeByteOperations.unsafeWrap(holders);
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

package photon.idregistry.server;

import com.google.protobuf.ByteString;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.function.Consumer;
import photon.core.id.CommitToken;
import photon.core.id.EventId;
import photon.core.rpc.Handler;
import photon.idregistry.shard.ShardState;
import photon.proto.v1.LookupRequest;
import photon.proto.v1.LookupResponse;
import photon.proto.v1.Progress;

/** Lookups: of this replica's own state, or behind a ReadIndex. They never reach the log. */
final class LookupHandler implements Handler<LookupRequest, LookupResponse> {
    private static final int ABSENT = 0;
    private static final int HELD = 1;
    private static final int TOO_OLD = 2;
    private static final int WRONG_SHARD = 3;

    private final Groups groups;

    LookupHandler(Groups groups) {
        this.groups = groups;
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
                            sure -> respond.accept(look(request, shard)),
                            progress ->
                                    respond.accept(
                                            refused(request, progress, shard.group().leader())));
        } else {
            respond.accept(look(request, shard));
        }
    }

    private static LookupResponse look(LookupRequest request, ShardGroup shard) {
        return shard.group().read(state -> look(request, state));
    }

    private static LookupResponse look(LookupRequest request, ShardState state) {
        if (state.map() == null) {
            // Knows nothing yet, not even which ids are its own.
            return refused(request, Progress.UNKNOWN, "");
        }
        ByteBuffer ids = request.getIds().asReadOnlyByteBuffer();
        byte[] found = new byte[ids.remaining() / EventId.BYTES];
        ByteArrayOutputStream holders = new ByteArrayOutputStream();
        for (int i = 0; i < found.length; i++) {
            EventId id = EventId.read(ids);
            if (!state.owns(id)) {
                found[i] = WRONG_SHARD;
            } else if (id.micros() < state.boundaryMicros()) {
                found[i] = TOO_OLD;
            } else {
                CommitToken holder = state.lookup(id);
                found[i] = (byte) (holder == null ? ABSENT : HELD);
                if (holder != null) {
                    holders.writeBytes(bytes(holder));
                }
            }
        }
        return LookupResponse.newBuilder()
                .setRequest(request.getRequest())
                .setProgress(Progress.DECIDED)
                .setFound(ByteString.copyFrom(found))
                .setHolders(ByteString.copyFrom(holders.toByteArray()))
                .setBoundaryMicros(state.boundaryMicros())
                .build();
    }

    private static byte[] bytes(CommitToken token) {
        byte[] bytes = new byte[CommitToken.BYTES];
        token.write(ByteBuffer.wrap(bytes));
        return bytes;
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

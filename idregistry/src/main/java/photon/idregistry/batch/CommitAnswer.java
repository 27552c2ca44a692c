package photon.idregistry.batch;

import com.google.protobuf.ByteString;
import org.jspecify.annotations.Nullable;
import photon.proto.v1.Progress;
import photon.registry.api.ShardMap;

/**
 * What became of one request. Only DECIDED has anything but a progress.
 *
 * @param outcomes one {@link photon.proto.v1.Outcome} number a byte, one an id of the request
 * @param holders the packed token of the holder for each TAKEN, in order
 * @param boundaryMicros the shard's boundary as last heard; {@link Long#MIN_VALUE} if never
 * @param map with any WRONG_SHARD
 * @param latestMicros with any ID_IN_FUTURE: the latest timestamp that was let in; 0 else
 */
public record CommitAnswer(
        Progress progress,
        ByteString outcomes,
        ByteString holders,
        long boundaryMicros,
        @Nullable ShardMap map,
        long latestMicros) {

    static CommitAnswer without(Progress progress) {
        return new CommitAnswer(
                progress, ByteString.EMPTY, ByteString.EMPTY, Long.MIN_VALUE, null, 0);
    }

    /** The answer as it travels. */
    public photon.proto.v1.CommitResponse.Builder toProto(long request) {
        photon.proto.v1.CommitResponse.Builder response =
                photon.proto.v1.CommitResponse.newBuilder()
                        .setRequest(request)
                        .setProgress(progress)
                        .setOutcomes(outcomes)
                        .setHolders(holders)
                        .setBoundaryMicros(boundaryMicros)
                        .setLatestMicros(latestMicros);
        if (map != null) {
            response.setMap(map.toProto());
        }
        return response;
    }
}

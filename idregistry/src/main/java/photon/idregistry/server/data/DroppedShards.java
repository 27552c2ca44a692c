package photon.idregistry.server.data;

import com.google.protobuf.ByteString;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.IntFunction;
import photon.core.id.EventId;
import photon.core.id.Packed;
import photon.idregistry.control.DroppedShard;
import photon.idregistry.server.groups.Groups;
import photon.idregistry.table.LookupBatch;
import photon.proto.v1.CancelOutcome;
import photon.proto.v1.CancelRequest;
import photon.proto.v1.CancelResponse;
import photon.proto.v1.CommitRequest;
import photon.proto.v1.CommitResponse;
import photon.proto.v1.FenceResponse;
import photon.proto.v1.LookupRequest;
import photon.proto.v1.LookupResponse;
import photon.proto.v1.Outcome;
import photon.proto.v1.PrepareEpochResponse;
import photon.proto.v1.PrepareVerdict;
import photon.proto.v1.Progress;
import photon.proto.v1.RemoveOutcome;
import photon.proto.v1.RemoveRequest;
import photon.proto.v1.RemoveResponse;
import photon.proto.v1.ScanResponse;
import photon.proto.v1.ShardRef;

/**
 * Answers for shards that were dropped, which hold nothing and never will (docs/protocol.md section
 * 4): nobody waits for a group that is gone. Any server answers that knows of it.
 */
public final class DroppedShards {
    private DroppedShards() {}

    /**
     * Answers a request for a shard that is not here, where an answer in error would settle
     * something for ever: a replica of the control group that is behind takes an epoch that was
     * made since a restore for one that was lost before. It asks what is committed by now.
     *
     * @param gone the answer, if the shard was dropped or lost
     * @param refused the answer, if it was not, or that is not known
     */
    public static <T> void answer(
            Groups groups,
            ShardRef ref,
            Function<DroppedShard, T> gone,
            Function<Progress, T> refused,
            Consumer<T> respond) {
        DroppedShard dropped = groups.dropped(ref).orElse(null);
        if (dropped == null) {
            respond.accept(refused.apply(groups.absent(ref)));
        } else if (!dropped.lost()) {
            respond.accept(gone.apply(dropped));
        } else {
            groups.controlEntries()
                    .await(
                            groups.control()::readBarrier,
                            sure ->
                                    respond.accept(
                                            groups.dropped(ref)
                                                    .map(gone)
                                                    .orElseGet(
                                                            () -> refused.apply(Progress.UNKNOWN))),
                            progress -> respond.accept(refused.apply(Progress.UNKNOWN)));
        }
    }

    /** Not committed here. Whose they are now decides in its log, as on every commit. */
    static CommitResponse commit(CommitRequest request, DroppedShard dropped) {
        return CommitResponse.newBuilder()
                .setRequest(request.getRequest())
                .setProgress(Progress.DECIDED)
                .setOutcomes(
                        filled(
                                request.getIds().size() / EventId.BYTES,
                                i -> Outcome.WRONG_SHARD_VALUE))
                .setMap(dropped.map().toProto())
                .setBoundaryMicros(dropped.endMicros())
                .build();
    }

    /** As for a commit: whose they are now says what becomes of the tokens. */
    static CancelResponse cancel(CancelRequest request) {
        return CancelResponse.newBuilder()
                .setProgress(Progress.DECIDED)
                .setOutcomes(
                        filled(
                                request.getIds().size() / EventId.BYTES,
                                i -> CancelOutcome.CANCEL_WRONG_SHARD_VALUE))
                .build();
    }

    static LookupResponse lookup(LookupRequest request, DroppedShard dropped) {
        return LookupResponse.newBuilder()
                .setRequest(request.getRequest())
                .setProgress(Progress.DECIDED)
                .setFound(
                        each(
                                request.getIds(),
                                dropped,
                                LookupBatch.TOO_OLD,
                                LookupBatch.WRONG_SHARD))
                .setBoundaryMicros(dropped.endMicros())
                .build();
    }

    static RemoveResponse remove(RemoveRequest request, DroppedShard dropped) {
        return RemoveResponse.newBuilder()
                .setProgress(Progress.DECIDED)
                .setOutcomes(
                        each(
                                request.getIds(),
                                dropped,
                                RemoveOutcome.REMOVE_TOO_OLD_VALUE,
                                RemoveOutcome.REMOVE_WRONG_SHARD_VALUE))
                .build();
    }

    /** Nothing is ever accepted there any more: as if the fence had stood from the start. */
    static FenceResponse fence() {
        return FenceResponse.newBuilder().setProgress(Progress.DECIDED).setIndex(1).build();
    }

    static ScanResponse scan(DroppedShard dropped) {
        return ScanResponse.newBuilder()
                .setProgress(Progress.DECIDED)
                .setBoundaryMicros(dropped.endMicros())
                .setIndex(1)
                .build();
    }

    /** Its epoch has ended long ago: so has every attempt that concerned it. */
    public static PrepareEpochResponse prepare(DroppedShard dropped) {
        return PrepareEpochResponse.newBuilder()
                .setProgress(Progress.DECIDED)
                .setVerdict(PrepareVerdict.PREPARE_SETTLED)
                .setMaxAcceptedMicros(dropped.endMicros())
                .build();
    }

    /** A later id is asked of this shard by a map that is older still. */
    private static ByteString each(ByteString ids, DroppedShard dropped, int old, int wrongShard) {
        var all = Packed.ids(ids);
        return filled(
                all.size(), i -> all.get(i).micros() < dropped.endMicros() ? old : wrongShard);
    }

    private static ByteString filled(int count, IntFunction<Integer> value) {
        byte[] bytes = new byte[count];
        for (int i = 0; i < count; i++) {
            bytes[i] = value.apply(i).byteValue();
        }
        return ByteString.copyFrom(bytes);
    }
}

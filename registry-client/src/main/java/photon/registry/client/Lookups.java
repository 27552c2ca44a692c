package photon.registry.client;

import static photon.core.error.Checks.check;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import photon.core.id.CommitToken;
import photon.core.id.EventId;
import photon.proto.v1.LookupRequest;
import photon.proto.v1.LookupResponse;
import photon.proto.v1.Progress;
import photon.registry.api.IdBatch;
import photon.registry.api.IdRegistry.Freshness;
import photon.registry.api.RegistryClient.Shard;
import photon.registry.api.RegistryProtos;

/** Divides lookups by shard and asks the nearest server that answers. Used in the loop. */
final class Lookups {
    static final int IDS_PER_REQUEST_MAX = 4_096;

    /** The shard's map is newer than ours, or the replica's older: neither takes long. */
    private static final int UNSETTLED_FAILURES = 4;

    private final Asking asking;
    private final ShardRouter router;
    private final MapRenewal renewal;
    private final Nearest nearest;

    /**
     * @param router knows the map, and hears of boundaries
     */
    Lookups(Asking asking, ShardRouter router, MapRenewal renewal, Nearest nearest) {
        this.asking = asking;
        this.router = router;
        this.renewal = renewal;
        this.nearest = nearest;
    }

    /**
     * @param some places of ids in the call; null: all of them
     */
    void ask(LookupCall call, int @Nullable [] some) {
        for (ShardPart part : router.split(call.ids, some)) {
            int count = part.count(call.size());
            for (int from = 0; from < count; from += IDS_PER_REQUEST_MAX) {
                int to = Math.min(count, from + IDS_PER_REQUEST_MAX);
                ask(call, part.shard(), part.places(), from, to);
            }
        }
    }

    private void ask(LookupCall call, Shard shard, int @Nullable [] places, int from, int to) {
        nearest.ask(
                new Nearest.Question<>(
                        RegistryTransport.Server::lookup,
                        LookupRequest.newBuilder()
                                .setShard(RegistryProtos.shardRef(router.pipeline(), shard))
                                .setIds(packed(call.ids, places, from, to))
                                .setLinearizable(call.freshness == Freshness.LINEARIZABLE)
                                .build(),
                        call::hasEnded,
                        answer ->
                                answer.getProgress() == Progress.DECIDED
                                        || answer.getProgress() == Progress.PIPELINE_GONE,
                        answer -> {
                            if (answer.getProgress() == Progress.DECIDED) {
                                answered(call, places, from, to, answer);
                            } else {
                                call.fail(
                                        "The registry has dropped the pipeline "
                                                + router.pipeline());
                            }
                        }));
    }

    private static ByteString packed(IdBatch ids, int @Nullable [] places, int from, int to) {
        if (places == null) {
            return ids.toByteString().substring(from * EventId.BYTES, to * EventId.BYTES);
        }
        ByteBuffer out = ByteBuffer.allocate((to - from) * EventId.BYTES);
        for (int i = from; i < to; i++) {
            ids.copyTo(out, places[i], 1);
        }
        return UnsafeByteOperations.unsafeWrap(out.array());
    }

    private void answered(
            LookupCall call, int @Nullable [] places, int from, int to, LookupResponse answer) {
        ByteString found = answer.getFound();
        check(
                found.size() == to - from,
                "Expected %s answers, but got %s",
                to - from,
                found.size());
        router.boundaryHeard(answer.getBoundaryMicros());
        ByteBuffer holders = answer.getHolders().asReadOnlyByteBuffer().slice();
        int[] wrong = null;
        int wrongCount = 0;
        int at = 0;
        for (int i = 0; i < to - from; i++) {
            byte one = found.byteAt(i);
            int place = places == null ? from + i : places[from + i];
            if (one == LookupCall.WRONG_SHARD) {
                wrong = wrong == null ? new int[to - from - i] : wrong;
                wrong[wrongCount++] = place;
            } else {
                call.answer(place, one, holders, at);
                at += one == LookupCall.HELD ? CommitToken.BYTES : 0;
            }
        }
        if (wrong != null) {
            renewal.soon();
            wrongShard(call, Arrays.copyOf(wrong, wrongCount), holders);
        }
        call.endIfAnswered();
    }

    /** The replica's map and ours differ, so whether these ids are held is not known here. */
    private void wrongShard(LookupCall call, int[] places, ByteBuffer holders) {
        if (call.freshness == Freshness.LOCAL) {
            // A local answer may be stale anyway, and trying the event is safe.
            for (int place : places) {
                call.answer(place, LookupCall.ABSENT, holders, 0);
            }
        } else {
            asking.later(
                    asking.backoff.afterFailures(UNSETTLED_FAILURES),
                    () -> {
                        if (!call.hasEnded()) {
                            ask(call, places);
                        }
                    });
        }
    }
}

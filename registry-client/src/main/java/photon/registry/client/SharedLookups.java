package photon.registry.client;

import static photon.core.error.Checks.check;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import photon.core.id.CommitToken;
import photon.core.id.EventId;
import photon.proto.v1.LookupRequest;
import photon.proto.v1.LookupResponse;
import photon.proto.v1.Progress;
import photon.registry.api.IdBatch;
import photon.registry.api.IdRegistry;
import photon.registry.api.IdRegistry.Freshness;
import photon.registry.api.IdRegistry.WhenFull;
import photon.registry.api.LookupAnswers;
import photon.registry.api.RegistryProtos;

/**
 * Lookups of any thread: the loop divides them by shard and asks the nearest server that answers.
 */
final class SharedLookups {
    static final int IDS_PER_REQUEST_MAX = 4_096;

    /** The shard's map is newer than ours, or the replica's older: neither takes long. */
    private static final int UNSETTLED_FAILURES = 4;

    private final Asking asking;
    private final UUID pipeline;
    private final IdRegistry.Options options;
    private final Calls calls;
    private final MergedCommits shards;
    private final MapRenewal renewal;
    private final Nearest nearest;

    /** Ids of all lookups under way. */
    private final Semaphore room;

    /**
     * @param shards knows the map, and hears of boundaries
     */
    SharedLookups(
            Asking asking,
            UUID pipeline,
            IdRegistry.Options options,
            Calls calls,
            MergedCommits shards,
            MapRenewal renewal,
            Nearest nearest) {
        this.asking = asking;
        this.pipeline = pipeline;
        this.options = options;
        this.calls = calls;
        this.shards = shards;
        this.renewal = renewal;
        this.nearest = nearest;
        this.room = new Semaphore(options.lookupsOutstandingMax(), true);
    }

    /** For any thread. */
    CompletableFuture<LookupAnswers> lookup(IdBatch ids, Freshness freshness, Duration timeout) {
        check(
                ids.size() <= options.lookupsOutstandingMax(),
                "Expected at most %s ids, but got %s",
                options.lookupsOutstandingMax(),
                ids.size());
        long deadline = calls.deadline(timeout);
        LookupCall call = new LookupCall(this, calls, room, ids, freshness, deadline);
        if (ids.size() == 0) {
            call.complete(call);
        } else if (tryTake(ids.size(), deadline)) {
            calls.put(call);
        } else {
            call.fail(Outcomes.NO_ROOM);
        }
        return call;
    }

    private boolean tryTake(int ids, long deadline) {
        if (options.whenFull() == WhenFull.REFUSE || calls.isInLoop()) {
            return room.tryAcquire(ids);
        }
        try {
            long nanos = Math.max(0, calls.nanosUntil(deadline));
            return room.tryAcquire(ids, nanos, TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** Whoever waits for room stops. For any thread. */
    void wakeWaiting() {
        room.release(options.lookupsOutstandingMax());
    }

    void begin(LookupCall call) {
        for (Routing.Part part : shards.routing().split(call.ids)) {
            ask(call, part);
        }
    }

    private void ask(LookupCall call, Routing.Part part) {
        int[] places = part.places();
        int count = places == null ? call.size() : places.length;
        for (int from = 0; from < count; from += IDS_PER_REQUEST_MAX) {
            ask(call, part.slot(), places, from, Math.min(count, from + IDS_PER_REQUEST_MAX));
        }
    }

    private void ask(LookupCall call, ShardSlot slot, int @Nullable [] places, int from, int to) {
        nearest.ask(
                new Nearest.Question<>(
                        RegistryTransport.Server::lookup,
                        LookupRequest.newBuilder()
                                .setShard(RegistryProtos.shardRef(pipeline, slot.shard()))
                                .setIds(packed(call.ids, places, from, to))
                                .setLinearizable(call.freshness == Freshness.LINEARIZABLE)
                                .build(),
                        () -> call.ended,
                        answer -> answer.getProgress() == Progress.DECIDED,
                        answer -> answered(call, places, from, to, answer)));
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
        shards.boundaryHeard(answer.getBoundaryMicros());
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

    /** Whose they are is not known here. */
    private void wrongShard(LookupCall call, int[] places, ByteBuffer holders) {
        if (call.freshness == Freshness.LOCAL) {
            // Stale anyway: the replica's map is older than ours, or the other way round.
            for (int place : places) {
                call.answer(place, LookupCall.ABSENT, holders, 0);
            }
        } else {
            asking.later(
                    asking.backoff.delay(UNSETTLED_FAILURES),
                    () -> {
                        if (!call.ended) {
                            shards.routing()
                                    .split(call.ids, places)
                                    .forEach(part -> ask(call, part));
                        }
                    });
        }
    }
}

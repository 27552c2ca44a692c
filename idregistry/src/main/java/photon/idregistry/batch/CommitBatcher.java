package photon.idregistry.batch;

import static photon.core.error.Checks.check;

import com.google.protobuf.ByteString;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import photon.core.error.Failures;
import photon.core.id.CommitToken;
import photon.core.id.EventId;
import photon.core.loop.EventLoop;
import photon.idregistry.replicated.ReplicatedLog;
import photon.idregistry.shard.ShardEntries;
import photon.idregistry.shard.ShardResults;
import photon.proto.v1.Outcome;
import photon.proto.v1.Progress;

/**
 * Merges the waiting commit requests of all callers of one shard into entries of its log and gives
 * each caller its part of the result. There is no timer: an entry goes at once if none is in
 * flight, and while fewer than a few are, if it is worth its cost ({@link EntryPace}). So it holds
 * one request when there is little to do, and thousands of ids when there is much.
 *
 * <p>Used in its event loop, where it answers too, never from within a call. What it answers as
 * UNKNOWN may be committed or not; as NOT_LEADER it is surely not (docs/protocol.md section 3).
 */
public final class CommitBatcher {
    private final EventLoop loop;
    private final ReplicatedLog log;
    private final BatchLimits limits;
    private final WaitingCommits<Request> waiting;
    private final FairShares.Turn turn;
    private final EntryPace pace;
    private int entriesInFlight;
    private boolean pumpScheduled;
    private boolean closed;
    private long boundaryMicros = Long.MIN_VALUE;
    private long entries;
    private long ids;

    /**
     * A request on arrival.
     *
     * @param future one byte an id, 1 where it is refused as of the future; null if none is
     * @param latestMicros with it: the latest timestamp that was let in; 0 else
     * @param ids those that go into the log
     */
    private record Request(
            ByteString ids,
            ByteString tokens,
            byte @Nullable [] future,
            long latestMicros,
            Consumer<CommitAnswer> answer) {
        int count() {
            return ids.size() / EventId.BYTES;
        }
    }

    /** One that shares the server with no other pipeline. */
    public CommitBatcher(EventLoop loop, ReplicatedLog log, BatchLimits limits) {
        this(loop, log, limits, FairShares.of(limits).of("alone"));
    }

    /**
     * @param share its pipeline's, of the server
     */
    public CommitBatcher(
            EventLoop loop, ReplicatedLog log, BatchLimits limits, FairShares.Share share) {
        this.loop = loop;
        this.log = log;
        this.limits = limits;
        this.waiting = new WaitingCommits<>(limits.waitingIdsMax());
        this.turn = share.turn(new ToLog());
        this.pace = new EntryPace(limits);
    }

    /**
     * Bounds the ids that wait from now on. What waits already stays.
     *
     * @param idsMax 0: as the server's own limits say
     */
    public void limitWaiting(int idsMax) {
        loop.checkInLoop();
        waiting.limit(
                idsMax == 0 ? limits.waitingIdsMax() : Math.max(idsMax, limits.idsPerEntryMax()));
    }

    /**
     * Takes a request in, whole.
     *
     * @param caller whose turn it takes, such as the stream it came on
     * @param requestIds packed ids, with as many packed tokens: {@link ShardEntries#wellFormed}
     * @param latestMicros ids with a later timestamp are answered ID_IN_FUTURE and do not reach the
     *     log: the clock's latest plus the maximum skew
     * @param answer told once, in the loop, unless the batcher is never answered by its log
     * @return false, and {@code answer} is never told, if too much is waiting or the request is
     *     larger than an entry: the caller answers RESOURCE_EXHAUSTED
     */
    public boolean offer(
            Object caller,
            ByteString requestIds,
            ByteString tokens,
            long latestMicros,
            Consumer<CommitAnswer> answer) {
        loop.checkInLoop();
        int count = requestIds.size() / EventId.BYTES;
        check(
                count * EventId.BYTES == requestIds.size()
                        && count * CommitToken.BYTES == tokens.size(),
                "Expected as many tokens as ids, but got %s and %s bytes",
                tokens.size(),
                requestIds.size());
        if (closed || count > limits.idsPerEntryMax()) {
            return false;
        }
        Request request = onArrival(requestIds, tokens, latestMicros, answer);
        if (request.count() == 0) {
            loop.execute(() -> answer.accept(decided(request, ByteString.EMPTY, noHolders())));
            return true;
        }
        if (!waiting.add(caller, request, request.count())) {
            return false;
        }
        pumpSoon();
        return true;
    }

    private static ShardResults.Committed noHolders() {
        return new ShardResults.Committed(ByteString.EMPTY, ByteString.EMPTY, Long.MIN_VALUE, null);
    }

    private static Request onArrival(
            ByteString ids, ByteString tokens, long latestMicros, Consumer<CommitAnswer> answer) {
        int count = ids.size() / EventId.BYTES;
        ByteBuffer in = ids.asReadOnlyByteBuffer().slice();
        byte[] future = null;
        for (int i = 0; i < count; i++) {
            if (in.getLong(i * EventId.BYTES) > latestMicros) {
                future = future == null ? new byte[count] : future;
                future[i] = 1;
            }
        }
        if (future == null) {
            return new Request(ids, tokens, null, 0, answer);
        }
        return new Request(
                without(future, ids, EventId.BYTES),
                without(future, tokens, CommitToken.BYTES),
                future,
                latestMicros,
                answer);
    }

    private static ByteString without(byte[] refused, ByteString packed, int width) {
        ByteArrayOutputStream kept = new ByteArrayOutputStream(packed.size());
        for (int i = 0; i < refused.length; i++) {
            if (refused[i] == 0) {
                kept.writeBytes(packed.substring(i * width, (i + 1) * width).toByteArray());
            }
        }
        return ByteString.copyFrom(kept.toByteArray());
    }

    /** Behind what the loop has at hand, so that requests that came together go together. */
    private void pumpSoon() {
        if (!pumpScheduled) {
            pumpScheduled = true;
            loop.execute(
                    () -> {
                        pumpScheduled = false;
                        turn.changed();
                    });
        }
    }

    /** What goes when it is this shard's turn. */
    private final class ToLog implements FairShares.Flow {
        @Override
        public boolean waiting() {
            return !closed && !waiting.isEmpty();
        }

        @Override
        public boolean hasRoom() {
            return pace.mayGo(entriesInFlight, waiting.ids());
        }

        @Override
        public int submit() {
            return CommitBatcher.this.submit(waiting.take(limits.idsPerEntryMax()));
        }
    }

    private int submit(List<Request> merged) {
        List<ByteString> mergedIds = new ArrayList<>(merged.size());
        List<ByteString> mergedTokens = new ArrayList<>(merged.size());
        int count = 0;
        for (Request request : merged) {
            mergedIds.add(request.ids());
            mergedTokens.add(request.tokens());
            count += request.count();
        }
        int inEntry = count;
        ids += count;
        entries++;
        entriesInFlight++;
        long submittedNanos = loop.nanoTime();
        log.submit(ShardEntries.commit(mergedIds, mergedTokens))
                .whenComplete(
                        (result, failure) ->
                                loop.execute(
                                        () -> {
                                            if (result != null) {
                                                long now = loop.nanoTime();
                                                pace.committed(now - submittedNanos, now);
                                            }
                                            settle(merged, inEntry, result, failure);
                                        }));
        return count;
    }

    private void settle(
            List<Request> merged,
            int inEntry,
            byte @Nullable [] result,
            @Nullable Throwable failure) {
        entriesInFlight--;
        if (result != null) {
            share(merged, ShardResults.commit(result));
        } else {
            CommitAnswer answer =
                    CommitAnswer.without(
                            wasNotSubmitted(failure) ? Progress.NOT_LEADER : Progress.UNKNOWN);
            merged.forEach(request -> request.answer().accept(answer));
        }
        turn.settled(inEntry);
    }

    private static boolean wasNotSubmitted(@Nullable Throwable failure) {
        Throwable cause = failure == null ? null : Failures.cause(failure);
        return cause instanceof ReplicatedLog.NotSubmittedException;
    }

    /** Each request's part of the outcomes and of the holders. */
    private void share(List<Request> merged, ShardResults.Committed committed) {
        boundaryMicros = Math.max(boundaryMicros, committed.boundaryMicros());
        int at = 0;
        int holdersAt = 0;
        for (Request request : merged) {
            ByteString outcomes = committed.outcomes().substring(at, at + request.count());
            int holdersEnd = holdersAt + taken(outcomes) * CommitToken.BYTES;
            ByteString holders = committed.holders().substring(holdersAt, holdersEnd);
            at += request.count();
            holdersAt = holdersEnd;
            ShardResults.Committed part =
                    new ShardResults.Committed(
                            outcomes, holders, committed.boundaryMicros(), committed.map());
            request.answer().accept(decided(request, outcomes, part));
        }
        check(
                at == committed.outcomes().size(),
                "Expected %s outcomes, but got %s",
                at,
                committed.outcomes().size());
    }

    private static int taken(ByteString outcomes) {
        int taken = 0;
        for (int i = 0; i < outcomes.size(); i++) {
            taken += outcomes.byteAt(i) == Outcome.TAKEN_VALUE ? 1 : 0;
        }
        return taken;
    }

    private CommitAnswer decided(
            Request request, ByteString outcomes, ShardResults.Committed part) {
        ByteString whole =
                request.future() == null ? outcomes : withFuture(request.future(), outcomes);
        return new CommitAnswer(
                Progress.DECIDED,
                whole,
                part.holders(),
                boundaryMicros,
                mapFor(outcomes, part),
                request.latestMicros());
    }

    private static photon.registry.api.@Nullable ShardMap mapFor(
            ByteString outcomes, ShardResults.Committed part) {
        for (int i = 0; i < outcomes.size(); i++) {
            if (outcomes.byteAt(i) == Outcome.WRONG_SHARD_VALUE) {
                return part.map();
            }
        }
        return null;
    }

    private static ByteString withFuture(byte[] future, ByteString outcomes) {
        byte[] whole = new byte[future.length];
        int next = 0;
        for (int i = 0; i < whole.length; i++) {
            whole[i] = future[i] == 1 ? (byte) Outcome.ID_IN_FUTURE_VALUE : outcomes.byteAt(next++);
        }
        return ByteString.copyFrom(whole);
    }

    /** Ids that wait for an entry. */
    public int waitingIds() {
        return waiting.ids();
    }

    /** Entries handed to the log and not answered by it. */
    public int entriesInFlight() {
        return entriesInFlight;
    }

    /** Commit entries handed to the log. */
    public long entries() {
        return entries;
    }

    /** Ids in these entries. */
    public long ids() {
        return ids;
    }

    /**
     * Answers what waits with NOT_LEADER, since it was never handed to the log. What is in flight
     * is answered when the log does.
     */
    public void close() {
        loop.checkInLoop();
        closed = true;
        CommitAnswer answer = CommitAnswer.without(Progress.NOT_LEADER);
        while (!waiting.isEmpty()) {
            waiting.take(limits.idsPerEntryMax())
                    .forEach(request -> loop.execute(() -> request.answer().accept(answer)));
        }
        turn.close();
    }
}

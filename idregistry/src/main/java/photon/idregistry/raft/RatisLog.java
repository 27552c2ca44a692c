package photon.idregistry.raft;

import static photon.core.error.Checks.check;

import java.io.IOException;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.protocol.RaftClientReply;
import org.apache.ratis.protocol.RaftClientRequest;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.protocol.exceptions.LeaderSteppingDownException;
import org.apache.ratis.server.DivisionInfo;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.thirdparty.com.google.protobuf.UnsafeByteOperations;
import org.jspecify.annotations.Nullable;
import photon.idregistry.replicated.ReplicatedLog;

/**
 * The leader's side of one group's log. Nothing here asks twice: a submit has one call id of its
 * own, and whatever comes back but a result leaves the outcome unknown, also "not leader", since a
 * leader that steps down says so of entries which its successor may keep (docs/protocol.md section
 * 3).
 */
final class RatisLog implements ReplicatedLog {
    /**
     * Far above what Ratis waits by itself. Whoever asks again must not wait for ever for an answer
     * that is lost with the leader.
     */
    private static final long READ_BARRIER_SECONDS_MAX = 30;

    /** An entry that changes no state. */
    private static final byte[] NOTHING = {};

    private final RaftServer.Division division;
    private final RatisCalls calls;

    /** Entries that Ratis has not answered, by call. */
    private final Map<Long, CompletableFuture<?>> open = new ConcurrentHashMap<>();

    /** Whom leadership is being given to; meanwhile nothing is submitted. */
    private final AtomicReference<@Nullable String> heir = new AtomicReference<>();

    private final LogBarrier barrier;

    /** Entries that Ratis has refused in a row because it was giving leadership away. */
    private volatile long refusals;

    /**
     * @param readers appends what {@link #readBarrier} waits for
     */
    RatisLog(RaftServer.Division division, RatisCalls calls, Executor readers) {
        this.division = division;
        this.calls = calls;
        this.barrier = new LogBarrier(this::appendNothing, readers);
    }

    @Override
    public boolean leads() {
        return heir.get() == null
                && division.getInfo().isLeader()
                && division.getInfo().isLeaderReady();
    }

    /**
     * From now on nothing is submitted, so that whoever asks is told on arrival, for sure, that
     * nothing happened.
     *
     * @return false if that is so already
     */
    boolean yieldTo(String member) {
        return heir.compareAndSet(null, member);
    }

    void yieldNoMore() {
        heir.set(null);
    }

    /** Whom leadership is being given to; null: to nobody. */
    @Nullable String heir() {
        return heir.get();
    }

    /** Completes, never failed, when what was submitted is answered, or that time has passed. */
    CompletableFuture<?> drained(long millisMax) {
        return CompletableFuture.allOf(open.values().toArray(new CompletableFuture<?>[0]))
                .completeOnTimeout(null, millisMax, TimeUnit.MILLISECONDS)
                .handle((done, failure) -> null);
    }

    /** Entries that Ratis has refused in a row because it gives leadership away, as it says. */
    long refusals() {
        return refusals;
    }

    @Override
    public CompletableFuture<byte[]> submit(byte[] entry) {
        check(
                entry.length > 0 && entry.length < RaftSettings.ENTRY_BYTES_MAX,
                "Expected an entry of 1 to below %s bytes, but it has %s",
                RaftSettings.ENTRY_BYTES_MAX,
                entry.length);
        if (!leads()) {
            return notSubmitted();
        }
        return append(entry)
                .thenApply(
                        answer ->
                                resultOf(
                                        answer.getMessage().getContent().toByteArray(),
                                        answer.getLogIndex()));
    }

    private CompletableFuture<Long> appendNothing() {
        return leads() ? append(NOTHING).thenApply(RaftClientReply::getLogIndex) : notSubmitted();
    }

    private <T> CompletableFuture<T> notSubmitted() {
        return CompletableFuture.failedFuture(
                new NotSubmittedException(division.getMemberId() + " does not lead"));
    }

    private CompletableFuture<RaftClientReply> append(byte[] entry) {
        RaftClientRequest request =
                calls.request(division.getGroup().getGroupId())
                        .setMessage(Message.valueOf(UnsafeByteOperations.unsafeWrap(entry)))
                        .setType(RaftClientRequest.writeRequestType())
                        .build();
        CompletableFuture<RaftClientReply> reply = send(request);
        open.put(request.getCallId(), reply);
        reply.whenComplete(
                (answer, failure) -> {
                    open.remove(request.getCallId());
                    count(failure);
                });
        return reply;
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // One more or less makes no difference.
    private void count(@Nullable Throwable failure) {
        boolean refused =
                failure != null
                        && failure.getCause() instanceof OutcomeUnknownException unknown
                        && unknown.getCause() instanceof LeaderSteppingDownException;
        refusals = refused ? refusals + 1 : 0;
    }

    private static byte[] resultOf(byte[] result, long index) {
        if (result.length == 0) {
            // Applied, but by a carrier that did not know the request as its own.
            throw new CompletionException(
                    new OutcomeUnknownException("No result came with the entry at " + index));
        }
        return result;
    }

    /**
     * An index at or above all that was committed before the call, and applied here: of the leader.
     */
    CompletableFuture<Long> readIndex() {
        return barrier.index();
    }

    /**
     * Completes once this replica has applied all that was committed before the call. What Ratis
     * itself knows of that as a leader is not enough ({@code ReadIndexes}).
     */
    CompletableFuture<Void> readBarrier() {
        DivisionInfo here = division.getInfo();
        if (here.isLeader()) {
            return readIndex().thenApply(index -> null);
        }
        // In this order: who follows another one has ended his own leadership, of an earlier term.
        long term = here.getCurrentTerm();
        RaftPeerId leader = here.getLeaderId();
        if (leader == null || leader.equals(division.getId())) {
            return CompletableFuture.failedFuture(
                    new OutcomeUnknownException(division.getMemberId() + " knows no leader"));
        }
        return send(calls.request(division.getGroup().getGroupId())
                        .setMessage(Message.EMPTY)
                        .setType(RaftClientRequest.readRequestType())
                        .build())
                .orTimeout(READ_BARRIER_SECONDS_MAX, TimeUnit.SECONDS)
                .thenApply(
                        reply -> {
                            // In the term in which it follows it does not come to lead, and Ratis
                            // has not asked itself.
                            if (here.getCurrentTerm() != term) {
                                throw new CompletionException(
                                        new OutcomeUnknownException(
                                                division.getMemberId() + " may lead by now"));
                            }
                            return null;
                        });
    }

    private CompletableFuture<RaftClientReply> send(RaftClientRequest request) {
        CompletableFuture<RaftClientReply> reply;
        try {
            reply = division.getRaftServer().submitClientRequestAsync(request);
        } catch (IOException | RuntimeException e) {
            reply = CompletableFuture.failedFuture(e);
        }
        return reply.handle(
                (answer, failure) -> {
                    if (failure != null) {
                        throw new CompletionException(new OutcomeUnknownException(failure));
                    }
                    if (!answer.isSuccess()) {
                        throw new CompletionException(
                                new OutcomeUnknownException(answer.getException()));
                    }
                    return answer;
                });
    }
}

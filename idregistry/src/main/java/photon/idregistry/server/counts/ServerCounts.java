package photon.idregistry.server.counts;

import com.google.protobuf.ByteString;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import photon.core.metrics.Histogram;
import photon.core.rpc.Handler;
import photon.core.rpc.SessionHandler;
import photon.proto.v1.CommitRequest;
import photon.proto.v1.CommitResponse;
import photon.proto.v1.Distribution;
import photon.proto.v1.LookupRequest;
import photon.proto.v1.LookupResponse;
import photon.proto.v1.Outcome;
import photon.proto.v1.Progress;

/**
 * What a server has answered since its start, over all shards. Counted a message at a time,
 * whatever number of ids it has, without a lock. Thread-safe.
 */
public final class ServerCounts {
    private static final int LOOKUP_ANSWERS = 4;
    private static final long[] ENTRY_IDS = {
        1, 8, 32, 128, 512, 1_024, 2_048, 4_096, 8_192, 16_384
    };

    /** From what one sync takes to where a client has given up. */
    private static final long[] COMMIT_MICROS = {
        1_000,
        2_000,
        5_000,
        10_000,
        20_000,
        35_000,
        50_000,
        75_000,
        100_000,
        150_000,
        200_000,
        350_000,
        500_000,
        1_000_000,
        2_000_000,
        5_000_000,
        10_000_000
    };

    private final LongAdder[] outcomes = adders(Outcome.values().length - 1);
    private final LongAdder[] commits = adders(Progress.values().length - 1);
    private final LongAdder[] lookups = adders(Progress.values().length - 1);
    private final LongAdder[] found = adders(LOOKUP_ANSWERS);
    private final LongAdder commitStreams = new LongAdder();
    private final LongAdder lookupStreams = new LongAdder();
    private final LongAdder leadershipsGiven = new LongAdder();
    private final LongAdder leadershipsNotGiven = new LongAdder();
    private final LongAdder leadershipsFetched = new LongAdder();
    private final Histogram entryIds = new Histogram(ENTRY_IDS);
    private final Histogram commitMicros = new Histogram(COMMIT_MICROS);

    private static LongAdder[] adders(int count) {
        return IntStream.range(0, count).mapToObj(n -> new LongAdder()).toArray(LongAdder[]::new);
    }

    /** The same handler, and its answers are counted. */
    public SessionHandler<CommitRequest, CommitResponse> commits(
            SessionHandler<CommitRequest, CommitResponse> handler) {
        return counted(handler, commitStreams, this::answered);
    }

    /** The same handler, and its answers are counted. */
    public Handler<LookupRequest, LookupResponse> lookups(
            Handler<LookupRequest, LookupResponse> handler) {
        return (request, respond) ->
                handler.handle(
                        request,
                        response -> {
                            answered(response);
                            respond.accept(response);
                        });
    }

    /** The handler for streams, which are counted. */
    public SessionHandler<LookupRequest, LookupResponse> lookupStreams(
            Handler<LookupRequest, LookupResponse> handler) {
        return counted(out -> answering(handler, out), lookupStreams, answer -> {});
    }

    private static <Q, R> SessionHandler.Session<Q> answering(
            Handler<Q, R> handler, Consumer<R> out) {
        return new SessionHandler.Session<>() {
            @Override
            public void received(Q request) {
                handler.handle(request, out);
            }

            @Override
            public void closed() {}
        };
    }

    private static <Q, R> SessionHandler<Q, R> counted(
            SessionHandler<Q, R> handler, LongAdder open, Consumer<R> answered) {
        return out -> {
            open.increment();
            SessionHandler.Session<Q> session =
                    handler.opened(
                            answer -> {
                                answered.accept(answer);
                                out.accept(answer);
                            });
            return new SessionHandler.Session<>() {
                @Override
                public void received(Q message) {
                    session.received(message);
                }

                @Override
                public void closed() {
                    open.decrement();
                    session.closed();
                }
            };
        };
    }

    private void answered(CommitResponse response) {
        commits[response.getProgressValue()].increment();
        add(response.getOutcomes(), outcomes);
    }

    private void answered(LookupResponse response) {
        lookups[response.getProgressValue()].increment();
        add(response.getFound(), found);
    }

    private static void add(ByteString each, LongAdder[] to) {
        int[] sums = new int[to.length];
        for (int i = 0; i < each.size(); i++) {
            sums[each.byteAt(i)]++;
        }
        for (int value = 0; value < sums.length; value++) {
            if (sums[value] > 0) {
                to[value].add(sums[value]);
            }
        }
    }

    /**
     * A commit entry has come back from the log, with a result or without.
     *
     * @param nanos since its submit
     */
    void entryEnded(int ids, long nanos) {
        entryIds.record(ids);
        commitMicros.record(TimeUnit.NANOSECONDS.toMicros(nanos));
    }

    /** A leadership was to be given to another server. */
    public void leadershipAsked(boolean given) {
        (given ? leadershipsGiven : leadershipsNotGiven).increment();
    }

    /** This server leads a group because it has asked for it. */
    public void leadershipFetched() {
        leadershipsFetched.increment();
    }

    public photon.proto.v1.ServerCounts toProto(StateMeter states) {
        return photon.proto.v1.ServerCounts.newBuilder()
                .putAllCommitOutcomes(byNumber(outcomes))
                .putAllCommitRequests(byNumber(commits))
                .putAllLookupRequests(byNumber(lookups))
                .putAllLookupAnswers(byNumber(found))
                .setCommitStreams(commitStreams.intValue())
                .setLookupStreams(lookupStreams.intValue())
                .setLeadershipsGiven(leadershipsGiven.sum())
                .setLeadershipsNotGiven(leadershipsNotGiven.sum())
                .setLeadershipsFetched(leadershipsFetched.sum())
                .setEntryIds(distribution(entryIds))
                .setCommitMicros(distribution(commitMicros))
                .setApplyMicros(distribution(states.apply()))
                .setSnapshotPauseMicros(distribution(states.pause()))
                .setSnapshotWriteMicros(distribution(states.write()))
                .build();
    }

    private static Map<Integer, Long> byNumber(LongAdder[] counts) {
        Map<Integer, Long> all = new HashMap<>();
        for (int number = 0; number < counts.length; number++) {
            all.put(number, counts[number].sum());
        }
        return all;
    }

    private static Distribution distribution(Histogram histogram) {
        Histogram.Counts counts = histogram.counts();
        Distribution.Builder proto = Distribution.newBuilder().setSum(counts.sum());
        for (long bound : counts.bounds()) {
            proto.addBounds(bound);
        }
        for (long count : counts.counts()) {
            proto.addCounts(count);
        }
        return proto.build();
    }
}

package photon.idregistry.server.data;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import photon.core.rpc.SessionHandler;
import photon.core.time.IntervalClock;
import photon.idregistry.batch.CommitAnswer;
import photon.idregistry.server.groups.Groups;
import photon.idregistry.server.groups.RequestValidation;
import photon.idregistry.server.groups.ShardGroup;
import photon.idregistry.shard.ShardEntries;
import photon.proto.v1.CommitRequest;
import photon.proto.v1.CommitResponse;
import photon.proto.v1.Progress;

/** Commits: validation, then the shard's batcher. */
public final class CommitHandler implements SessionHandler<CommitRequest, CommitResponse> {
    private final Groups groups;
    private final IntervalClock clock;
    private final long maxSkewMicros;

    public CommitHandler(Groups groups, IntervalClock clock, Duration maxSkew) {
        this.groups = groups;
        this.clock = clock;
        this.maxSkewMicros = TimeUnit.NANOSECONDS.toMicros(maxSkew.toNanos());
    }

    @Override
    public Session<CommitRequest> opened(Consumer<CommitResponse> out) {
        return new Session<>() {
            @Override
            public void received(CommitRequest request) {
                // The stream is the caller whose turn a request takes.
                commit(this, request, out);
            }

            @Override
            public void closed() {}
        };
    }

    private void commit(Object caller, CommitRequest request, Consumer<CommitResponse> out) {
        ShardGroup shard = groups.shard(request.getShard());
        if (!ShardEntries.wellFormed(request.getIds(), request.getTokens())) {
            RequestValidation.malformed("commit");
            out.accept(refused(request, Progress.PROGRESS_UNSPECIFIED));
        } else if (shard == null) {
            out.accept(
                    groups.dropped(request.getShard())
                            .map(dropped -> DroppedShards.commit(request, dropped))
                            .orElseGet(() -> refused(request, groups.absent(request.getShard()))));
        } else if (!shard.group().log().leads()) {
            out.accept(notLeader(request, shard));
        } else if (!shard.commits()
                .offer(
                        caller,
                        request.getIds(),
                        request.getTokens(),
                        clock.now().latestMicros() + maxSkewMicros,
                        answer -> out.accept(answered(request, shard, answer)))) {
            out.accept(refused(request, Progress.RESOURCE_EXHAUSTED));
        }
    }

    private static CommitResponse answered(
            CommitRequest request, ShardGroup shard, CommitAnswer answer) {
        return answer.progress() == Progress.NOT_LEADER
                ? notLeader(request, shard)
                : answer.toProto(request.getRequest()).build();
    }

    private static CommitResponse notLeader(CommitRequest request, ShardGroup shard) {
        return refused(request, Progress.NOT_LEADER).toBuilder()
                .setLeader(shard.group().leader())
                .build();
    }

    private static CommitResponse refused(CommitRequest request, Progress progress) {
        return CommitResponse.newBuilder()
                .setRequest(request.getRequest())
                .setProgress(progress)
                .setBoundaryMicros(Long.MIN_VALUE)
                .build();
    }
}

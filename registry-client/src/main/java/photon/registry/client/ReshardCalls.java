package photon.registry.client;

import com.google.protobuf.ByteString;
import java.time.Duration;
import java.util.HexFormat;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import photon.proto.v1.BeginReshardRequest;
import photon.proto.v1.BeginReshardResponse;
import photon.proto.v1.DecideReshardRequest;
import photon.proto.v1.DecideReshardResponse;
import photon.proto.v1.ReshardDecision;
import photon.proto.v1.ReshardState;
import photon.registry.api.RegistryProtos;
import photon.registry.api.ReshardClient;

/** Asks the control group to begin and to abort, and what became of it. */
final class ReshardCalls implements ReshardClient {
    private static final Duration LOOK_EVERY = Duration.ofMillis(100);

    private final Asking asking;
    private final Leaders leaders;

    ReshardCalls(Asking asking, Leaders leaders) {
        this.asking = asking;
        this.leaders = leaders;
    }

    @Override
    public CompletableFuture<Begun> begin(Reshard wanted) {
        asking.loop.checkInLoop();
        CompletableFuture<Begun> begun = new CompletableFuture<>();
        asking.leader(
                leaders.ofControl(),
                Rpc.BEGIN_RESHARD,
                BeginReshardRequest.newBuilder()
                        .setPipeline(RegistryProtos.bytes(wanted.pipeline()))
                        .setBaseVersion(wanted.baseVersion())
                        .setShards(wanted.shards())
                        .setStartMicros(wanted.startMicros())
                        .setNonce(ByteString.copyFrom(HexFormat.of().parseHex(wanted.nonceHex())))
                        .setActor(asking.actor())
                        .build(),
                answer -> begun.complete(begun(answer)));
        return begun;
    }

    private static Begun begun(BeginReshardResponse answer) {
        long version = answer.getMap().getVersion();
        return answer.getVerdict() == BeginReshardResponse.Verdict.BEGUN
                ? new Begun(
                        answer.getAttempt().getNumber(),
                        answer.getAttempt().getBaseVersion(),
                        answer.getAttempt().getShards(),
                        answer.getAttempt().getStartMicros(),
                        version,
                        "")
                : new Begun(0, 0, 0, 0, version, why(answer.getVerdict()));
    }

    private static String why(BeginReshardResponse.Verdict verdict) {
        return switch (verdict) {
            case UNKNOWN_PIPELINE -> "the registry does not know the pipeline any more";
            case OTHER_VERSION -> "the shard map changed meanwhile: plan again";
            case BAD_SHARDS -> "so many shards cannot be";
            case BAD_START ->
                    "the start is not after the last epoch's, or more than 31 days ahead of the servers' clocks";
            case TOO_MANY_OPEN -> "too many attempts are under way";
            default -> "the control group says " + verdict;
        };
    }

    @Override
    public CompletableFuture<Result> await(UUID pipeline, long attempt) {
        asking.loop.checkInLoop();
        CompletableFuture<Result> result = new CompletableFuture<>();
        await(pipeline, attempt, result);
        return result;
    }

    private void await(UUID pipeline, long attempt, CompletableFuture<Result> result) {
        if (result.isDone()) {
            return;
        }
        decide(
                pipeline,
                attempt,
                ReshardDecision.RESHARD_DECISION_UNSPECIFIED,
                "",
                answer -> {
                    if (answer.getState() == ReshardState.RESHARD_OPEN) {
                        asking.later(LOOK_EVERY, () -> await(pipeline, attempt, result));
                    } else {
                        result.complete(
                                result(
                                        answer,
                                        "a shard, another attempt or somebody was against it: photon registry audit tells why"));
                    }
                });
    }

    @Override
    public CompletableFuture<Result> cancel(UUID pipeline, long attempt) {
        asking.loop.checkInLoop();
        CompletableFuture<Result> result = new CompletableFuture<>();
        decide(
                pipeline,
                attempt,
                ReshardDecision.ABORT,
                "cancelled",
                answer -> result.complete(result(answer, "aborted")));
        return result;
    }

    private void decide(
            UUID pipeline,
            long attempt,
            ReshardDecision asked,
            String reason,
            Consumer<DecideReshardResponse> answered) {
        asking.leader(
                leaders.ofControl(),
                Rpc.DECIDE_RESHARD,
                DecideReshardRequest.newBuilder()
                        .setPipeline(RegistryProtos.bytes(pipeline))
                        .setAttempt(attempt)
                        .setDecision(asked)
                        .setReason(reason)
                        .setActor(asking.actor())
                        .build(),
                answered);
    }

    private static Result result(DecideReshardResponse answer, String whyAborted) {
        long version = answer.getMap().getVersion();
        return switch (answer.getState()) {
            case RESHARD_COMMITTED -> new Result(End.COMMITTED, version, "committed");
            case RESHARD_ABORTED -> new Result(End.ABORTED, version, whyAborted);
            default -> new Result(End.REFUSED, version, "there is no such attempt");
        };
    }

    @Override
    public CompletableFuture<Result> reshard(Reshard wanted, Duration giveUpAfter) {
        CompletableFuture<Result> result = new CompletableFuture<>();
        begin(wanted)
                .thenAccept(
                        begun -> {
                            if (begun.isRefused()) {
                                result.complete(
                                        new Result(End.REFUSED, begun.mapVersion(), begun.why()));
                                return;
                            }
                            await(wanted.pipeline(), begun.attempt(), result);
                            asking.later(
                                    giveUpAfter,
                                    () -> giveUp(wanted.pipeline(), begun.attempt(), result));
                        });
        return result;
    }

    private void giveUp(UUID pipeline, long attempt, CompletableFuture<Result> result) {
        if (!result.isDone()) {
            decide(
                    pipeline,
                    attempt,
                    ReshardDecision.ABORT,
                    "it took too long for whoever began it",
                    answer -> result.complete(result(answer, "it took too long")));
        }
    }

    void close() {
        asking.close();
    }
}

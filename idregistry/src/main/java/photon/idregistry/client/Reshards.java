package photon.idregistry.client;

import com.google.protobuf.ByteString;
import java.time.Duration;
import java.util.HexFormat;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import photon.core.loop.EventLoop;
import photon.idregistry.api.RegistryClient.Shard;
import photon.idregistry.api.ReshardClient;
import photon.idregistry.control.ControlState;
import photon.idregistry.reshard.ReshardCoordinator;
import photon.idregistry.reshard.ReshardCoordinator.Step;
import photon.proto.v1.BeginReshardRequest;
import photon.proto.v1.DecideReshardRequest;
import photon.proto.v1.PrepareEpochRequest;
import photon.proto.v1.ShardRef;

/** Sends what a {@link ReshardCoordinator} says, each step until its answer is definite. */
final class Reshards implements ReshardClient {
    /** The shard's map is behind, which its leader mends by itself within a moment. */
    private static final int TOO_EARLY_FAILURES = 4;

    private final Asking asking;
    private final Leaders leaders;

    Reshards(Asking asking, Leaders leaders) {
        this.asking = asking;
        this.leaders = leaders;
    }

    @Override
    public CompletableFuture<Result> reshard(Reshard wanted, Duration giveUpAfter) {
        asking.loop.checkInLoop();
        Led led = new Led(wanted);
        led.timer =
                asking.loop.schedule(
                        giveUpAfter,
                        () -> {
                            if (!asking.isClosed() && !led.future.isDone()) {
                                led.coordinator.giveUp();
                                goOn(led);
                            }
                        });
        goOn(led);
        return led.future;
    }

    void close() {
        asking.close();
    }

    private static final class Led {
        final Reshard wanted;
        final ReshardCoordinator coordinator = new ReshardCoordinator();
        final CompletableFuture<Result> future = new CompletableFuture<>();
        EventLoop.Cancellable timer = () -> {};

        Led(Reshard wanted) {
            this.wanted = wanted;
        }
    }

    private void goOn(Led led) {
        for (Step step : led.coordinator.next()) {
            send(led, step);
        }
        Result result = led.coordinator.result();
        if (result != null && !led.future.isDone()) {
            led.timer.cancel();
            led.future.complete(result);
        }
    }

    private void send(Led led, Step step) {
        if (step instanceof Step.Begin) {
            begin(led);
        } else if (step instanceof Step.Prepare prepare) {
            if (prepare.again()) {
                asking.later(asking.backoff.delay(TOO_EARLY_FAILURES), () -> prepare(led, prepare));
            } else {
                prepare(led, prepare);
            }
        } else if (step instanceof Step.Decide decide) {
            decide(led, decide);
        }
    }

    private void begin(Led led) {
        asking.leader(
                leaders.ofControl(),
                Rpc.BEGIN_RESHARD,
                BeginReshardRequest.newBuilder()
                        .setPipeline(ControlState.bytes(led.wanted.pipeline()))
                        .setBaseVersion(led.wanted.baseVersion())
                        .setShards(led.wanted.shards())
                        .setStartMicros(led.wanted.startMicros())
                        .setNonce(
                                ByteString.copyFrom(HexFormat.of().parseHex(led.wanted.nonceHex())))
                        .build(),
                answer -> {
                    led.coordinator.begun(answer);
                    goOn(led);
                });
    }

    private void prepare(Led led, Step.Prepare prepare) {
        ShardRef group = ref(led, prepare.shard());
        asking.leader(
                leaders.of(group),
                Rpc.PREPARE_EPOCH,
                PrepareEpochRequest.newBuilder()
                        .setShard(group)
                        .setAttempt(prepare.attempt().getNumber())
                        .setBaseVersion(prepare.attempt().getBaseVersion())
                        .setStartMicros(prepare.attempt().getStartMicros())
                        .build(),
                answer -> {
                    led.coordinator.prepared(prepare.shard(), answer.getVerdict());
                    goOn(led);
                });
    }

    private void decide(Led led, Step.Decide decide) {
        DecideReshardRequest.Builder request =
                DecideReshardRequest.newBuilder()
                        .setPipeline(ControlState.bytes(led.wanted.pipeline()))
                        .setAttempt(decide.attempt().getNumber())
                        .setDecision(decide.decision());
        decide.prepared().forEach(shard -> request.addPrepared(ref(led, shard)));
        asking.leader(
                leaders.ofControl(),
                Rpc.DECIDE_RESHARD,
                request.build(),
                answer -> {
                    led.coordinator.decided(answer);
                    goOn(led);
                });
    }

    private static ShardRef ref(Led led, Shard shard) {
        UUID pipeline = led.wanted.pipeline();
        return ControlState.shardRef(pipeline, shard);
    }
}

package photon.idregistry.fuzz;

import static photon.core.error.Checks.check;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import com.google.protobuf.Parser;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import photon.core.loop.ManualLoop;
import photon.core.rpc.Handler;
import photon.core.rpc.HostPort;
import photon.core.time.IntervalClock;
import photon.idregistry.batch.BatchLimits;
import photon.idregistry.control.ControlState;
import photon.idregistry.replicated.ReplicatedLog;
import photon.idregistry.replicated.ReplicatedState;
import photon.idregistry.server.RegistryService;
import photon.idregistry.server.groups.Group;
import photon.idregistry.server.groups.GroupMaker;
import photon.idregistry.server.groups.ServerPeers;
import photon.idregistry.shard.ShardState;
import photon.proto.v1.BeginReshardRequest;
import photon.proto.v1.CancelRequest;
import photon.proto.v1.CommitRequest;
import photon.proto.v1.DecideReshardRequest;
import photon.proto.v1.DescribePipelineRequest;
import photon.proto.v1.DropPipelineRequest;
import photon.proto.v1.FenceIncarnationRequest;
import photon.proto.v1.FenceRequest;
import photon.proto.v1.Incarnation;
import photon.proto.v1.ListIncarnationsRequest;
import photon.proto.v1.LookupRequest;
import photon.proto.v1.OpenPipelineRequest;
import photon.proto.v1.PrepareEpochRequest;
import photon.proto.v1.RegisterRequest;
import photon.proto.v1.RemoveRequest;
import photon.proto.v1.RenewIncarnationRequest;
import photon.proto.v1.ScanRequest;
import photon.proto.v1.SetIncarnationStateRequest;
import photon.proto.v1.SetPipelineRequest;
import photon.proto.v1.ShardRef;
import photon.proto.v1.TellClockRequest;
import photon.registry.api.RegistryClient.Shard;
import photon.registry.api.RegistryProtos;
import photon.registry.client.FakeRegistryTransport;

/**
 * A server with one shard, in one thread, whose logs apply at once. A request that reaches a log
 * must be one that every replica can apply: anything else would halt them all.
 */
final class FuzzedServer {
    private static final ShardRef SHARD =
            RegistryProtos.shardRef(RightInputs.PIPELINE, new Shard(1, 0));
    private static final IntervalClock CLOCK = () -> new IntervalClock.Interval(5_000, 5_000);

    private final ManualLoop loop = new ManualLoop();
    private final ControlState control = new ControlState();
    private final Map<ShardRef, ShardState> shards = new HashMap<>();
    private final RegistryService service;

    private FuzzedServer() {
        service =
                new RegistryService(
                        loop,
                        group(control),
                        new Maker(),
                        CLOCK,
                        Duration.ofMillis(1),
                        new BatchLimits(64, 2, 256),
                        new ServerPeers(
                                List.of(HostPort.parse("a:1")),
                                new FakeRegistryTransport(loop),
                                new SplittableRandom(1)),
                        Duration.ofMillis(10));
        service.start();
        answer(service.openPipeline(), (OpenPipelineRequest) rightRequests().get(7));
        loop.advance(Duration.ofMillis(50));
        loop.runUntilIdle();
        check(!shards.isEmpty(), "Expected a shard");
    }

    private static <S extends ReplicatedState> Group<S> group(S state) {
        ReplicatedLog log =
                new ReplicatedLog() {
                    @Override
                    public boolean leads() {
                        return true;
                    }

                    @Override
                    public CompletableFuture<byte[]> submit(byte[] entry) {
                        return CompletableFuture.completedFuture(
                                state.apply(state.lastIndex() + 1, ByteBuffer.wrap(entry)));
                    }
                };
        return new Group<>() {
            @Override
            public ReplicatedLog log() {
                return log;
            }

            @Override
            public String leader() {
                return "a:1";
            }

            @Override
            public boolean caughtUp() {
                return true;
            }

            @Override
            public <T extends @Nullable Object> T read(Function<S, T> reader) {
                return reader.apply(state);
            }

            @Override
            public CompletableFuture<Void> readBarrier() {
                return CompletableFuture.completedFuture(null);
            }
        };
    }

    private final class Maker implements GroupMaker {
        @Override
        public @Nullable Group<ShardState> find(ShardRef shard) {
            ShardState state = shards.get(shard);
            return state == null ? null : group(state);
        }

        @Override
        public CompletableFuture<?> make(ShardRef shard) {
            shards.put(shard, new ShardState());
            return CompletableFuture.completedFuture(null);
        }

        @Override
        public CompletableFuture<?> remove(ShardRef shard) {
            shards.remove(shard);
            return CompletableFuture.completedFuture(null);
        }
    }

    /** One of each method, in the order of their numbers. */
    static List<Message> rightRequests() {
        Incarnation incarnation = Incarnation.newBuilder().setSlot(1).setGeneration(1).build();
        return List.of(
                CommitRequest.newBuilder()
                        .setShard(SHARD)
                        .setIds(RightInputs.ids(3))
                        .setTokens(RightInputs.tokens(3, 1))
                        .build(),
                LookupRequest.newBuilder()
                        .setShard(SHARD)
                        .setIds(RightInputs.ids(3))
                        .setLinearizable(true)
                        .build(),
                RemoveRequest.newBuilder()
                        .setShard(SHARD)
                        .setIds(RightInputs.ids(2))
                        .setTokens(RightInputs.tokens(2, 1))
                        .build(),
                FenceRequest.newBuilder()
                        .setShard(SHARD)
                        .setSlot(1)
                        .setLowestLiveGeneration(2)
                        .build(),
                ScanRequest.newBuilder()
                        .setShard(SHARD)
                        .setIncarnation(incarnation)
                        .setAfter(RightInputs.ids(1))
                        .setLimit(10)
                        .build(),
                DescribePipelineRequest.newBuilder().setName("gone").build(),
                PrepareEpochRequest.newBuilder()
                        .setShard(SHARD)
                        .setAttempt(1)
                        .setBaseVersion(1)
                        .setStartMicros(9_000)
                        .build(),
                OpenPipelineRequest.newBuilder()
                        .setName("jobs")
                        .setUuid(RegistryProtos.bytes(RightInputs.PIPELINE))
                        .setIdentityFingerprint("f")
                        .setShards(1)
                        .build(),
                DescribePipelineRequest.newBuilder().setName("jobs").build(),
                RegisterRequest.newBuilder()
                        .setPipeline(RegistryProtos.bytes(RightInputs.PIPELINE))
                        .setSlotName("east/joiner-0")
                        .setNonce(RightInputs.ids(1).substring(0, 16))
                        .setIdentityFingerprint("f")
                        .build(),
                FenceIncarnationRequest.newBuilder()
                        .setPipeline(RegistryProtos.bytes(RightInputs.PIPELINE))
                        .setIncarnation(incarnation)
                        .build(),
                SetIncarnationStateRequest.newBuilder()
                        .setPipeline(RegistryProtos.bytes(RightInputs.PIPELINE))
                        .setIncarnation(incarnation)
                        .setStateValue(2)
                        .build(),
                ListIncarnationsRequest.newBuilder()
                        .setPipeline(RegistryProtos.bytes(RightInputs.PIPELINE))
                        .build(),
                BeginReshardRequest.newBuilder()
                        .setPipeline(RegistryProtos.bytes(RightInputs.PIPELINE))
                        .setBaseVersion(1)
                        .setShards(2)
                        .setStartMicros(9_000)
                        .build(),
                DecideReshardRequest.newBuilder()
                        .setPipeline(RegistryProtos.bytes(RightInputs.PIPELINE))
                        .setAttempt(1)
                        .setReason("no")
                        .build(),
                TellClockRequest.getDefaultInstance(),
                SetPipelineRequest.newBuilder()
                        .setPipeline(RegistryProtos.bytes(RightInputs.PIPELINE))
                        .setRetentionMicros(5)
                        .setWaitingIdsPerShard(4_096)
                        .setShareWeight(200)
                        .setActor("me@here")
                        .build(),
                DropPipelineRequest.newBuilder()
                        .setPipeline(RegistryProtos.bytes(RightInputs.PIPELINE))
                        .setForce(true)
                        .setActor("me@here")
                        .build(),
                RenewIncarnationRequest.newBuilder()
                        .setPipeline(RegistryProtos.bytes(RightInputs.PIPELINE))
                        .setIncarnation(incarnation)
                        .setHoldMicros(9_000)
                        .build(),
                CancelRequest.newBuilder()
                        .setShard(SHARD)
                        .setIds(RightInputs.ids(2))
                        .setTokens(RightInputs.tokens(2, 1))
                        .build());
    }

    /**
     * Sends one request to a server of its own.
     *
     * @param bytes the request's number, then its message
     * @throws InvalidProtocolBufferException if it is no message: gRPC refuses that by itself
     */
    static void send(byte[] bytes) throws InvalidProtocolBufferException {
        if (bytes.length > 0) {
            new FuzzedServer().send(bytes[0], Arrays.copyOfRange(bytes, 1, bytes.length));
        }
    }

    private void send(int method, byte[] message) throws InvalidProtocolBufferException {
        switch (method) {
            case 0 -> {
                int[] answers = {0};
                var session = service.commit().opened(answer -> answers[0]++);
                session.received(CommitRequest.parseFrom(message));
                loop.runUntilIdle();
                session.closed();
                check(answers[0] == 1, "Expected one answer, but got %s", answers[0]);
            }
            case 1 -> parsed(service.lookup(), LookupRequest.parser(), message);
            case 2 -> parsed(service.remove(), RemoveRequest.parser(), message);
            case 3 -> parsed(service.fence(), FenceRequest.parser(), message);
            case 4 -> parsed(service.scan(), ScanRequest.parser(), message);
            // 5 was a method once: the numbers of the others stay.
            case 5 -> parsed(service.describePipeline(), DescribePipelineRequest.parser(), message);
            case 6 -> parsed(service.prepareEpoch(), PrepareEpochRequest.parser(), message);
            case 7 -> parsed(service.openPipeline(), OpenPipelineRequest.parser(), message);
            case 8 -> parsed(service.describePipeline(), DescribePipelineRequest.parser(), message);
            case 9 -> parsed(service.register(), RegisterRequest.parser(), message);
            case 10 ->
                    parsed(service.fenceIncarnation(), FenceIncarnationRequest.parser(), message);
            case 11 ->
                    parsed(
                            service.setIncarnationState(),
                            SetIncarnationStateRequest.parser(),
                            message);
            case 12 ->
                    parsed(service.listIncarnations(), ListIncarnationsRequest.parser(), message);
            case 13 -> parsed(service.beginReshard(), BeginReshardRequest.parser(), message);
            case 14 -> parsed(service.decideReshard(), DecideReshardRequest.parser(), message);
            case 15 -> parsed(service.tellClock(), TellClockRequest.parser(), message);
            case 16 -> parsed(service.setPipeline(), SetPipelineRequest.parser(), message);
            case 17 -> parsed(service.dropPipeline(), DropPipelineRequest.parser(), message);
            case 18 ->
                    parsed(service.renewIncarnation(), RenewIncarnationRequest.parser(), message);
            case 19 -> parsed(service.cancel(), CancelRequest.parser(), message);
            default -> {
                // No such method.
            }
        }
        // What was let in has consequences a moment later.
        loop.advance(Duration.ofMillis(50));
        loop.runUntilIdle();
    }

    private <Q, R> void parsed(Handler<Q, R> handler, Parser<Q> parser, byte[] message)
            throws InvalidProtocolBufferException {
        answer(handler, parser.parseFrom(message));
    }

    private <Q, R> void answer(Handler<Q, R> handler, Q request) {
        int[] answers = {0};
        Consumer<R> count = answer -> answers[0]++;
        handler.handle(request, count);
        loop.runUntilIdle();
        check(answers[0] == 1, "Expected one answer, but got %s", answers[0]);
    }
}

package photon.testbed.history;

import com.google.protobuf.ByteString;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;
import photon.core.id.CommitToken;
import photon.core.id.EventId;
import photon.core.id.Packed;
import photon.core.rpc.Caller;
import photon.core.rpc.HostPort;
import photon.proto.v1.CommitRequest;
import photon.proto.v1.FenceRequest;
import photon.proto.v1.LookupRequest;
import photon.proto.v1.Outcome;
import photon.proto.v1.Progress;
import photon.proto.v1.RemoveOutcome;
import photon.proto.v1.RemoveRequest;
import photon.proto.v1.ShardRef;
import photon.registry.api.RegistryClient.Commit;
import photon.registry.api.RegistryClient.Shard;
import photon.registry.api.RegistryProtos;
import photon.registry.client.RegistryTransport;

/**
 * Requests over the wire, each sent once to one server and recorded as what its answer says: what
 * was refused on arrival did not happen and is not recorded; what got no answer, or UNKNOWN, may
 * happen at any later time. Goes to whom it takes for the leader mostly, and to anybody sometimes.
 * Used in one loop.
 */
final class ShardCalls {
    private static final int STRAY_ONE_IN = 12;

    private final Random random;
    private final UUID pipeline;
    private final List<HostPort> servers;
    private final RegistryTransport transport;
    private final Recorder recorder;
    private final Map<Shard, Leader> leaders = new HashMap<>();

    /** Whom a shard's callers take for the leader. */
    static final class Leader {
        private HostPort guess;
        private volatile @Nullable HostPort answered;
        private int changes;

        Leader(HostPort guess) {
            this.guess = guess;
        }

        /** Who last decided anything; null before the first. */
        @Nullable HostPort answered() {
            return answered;
        }

        /** How often that was another one than before. */
        int changes() {
            return changes;
        }
    }

    ShardCalls(
            Random random,
            UUID pipeline,
            List<HostPort> servers,
            RegistryTransport transport,
            Recorder recorder,
            List<Shard> shards) {
        this.random = random;
        this.pipeline = pipeline;
        this.servers = servers;
        this.transport = transport;
        this.recorder = recorder;
        shards.forEach(shard -> leaders.put(shard, new Leader(servers.get(0))));
    }

    Leader leader(Shard shard) {
        return java.util.Objects.requireNonNull(leaders.get(shard));
    }

    private HostPort anybody() {
        return servers.get(random.nextInt(servers.size()));
    }

    private HostPort target(Shard shard) {
        return random.nextInt(STRAY_ONE_IN) == 0 ? anybody() : leader(shard).guess;
    }

    private ShardRef group(Shard shard) {
        return RegistryProtos.shardRef(pipeline, shard);
    }

    /** The one method that sends; {@code decided} hears what the leader has decided. */
    private <Q, R> void send(
            Shard shard,
            HostPort to,
            Caller<Q, R> caller,
            Q request,
            Function<R, Progress> progress,
            Function<R, String> hint,
            BiConsumer<R, Long> decided,
            Runnable unknown,
            Consumer<Boolean> done) {
        Leader leader = leader(shard);
        caller.call(
                request,
                new Caller.Reply<>() {
                    @Override
                    public void answered(R answer) {
                        long now = System.nanoTime();
                        switch (progress.apply(answer)) {
                            case DECIDED -> {
                                if (!to.equals(leader.answered)) {
                                    leader.answered = to;
                                    leader.changes++;
                                }
                                leader.guess = to;
                                decided.accept(answer, now);
                                done.accept(true);
                            }
                            case UNKNOWN -> {
                                unknown.run();
                                done.accept(false);
                            }
                            default -> {
                                String other = hint.apply(answer);
                                leader.guess = other.isEmpty() ? anybody() : HostPort.parse(other);
                                done.accept(false);
                            }
                        }
                    }

                    @Override
                    public void broken(String why) {
                        if (to.equals(leader.guess)) {
                            leader.guess = anybody();
                        }
                        unknown.run();
                        done.accept(false);
                    }
                });
    }

    /**
     * @param done hears whether it was decided
     */
    void commit(Shard shard, List<Commit> batch, Consumer<Boolean> done) {
        HostPort to = target(shard);
        long start = System.nanoTime();
        send(
                shard,
                to,
                transport.at(to).commit(),
                CommitRequest.newBuilder()
                        .setShard(group(shard))
                        .setIds(Packed.ids(batch.stream().map(Commit::id).toList()))
                        .setTokens(Packed.tokens(batch.stream().map(Commit::token).toList()))
                        .build(),
                answer -> answer.getProgress(),
                answer -> answer.getLeader(),
                (answer, end) -> {
                    ByteBuffer holders = answer.getHolders().asReadOnlyByteBuffer();
                    for (int i = 0; i < batch.size(); i++) {
                        int outcome = answer.getOutcomes().byteAt(i);
                        CommitToken holder =
                                outcome == Outcome.TAKEN_VALUE ? CommitToken.read(holders) : null;
                        if (outcome != Outcome.EPOCH_PREPARED_VALUE) {
                            record(
                                    shard,
                                    batch.get(i),
                                    Operation.Kind.COMMIT,
                                    commitResult(outcome),
                                    holder,
                                    start,
                                    end);
                        }
                    }
                },
                () -> recordUnknown(shard, batch, Operation.Kind.COMMIT, start),
                done);
    }

    private static Operation.Result commitResult(int outcome) {
        return switch (outcome) {
            case Outcome.ACCEPTED_VALUE -> Operation.Result.ACCEPTED;
            case Outcome.TAKEN_VALUE -> Operation.Result.TAKEN;
            case Outcome.FENCED_VALUE -> Operation.Result.FENCED;
            default ->
                    throw new AssertionError(
                            "Expected an outcome that can be, but got "
                                    + Outcome.forNumber(outcome));
        };
    }

    private void record(
            Shard shard,
            Commit commit,
            Operation.Kind kind,
            Operation.Result result,
            @Nullable CommitToken holder,
            long start,
            long end) {
        recorder.record(
                shard,
                new Operation(commit.id(), kind, commit.token(), result, holder, start, end));
    }

    private void recordUnknown(Shard shard, List<Commit> batch, Operation.Kind kind, long start) {
        batch.forEach(
                commit ->
                        record(
                                shard,
                                commit,
                                kind,
                                Operation.Result.UNKNOWN,
                                null,
                                start,
                                Operation.NEVER));
    }

    void remove(Shard shard, List<Commit> batch, Consumer<Boolean> done) {
        HostPort to = target(shard);
        long start = System.nanoTime();
        send(
                shard,
                to,
                transport.at(to).remove(),
                RemoveRequest.newBuilder()
                        .setShard(group(shard))
                        .setIds(Packed.ids(batch.stream().map(Commit::id).toList()))
                        .setTokens(Packed.tokens(batch.stream().map(Commit::token).toList()))
                        .build(),
                answer -> answer.getProgress(),
                answer -> answer.getLeader(),
                (answer, end) -> {
                    for (int i = 0; i < batch.size(); i++) {
                        record(
                                shard,
                                batch.get(i),
                                Operation.Kind.REMOVE,
                                removeResult(answer.getOutcomes().byteAt(i)),
                                null,
                                start,
                                end);
                    }
                },
                () -> recordUnknown(shard, batch, Operation.Kind.REMOVE, start),
                done);
    }

    private static Operation.Result removeResult(int outcome) {
        return switch (outcome) {
            case RemoveOutcome.REMOVED_VALUE -> Operation.Result.REMOVED;
            case RemoveOutcome.NOT_FENCED_VALUE -> Operation.Result.NOT_FENCED;
            default ->
                    throw new AssertionError(
                            "Expected an outcome that can be, but got "
                                    + RemoveOutcome.forNumber(outcome));
        };
    }

    /**
     * @param decided hears the index at which the fence stands
     * @param done hears whether it was decided
     */
    void fence(
            Shard shard, int slot, int lowestLive, LongConsumer decided, Consumer<Boolean> done) {
        HostPort to = target(shard);
        long start = System.nanoTime();
        send(
                shard,
                to,
                transport.at(to).fence(),
                FenceRequest.newBuilder()
                        .setShard(group(shard))
                        .setSlot(slot)
                        .setLowestLiveGeneration(lowestLive)
                        .build(),
                answer -> answer.getProgress(),
                answer -> answer.getLeader(),
                (answer, end) -> {
                    recorder.record(shard, new FenceCall(slot, lowestLive, start, end));
                    decided.accept(answer.getIndex());
                },
                () ->
                        recorder.record(
                                shard, new FenceCall(slot, lowestLive, start, Operation.NEVER)),
                done);
    }

    /**
     * Linearizable or not, of any replica: all can answer. What gets no answer did nothing and is
     * not recorded.
     */
    void lookup(Shard shard, List<EventId> ids, boolean linearizable, Consumer<Boolean> done) {
        HostPort to = random.nextBoolean() ? leader(shard).guess : anybody();
        lookupAt(to, shard, ids, linearizable, done);
    }

    void lookupAt(
            HostPort to,
            Shard shard,
            List<EventId> ids,
            boolean linearizable,
            Consumer<Boolean> done) {
        long start = System.nanoTime();
        transport
                .at(to)
                .lookup()
                .call(
                        LookupRequest.newBuilder()
                                .setShard(group(shard))
                                .setIds(Packed.ids(ids))
                                .setLinearizable(linearizable)
                                .build(),
                        new Caller.Reply<>() {
                            @Override
                            public void answered(photon.proto.v1.LookupResponse answer) {
                                boolean decided = answer.getProgress() == Progress.DECIDED;
                                if (decided) {
                                    recordLookup(
                                            shard,
                                            ids,
                                            linearizable,
                                            answer.getFound(),
                                            answer.getHolders(),
                                            start);
                                }
                                done.accept(decided);
                            }

                            @Override
                            public void broken(String why) {
                                done.accept(false);
                            }
                        });
    }

    private void recordLookup(
            Shard shard,
            List<EventId> ids,
            boolean linearizable,
            ByteString found,
            ByteString packedHolders,
            long start) {
        long end = System.nanoTime();
        ByteBuffer holders = packedHolders.asReadOnlyByteBuffer();
        for (int i = 0; i < ids.size(); i++) {
            if (found.byteAt(i) > 1) {
                throw new AssertionError("Expected held or absent, but got " + found.byteAt(i));
            }
            boolean held = found.byteAt(i) == 1;
            recorder.record(
                    shard,
                    new Operation(
                            ids.get(i),
                            linearizable ? Operation.Kind.LOOKUP : Operation.Kind.STALE_LOOKUP,
                            null,
                            held ? Operation.Result.HELD : Operation.Result.ABSENT,
                            held ? CommitToken.read(holders) : null,
                            start,
                            end));
        }
    }
}

package photon.bench.registry;

import com.google.protobuf.ByteString;
import java.time.Duration;
import java.util.BitSet;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import photon.core.error.FailedException;
import photon.core.id.EventId;
import photon.core.rpc.HostPort;
import photon.core.rpc.RpcSecurity;
import photon.proto.v1.SetPipelineRequest;
import photon.proto.v1.ShardStatus;
import photon.registry.admin.ControlSession;
import photon.registry.admin.GroupView;
import photon.registry.admin.RegistryView;
import photon.registry.admin.StatusPoll;
import photon.registry.api.CommitBatch;
import photon.registry.api.CommitOutcome;
import photon.registry.api.CommitOutcomes;
import photon.registry.api.IdRegistry;
import photon.registry.api.RegistryClient.CommitResult;

/**
 * The preloaded ids are dropped while commits are measured: in the midst of the time the pipeline
 * is given a retention that all of them are older than. Tells in which seconds the boundary passed
 * through them. One thread.
 */
final class DropPhase {
    /** Less than the age of any preloaded id, more than any call waits. */
    static final Duration RETENTION = Duration.ofSeconds(60);

    /** Clocks are asked for every 15 s; the rest is for the steps. */
    static final Duration SECONDS_MIN = Duration.ofSeconds(40);

    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final Duration LOOK_EVERY = Duration.ofMillis(500);
    private static final int ASKED_AGAIN = 4_096;
    private static final int ATTEMPTS_MAX = 5;
    private static final int ASKED_COLD = 20;

    private final List<HostPort> servers;
    private final long oldestMicros;
    private final long newestMicros;
    private final long beganNanos;
    private final long dropAtNanos;
    private final BitSet seconds = new BitSet();
    private long lookedNanos;
    private boolean begun;
    private boolean ended;

    /**
     * @param oldest the time of the first preloaded id, in microseconds
     * @param newest of the last
     * @param beganNanos when the measured time began
     * @param length of the measured time
     */
    DropPhase(List<HostPort> servers, long oldest, long newest, long beganNanos, Duration length) {
        this.servers = servers;
        this.oldestMicros = oldest;
        this.newestMicros = newest;
        this.beganNanos = beganNanos;
        this.dropAtNanos = beganNanos + length.toNanos() / 2;
        this.lookedNanos = beganNanos;
    }

    /** Asks as it will be asked later, for nothing: what is asked first costs most. */
    static void warmUp(List<HostPort> servers) {
        for (int i = 0; i < ASKED_COLD; i++) {
            view(servers);
        }
    }

    /** To be called several times a second. */
    void look() {
        long now = System.nanoTime();
        if (ended) {
            return;
        }
        if (!begun && now - dropAtNanos >= 0) {
            setRetention();
            begun = true;
            lookedNanos = System.nanoTime();
        } else if (now - lookedNanos >= LOOK_EVERY.toNanos()) {
            long from = lookedNanos;
            // Before, too, for nothing: what the asking costs is in both halves.
            List<Long> boundaries = boundaries();
            lookedNanos = System.nanoTime();
            if (boundaries.stream().anyMatch(boundary -> boundary > oldestMicros)) {
                seconds.set(second(from), second(lookedNanos) + 1);
            }
            ended =
                    begun
                            && !boundaries.isEmpty()
                            && boundaries.stream().allMatch(b -> b > newestMicros);
        }
    }

    private int second(long nanos) {
        return (int) ((nanos - beganNanos) / 1_000_000_000L);
    }

    private void setRetention() {
        try {
            new ControlSession(servers, PATIENCE, RpcSecurity.PLAINTEXT)
                    .ask(
                            connection ->
                                    connection
                                            .pipelines()
                                            .set(
                                                    SetPipelineRequest.newBuilder()
                                                            .setPipeline(uuid())
                                                            .setRetentionMicros(
                                                                    TimeUnit.NANOSECONDS.toMicros(
                                                                            RETENTION.toNanos()))
                                                            .build()));
        } catch (TimeoutException e) {
            throw new FailedException("Expected the registry to take a retention");
        }
    }

    private ByteString uuid() {
        return view().pipeline(LoadConnection.PIPELINE)
                .orElseThrow(() -> new FailedException("Expected the pipeline to be known"))
                .getUuid();
    }

    private RegistryView view() {
        return view(servers);
    }

    private static RegistryView view(List<HostPort> servers) {
        return RegistryView.of(new StatusPoll(PATIENCE, RpcSecurity.PLAINTEXT).ask(servers));
    }

    /** Of each shard, as its leader knows it; empty if some leader does not answer. */
    private List<Long> boundaries() {
        List<GroupView> shards =
                view().groups().stream().filter(group -> group.shard().isPresent()).toList();
        return shards.stream().allMatch(group -> group.state().isPresent())
                ? shards.stream()
                        .flatMap(group -> group.state().stream())
                        .map(ShardStatus::getBoundaryMicros)
                        .toList()
                : List.of();
    }

    /** True if nothing of what was preloaded is left. */
    boolean hasEnded() {
        return ended;
    }

    /** True if the boundary passed through preloaded ids in this second of the measured time. */
    boolean wasDropping(int second) {
        return seconds.get(second);
    }

    /** True if this second of the measured time was over before the retention was set. */
    boolean isBefore(int second) {
        return beganNanos + (second + 1) * 1_000_000_000L <= dropAtNanos;
    }

    /** Seconds in which ids were dropped. */
    int secondsDropping() {
        return seconds.cardinality();
    }

    /** Asks again while not all of it is decided: a leader may just have gone. */
    private static CommitOutcomes commit(IdRegistry registry, CommitBatch batch) {
        CommitOutcomes outcomes = null;
        for (int attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
            outcomes =
                    LoadConnection.await(registry.commit(batch, PATIENCE), PATIENCE.plus(PATIENCE));
            if (isDecided(outcomes)) {
                break;
            }
        }
        return Objects.requireNonNull(outcomes);
    }

    private static boolean isDecided(CommitOutcomes outcomes) {
        for (int i = 0; i < outcomes.size(); i++) {
            if (!(outcomes.get(i) instanceof CommitOutcome.Decided)) {
                return false;
            }
        }
        return true;
    }

    /**
     * Fails unless every preloaded id is gone, and what is asked for again is refused as too old.
     *
     * @param preloaded so many: the lowest numbers
     * @return ids that the registry still holds
     */
    long check(IdRegistry registry, BenchIds ids, Referee referee, long preloaded) {
        if (!ended) {
            throw new FailedException(
                    "Expected all preloaded ids to be dropped in the second half of --duration, or soon after: make it longer");
        }
        CommitBatch.Builder again = CommitBatch.builder(ASKED_AGAIN);
        for (int i = 0; i < ASKED_AGAIN; i++) {
            long number = (long) ((double) i / ASKED_AGAIN * preloaded);
            // The rival's token, which has asked for none of them.
            EventId id = ids.id(number);
            again.add(id, ids.token(2 * number + 1));
        }
        CommitOutcomes outcomes = commit(registry, again.build());
        for (int i = 0; i < outcomes.size(); i++) {
            if (!(outcomes.get(i) instanceof CommitOutcome.Decided decided)
                    || decided.result() != CommitResult.ID_TOO_OLD) {
                referee.wrong("a dropped id was answered %s".formatted(outcomes.get(i)));
            }
        }
        RegistryView view = view();
        long held = view.pipeline(LoadConnection.PIPELINE).map(view::ids).orElse(Long.MAX_VALUE);
        if (held > referee.accepted() - preloaded) {
            referee.wrong(
                    "%,d ids are held: expected at most %,d"
                            .formatted(held, referee.accepted() - preloaded));
        }
        return held;
    }
}

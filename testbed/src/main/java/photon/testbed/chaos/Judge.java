package photon.testbed.chaos;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import photon.core.rpc.Caller;
import photon.core.rpc.RpcSecurity;
import photon.proto.v1.FenceRequest;
import photon.proto.v1.FenceResponse;
import photon.proto.v1.Progress;
import photon.registry.admin.RegistryView;
import photon.registry.admin.ReshardState;
import photon.registry.admin.StatusPoll;
import photon.registry.api.RegistryClient.Shard;
import photon.registry.api.RegistryProtos;
import photon.registry.api.ShardMap;
import photon.registry.api.ShardMap.Epoch;
import photon.testbed.history.Operation;
import photon.testbed.history.ReplicaComparison;

/**
 * When nothing happens and nothing is asked any more: waits until the registry has come to rest,
 * compares all replicas, and searches an order of decisions that explains the whole history, with
 * what the replicas hold as its last answers. Used in one thread.
 */
final class Judge {
    private static final Duration POLL = Duration.ofSeconds(3);
    private static final Duration RESTS_WITHIN = Duration.ofMinutes(5);
    private static final Duration MARKED_WITHIN = Duration.ofMinutes(4);
    private static final Duration ONE_ASKED_FOR = Duration.ofSeconds(10);
    private static final long LOOK_EVERY_MILLIS = 250;

    /** A slot of nobody's, whose fence only marks a place in the log. */
    private static final int MARK_SLOT = 1 << 30;

    private final ChaosLayout layout;
    private final ChaosTarget site;

    /**
     * The verdict.
     *
     * @param map with all epochs that ever were
     * @param dropped how many of these are gone
     * @param differences between replicas
     */
    record Verdict(
            List<Operation> operations,
            ShardMap map,
            int dropped,
            HistorySearch.Findings findings,
            List<String> differences,
            long checkMillis) {}

    Judge(ChaosLayout layout, ChaosTarget site) {
        this.layout = layout;
        this.site = site;
    }

    /**
     * @throws ChaosAction.TroubleException if the registry does not come to rest
     */
    Verdict judge() throws InterruptedException {
        Boundary.set(site, Boundary.UNLIMITED);
        ReshardState state = awaitRest();
        ShardMap now = ShardMap.of(state.pipeline().getMap());
        List<Epoch> epochs = new ArrayList<>();
        state.pipeline().getDroppedEpochsList().forEach(epoch -> epochs.add(Epoch.of(epoch)));
        int dropped = epochs.size();
        epochs.addAll(now.epochs());
        ShardMap map = new ShardMap(now.version(), epochs);

        List<String> differences = new ArrayList<>();
        Map<Shard, HistorySearch.Last> last = new HashMap<>();
        for (Shard shard : now.shards()) {
            ReplicaComparison.Compared compared = compare(shard);
            differences.addAll(compared.differences());
            last.put(shard, new HistorySearch.Last(compared.held(), compared.boundaryMicros()));
        }
        List<Operation> operations = site.history().operations();
        long start = System.nanoTime();
        HistorySearch.Findings findings =
                HistorySearch.search(operations, site.history().fences(), map, last, start);
        return new Verdict(
                operations,
                map,
                dropped,
                findings,
                differences,
                TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start));
    }

    /** Every server answers and has the newest map, no group lacks a leader, nothing is to drop. */
    private ReshardState awaitRest() throws InterruptedException {
        long end = System.nanoTime() + RESTS_WITHIN.toNanos();
        String missing = "";
        while (System.nanoTime() - end < 0) {
            Thread.sleep(LOOK_EVERY_MILLIS);
            RegistryView view =
                    RegistryView.of(
                            new StatusPoll(POLL, RpcSecurity.PLAINTEXT)
                                    .ask(layout.directServices()));
            ReshardState state = ReshardState.of(view, ChaosLayout.PIPELINE).orElse(null);
            if (state == null) {
                missing = "no server answers";
            } else if (!view.problems().isEmpty()) {
                missing = view.problems().toString();
            } else if (!state.settled()) {
                missing = "a reshard is not settled: " + state.shards();
            } else if (state.endingEpochs().stream()
                    .limit(1)
                    .anyMatch(epoch -> epoch.leftMicros().orElse(1L) == 0)) {
                missing = "an epoch is to be dropped: " + state.endingEpochs();
            } else {
                return state;
            }
        }
        throw new ChaosAction.TroubleException(
                "Expected the registry to come to rest within %d s, but %s"
                        .formatted(RESTS_WITHIN.toSeconds(), missing));
    }

    /**
     * @throws ChaosAction.TroubleException if a replica cannot be read
     */
    private ReplicaComparison.Compared compare(Shard shard) throws InterruptedException {
        try {
            return new ReplicaComparison(
                            layout.services(),
                            site.operator().loop(),
                            site.operator().transport(),
                            site.pipeline())
                    .compare(shard, mark(shard));
        } catch (IllegalStateException e) {
            throw new ChaosAction.TroubleException(String.valueOf(e.getMessage()));
        }
    }

    /** An index at or behind all that is in the shard's log. */
    private long mark(Shard shard) throws InterruptedException {
        FenceRequest request =
                FenceRequest.newBuilder()
                        .setShard(RegistryProtos.shardRef(site.pipeline(), shard))
                        .setSlot(MARK_SLOT)
                        .setLowestLiveGeneration(1)
                        .build();
        long end = System.nanoTime() + MARKED_WITHIN.toNanos();
        for (int at = 0; System.nanoTime() - end < 0; at++) {
            FenceResponse answer = ask(at % ChaosLayout.size(), request);
            if (answer.getProgress() == Progress.DECIDED) {
                return answer.getIndex();
            }
        }
        throw new ChaosAction.TroubleException("Expected a leader of " + shard);
    }

    private FenceResponse ask(int replica, FenceRequest request) throws InterruptedException {
        CompletableFuture<FenceResponse> answer = new CompletableFuture<>();
        site.operator()
                .loop()
                .execute(
                        () ->
                                site.operator()
                                        .transport()
                                        .at(layout.named(replica))
                                        .fence()
                                        .call(request, completing(answer)));
        try {
            return Objects.requireNonNull(answer.get(ONE_ASKED_FOR.toSeconds(), TimeUnit.SECONDS));
        } catch (ExecutionException | TimeoutException e) {
            return FenceResponse.getDefaultInstance();
        }
    }

    private static Caller.Reply<FenceResponse> completing(CompletableFuture<FenceResponse> answer) {
        return new Caller.Reply<>() {
            @Override
            public void answered(FenceResponse response) {
                answer.complete(response);
            }

            @Override
            public void broken(String why) {
                answer.complete(FenceResponse.getDefaultInstance());
            }
        };
    }
}

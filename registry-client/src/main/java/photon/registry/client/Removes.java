package photon.registry.client;

import static photon.core.error.Checks.check;

import com.google.protobuf.ByteString;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Function;
import photon.core.id.EventId;
import photon.core.id.Packed;
import photon.proto.v1.RemoveOutcome;
import photon.proto.v1.RemoveRequest;
import photon.proto.v1.ShardRef;
import photon.registry.api.RegistryClient.Commit;
import photon.registry.api.RegistryClient.RemoveResult;
import photon.registry.api.RegistryClient.Shard;
import photon.registry.api.RegistryProtos;

/** Removes, split by shard, asked until they are definite, put back in order. */
final class Removes {
    static final int IDS_PER_REQUEST_MAX = 1_024;

    /** A map that was just renewed, and still does not fit, is one that others are still to get. */
    private static final int MAP_FAILURES = 4;

    private final Asking asking;
    private final Leaders leaders;
    private final UUID pipeline;
    private final Function<EventId, Shard> owner;
    private final Consumer<Runnable> renewMap;

    /**
     * @param renewMap asks for the newest map, then runs
     */
    Removes(
            Asking asking,
            Leaders leaders,
            UUID pipeline,
            Function<EventId, Shard> owner,
            Consumer<Runnable> renewMap) {
        this.asking = asking;
        this.leaders = leaders;
        this.pipeline = pipeline;
        this.owner = owner;
        this.renewMap = renewMap;
    }

    private static final class Batch {
        final List<Commit> commits;
        final RemoveResult[] results;
        final CompletableFuture<List<RemoveResult>> future = new CompletableFuture<>();
        int left;

        Batch(List<Commit> commits) {
            this.commits = commits;
            this.results = new RemoveResult[commits.size()];
            this.left = commits.size();
        }

        void settle(int place, RemoveResult result) {
            results[place] = result;
            left--;
        }

        void completeIfSettled() {
            if (left == 0 && !future.isDone()) {
                future.complete(Arrays.asList(results));
            }
        }
    }

    CompletableFuture<List<RemoveResult>> remove(List<Commit> commits) {
        Batch batch = new Batch(List.copyOf(commits));
        List<Integer> places = new ArrayList<>();
        for (int i = 0; i < commits.size(); i++) {
            places.add(i);
        }
        if (places.isEmpty()) {
            asking.soon(batch::completeIfSettled);
        }
        send(batch, places);
        return batch.future;
    }

    private void send(Batch batch, List<Integer> places) {
        Map<Shard, List<Integer>> byShard = new TreeMap<>();
        for (int place : places) {
            Shard shard = owner.apply(batch.commits.get(place).id());
            byShard.computeIfAbsent(shard, s -> new ArrayList<>()).add(place);
        }
        byShard.forEach(
                (shard, all) -> {
                    for (int from = 0; from < all.size(); from += IDS_PER_REQUEST_MAX) {
                        int to = Math.min(all.size(), from + IDS_PER_REQUEST_MAX);
                        send(batch, shard, all.subList(from, to));
                    }
                });
    }

    private void send(Batch batch, Shard shard, List<Integer> places) {
        ShardRef group = RegistryProtos.shardRef(pipeline, shard);
        List<Commit> commits = places.stream().map(batch.commits::get).toList();
        RemoveRequest request =
                RemoveRequest.newBuilder()
                        .setShard(group)
                        .setIds(Packed.ids(commits.stream().map(Commit::id).toList()))
                        .setTokens(Packed.tokens(commits.stream().map(Commit::token).toList()))
                        .setActor(asking.actor())
                        .build();
        asking.leader(
                leaders.of(group),
                Rpc.REMOVE,
                request,
                answer -> decided(batch, places, answer.getOutcomes()),
                batch.future::completeExceptionally);
    }

    private void decided(Batch batch, List<Integer> places, ByteString outcomes) {
        check(
                outcomes.size() == places.size(),
                "Expected %s outcomes of a remove, but got %s",
                places.size(),
                outcomes.size());
        List<Integer> elsewhere = new ArrayList<>();
        for (int i = 0; i < places.size(); i++) {
            int place = places.get(i);
            switch (outcomes.byteAt(i)) {
                case RemoveOutcome.REMOVED_VALUE -> batch.settle(place, RemoveResult.REMOVED);
                case RemoveOutcome.NOT_FENCED_VALUE -> batch.settle(place, RemoveResult.NOT_FENCED);
                case RemoveOutcome.REMOVE_TOO_OLD_VALUE ->
                        batch.settle(place, RemoveResult.ID_TOO_OLD);
                default -> elsewhere.add(place);
            }
        }
        if (!elsewhere.isEmpty()) {
            renewMap.accept(
                    () ->
                            asking.later(
                                    asking.backoff.afterFailures(MAP_FAILURES),
                                    () -> send(batch, elsewhere)));
        }
        batch.completeIfSettled();
    }
}

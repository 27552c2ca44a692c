package photon.registry.client;

import static photon.core.error.Checks.check;

import com.google.protobuf.ByteString;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import photon.core.id.EventId;
import photon.core.id.Packed;
import photon.proto.v1.ShardRef;
import photon.registry.api.PipelineDroppedException;
import photon.registry.api.RegistryClient.Commit;
import photon.registry.api.RegistryClient.Shard;
import photon.registry.api.RegistryProtos;

/**
 * Requests about ids and their tokens that may be carried out twice: splits a batch by shard, asks
 * until each answer is definite, and puts the answers back in order. Used in the loop.
 *
 * @param <R> a definite answer
 */
abstract class ShardBatches<R> {
    static final int IDS_PER_REQUEST_MAX = 1_024;

    /** A map that was just renewed, and still does not fit, is one that others are still to get. */
    private static final int MAP_FAILURES = 4;

    private final Asking asking;
    private final UUID pipeline;
    private final Function<EventId, Shard> owner;
    private final Consumer<Runnable> renewMap;

    /**
     * @param renewMap asks for the newest map, then runs
     */
    ShardBatches(
            Asking asking,
            UUID pipeline,
            Function<EventId, Shard> owner,
            Consumer<Runnable> renewMap) {
        this.asking = asking;
        this.pipeline = pipeline;
        this.owner = owner;
        this.renewMap = renewMap;
    }

    /**
     * Asks the shard's leader until a server has decided.
     *
     * @param decided told one outcome a byte, as many as ids
     * @param gone told instead if the pipeline was dropped
     */
    abstract void ask(
            ShardRef shard,
            ByteString ids,
            ByteString tokens,
            Consumer<ByteString> decided,
            Consumer<PipelineDroppedException> gone);

    /** What an outcome says; null: nothing, the id is to be asked again by the newest map. */
    abstract @Nullable R result(byte outcome);

    /** The answer of a pipeline that was dropped; null: the batch fails with that. */
    abstract @Nullable R whenGone();

    /**
     * @return the answers in order; completed in the loop, never from within this call
     */
    final CompletableFuture<List<R>> begin(List<Commit> commits) {
        Batch<R> batch = new Batch<>(List.copyOf(commits));
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

    private static final class Batch<R> {
        final List<Commit> commits;
        final List<R> results;
        final CompletableFuture<List<R>> future = new CompletableFuture<>();
        int left;

        @SuppressWarnings("NullAway") // Nobody reads the list before it is full.
        Batch(List<Commit> commits) {
            this.commits = commits;
            this.results = new ArrayList<>(Collections.nCopies(commits.size(), null));
            this.left = commits.size();
        }

        void settle(int place, R result) {
            results.set(place, result);
            left--;
        }

        void completeIfSettled() {
            if (left == 0 && !future.isDone()) {
                future.complete(results);
            }
        }
    }

    private void send(Batch<R> batch, List<Integer> places) {
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

    private void send(Batch<R> batch, Shard shard, List<Integer> places) {
        List<Commit> commits = places.stream().map(batch.commits::get).toList();
        ask(
                RegistryProtos.shardRef(pipeline, shard),
                Packed.ids(commits.stream().map(Commit::id).toList()),
                Packed.tokens(commits.stream().map(Commit::token).toList()),
                outcomes -> decided(batch, places, outcomes),
                gone -> gone(batch, places, gone));
    }

    private void decided(Batch<R> batch, List<Integer> places, ByteString outcomes) {
        check(
                outcomes.size() == places.size(),
                "Expected %s outcomes, but got %s",
                places.size(),
                outcomes.size());
        List<Integer> elsewhere = new ArrayList<>();
        for (int i = 0; i < places.size(); i++) {
            R result = result(outcomes.byteAt(i));
            if (result == null) {
                elsewhere.add(places.get(i));
            } else {
                batch.settle(places.get(i), result);
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

    private void gone(Batch<R> batch, List<Integer> places, PipelineDroppedException gone) {
        R result = whenGone();
        if (result == null) {
            batch.future.completeExceptionally(gone);
            return;
        }
        places.forEach(place -> batch.settle(place, result));
        batch.completeIfSettled();
    }
}

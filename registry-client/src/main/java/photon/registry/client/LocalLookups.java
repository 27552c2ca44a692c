package photon.registry.client;

import static photon.core.error.Checks.check;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.LongConsumer;
import photon.core.id.CommitToken;
import photon.core.id.EventId;
import photon.core.id.Packed;
import photon.core.loop.EventLoop;
import photon.core.rpc.HostPort;
import photon.proto.v1.LookupRequest;
import photon.proto.v1.LookupResponse;
import photon.proto.v1.Progress;
import photon.registry.api.RegistryClient.Found;
import photon.registry.api.RegistryClient.Shard;
import photon.registry.api.RegistryProtos;
import photon.registry.api.RegistryUnavailableException;

/** Stale lookups at the nearest server that answers. */
final class LocalLookups {
    static final int IDS_PER_REQUEST_MAX = 4_096;
    static final Duration GIVE_UP_AFTER = Duration.ofSeconds(3);

    private static final byte WRONG_SHARD = 3;
    private static final Found ABSENT = new Found(Found.State.ABSENT, null);
    private static final Found TOO_OLD = new Found(Found.State.TOO_OLD, null);

    private final Asking asking;
    private final List<HostPort> servers;
    private final Nearest nearest;
    private final UUID pipeline;
    private final LongConsumer boundaryHeard;
    private final Runnable mapDiffers;

    /**
     * @param mapDiffers told when a replica's map is not ours: one of them is old
     */
    LocalLookups(
            Asking asking,
            List<HostPort> servers,
            UUID pipeline,
            LongConsumer boundaryHeard,
            Runnable mapDiffers) {
        this.asking = asking;
        this.servers = servers;
        this.nearest = new Nearest(asking, servers);
        this.pipeline = pipeline;
        this.boundaryHeard = boundaryHeard;
        this.mapDiffers = mapDiffers;
    }

    /** One call of {@link #lookup}: parts of several shards, put back in order. */
    private static final class Lookup {
        final CompletableFuture<List<Found>> future = new CompletableFuture<>();
        final Found[] found;
        int partsLeft;
        EventLoop.Cancellable giveUp = () -> {};

        Lookup(int count) {
            this.found = new Found[count];
        }
    }

    /** Ids of one shard, and where in the lookup they stand. */
    private record Part(Lookup lookup, Shard shard, List<Integer> places, LookupRequest request) {}

    CompletableFuture<List<Found>> lookup(List<EventId> ids, Function<EventId, Shard> owner) {
        Lookup lookup = new Lookup(ids.size());
        if (ids.isEmpty()) {
            asking.soon(() -> lookup.future.complete(List.of()));
            return lookup.future;
        }
        List<Part> parts = split(lookup, ids, owner);
        lookup.partsLeft = parts.size();
        lookup.giveUp =
                asking.loop.schedule(
                        GIVE_UP_AFTER,
                        () -> {
                            if (!asking.isClosed()) {
                                lookup.future.completeExceptionally(
                                        new RegistryUnavailableException(
                                                "No registry server of "
                                                        + servers
                                                        + " answered a lookup within "
                                                        + GIVE_UP_AFTER.toMillis()
                                                        + " ms"));
                            }
                        });
        parts.forEach(this::ask);
        return lookup.future;
    }

    private List<Part> split(Lookup lookup, List<EventId> ids, Function<EventId, Shard> owner) {
        Map<Shard, List<Integer>> byShard = new TreeMap<>();
        for (int i = 0; i < ids.size(); i++) {
            byShard.computeIfAbsent(owner.apply(ids.get(i)), s -> new ArrayList<>()).add(i);
        }
        List<Part> parts = new ArrayList<>();
        byShard.forEach(
                (shard, all) -> {
                    for (int from = 0; from < all.size(); from += IDS_PER_REQUEST_MAX) {
                        List<Integer> places =
                                all.subList(from, Math.min(all.size(), from + IDS_PER_REQUEST_MAX));
                        LookupRequest request =
                                LookupRequest.newBuilder()
                                        .setShard(RegistryProtos.shardRef(pipeline, shard))
                                        .setIds(Packed.ids(places.stream().map(ids::get).toList()))
                                        .build();
                        parts.add(new Part(lookup, shard, places, request));
                    }
                });
        return parts;
    }

    private void ask(Part part) {
        nearest.ask(
                new Nearest.Question<>(
                        RegistryTransport.Server::lookup,
                        part.request,
                        part.lookup.future::isDone,
                        answer ->
                                answer.getProgress() == Progress.DECIDED
                                        || answer.getProgress() == Progress.PIPELINE_GONE,
                        answer -> {
                            if (answer.getProgress() == Progress.DECIDED) {
                                answered(part, answer);
                            } else {
                                part.lookup.giveUp.cancel();
                                part.lookup.future.completeExceptionally(
                                        new RegistryUnavailableException(
                                                "The registry has dropped the pipeline "
                                                        + pipeline));
                            }
                        }));
    }

    private void answered(Part part, LookupResponse answer) {
        Lookup lookup = part.lookup;
        check(
                answer.getFound().size() == part.places.size(),
                "Expected %s answers from %s, but got %s",
                part.places.size(),
                part.shard,
                answer.getFound().size());
        boundaryHeard.accept(answer.getBoundaryMicros());
        ByteBuffer holders = answer.getHolders().asReadOnlyByteBuffer();
        boolean differs = false;
        for (int i = 0; i < part.places.size(); i++) {
            byte found = answer.getFound().byteAt(i);
            differs |= found == WRONG_SHARD;
            lookup.found[part.places.get(i)] =
                    switch (found) {
                        case 1 -> new Found(Found.State.HELD, CommitToken.read(holders));
                        case 2 -> TOO_OLD;
                        // Also where the replica's map and ours differ: then it is not known, and
                        // trying the event is safe.
                        default -> ABSENT;
                    };
        }
        if (differs) {
            mapDiffers.run();
        }
        lookup.partsLeft--;
        if (lookup.partsLeft == 0) {
            lookup.giveUp.cancel();
            lookup.future.complete(Arrays.asList(lookup.found));
        }
    }
}

package photon.cli.history;

import com.google.protobuf.ByteString;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;
import photon.core.id.CommitToken;
import photon.core.id.EventId;
import photon.core.id.Incarnation;
import photon.core.id.Packed;
import photon.core.loop.EventLoop;
import photon.core.rpc.Caller;
import photon.core.rpc.HostPort;
import photon.idregistry.api.RegistryClient.Shard;
import photon.idregistry.client.RegistryTransport;
import photon.idregistry.control.ControlState;
import photon.proto.v1.Progress;
import photon.proto.v1.ScanRequest;
import photon.proto.v1.ScanResponse;

/** What each replica holds, read from its own state by scans, at the same place of the log. */
final class ReplicaComparison {
    private static final int PAGE = 4_000;
    private static final long SECONDS_MAX = 120;

    private final Cluster cluster;
    private final EventLoop loop;
    private final RegistryTransport transport;
    private final UUID pipeline;

    /** What became of the last question, in words. */
    private volatile String lastHeard = "nothing was asked";

    ReplicaComparison(Cluster cluster, EventLoop loop, RegistryTransport transport, UUID pipeline) {
        this.cluster = cluster;
        this.loop = loop;
        this.transport = transport;
        this.pipeline = pipeline;
    }

    /**
     * @param mark gives an index at or behind the end of the shard's log: nothing is asked any more
     * @return a line for each replica and shard that holds something else than the first replica
     */
    List<String> differences(
            List<Shard> shards, Collection<Incarnation> incarnations, ToLongFunction<Shard> mark) {
        List<String> differences = new ArrayList<>();
        for (Shard shard : shards) {
            long index = mark.applyAsLong(shard);
            Map<EventId, CommitToken> first = held(0, shard, incarnations, index);
            if (first.isEmpty()) {
                differences.add("r0 holds nothing in " + shard);
            }
            for (int i = 1; i < cluster.size(); i++) {
                Map<EventId, CommitToken> other = held(i, shard, incarnations, index);
                if (!other.equals(first)) {
                    differences.add(
                            "r%d holds %d ids in %s, r0 %d: %s"
                                    .formatted(
                                            i,
                                            other.size(),
                                            shard,
                                            first.size(),
                                            examples(first, other)));
                }
            }
        }
        return differences;
    }

    private static List<String> examples(
            Map<EventId, CommitToken> first, Map<EventId, CommitToken> other) {
        Map<EventId, CommitToken> all = new TreeMap<>(first);
        all.putAll(other);
        return all.keySet().stream()
                .filter(id -> !Objects.equals(first.get(id), other.get(id)))
                .limit(5)
                .map(id -> id + ": " + first.get(id) + " and " + other.get(id))
                .toList();
    }

    private Map<EventId, CommitToken> held(
            int replica, Shard shard, Collection<Incarnation> incarnations, long index) {
        Map<EventId, CommitToken> held = new TreeMap<>();
        for (Incarnation incarnation : incarnations) {
            EventId after = null;
            boolean more = true;
            while (more) {
                ScanResponse page =
                        scan(cluster.service(replica), request(shard, incarnation, after, index));
                List<EventId> ids = Packed.ids(page.getIds());
                List<CommitToken> tokens = Packed.tokens(page.getTokens());
                for (int i = 0; i < ids.size(); i++) {
                    held.put(ids.get(i), tokens.get(i));
                    after = ids.get(i);
                }
                more = page.getMore();
            }
        }
        return held;
    }

    private ScanRequest request(
            Shard shard, Incarnation incarnation, @Nullable EventId after, long index) {
        return ScanRequest.newBuilder()
                .setShard(ControlState.shardRef(pipeline, shard))
                .setIncarnation(
                        photon.proto.v1.Incarnation.newBuilder()
                                .setSlot(incarnation.slot())
                                .setGeneration(incarnation.generation()))
                .setMinIndex(index)
                .setAfter(after == null ? ByteString.EMPTY : Packed.ids(List.of(after)))
                .setLimit(PAGE)
                .build();
    }

    /** Asks until the replica has applied as much. */
    private ScanResponse scan(HostPort server, ScanRequest request) {
        CompletableFuture<ScanResponse> answer = new CompletableFuture<>();
        loop.execute(() -> scan(server, request, answer::complete));
        try {
            return answer.orTimeout(SECONDS_MAX, TimeUnit.SECONDS).join();
        } catch (CompletionException e) {
            throw new AssertionError(
                    "Expected a page of index %s from %s, but the last answer is: %s. %s"
                            .formatted(
                                    request.getMinIndex(), server, lastHeard, cluster.messages()),
                    e);
        }
    }

    private void scan(HostPort server, ScanRequest request, Consumer<ScanResponse> decided) {
        Runnable again =
                () -> loop.schedule(Duration.ofMillis(50), () -> scan(server, request, decided));
        transport
                .at(server)
                .scan()
                .call(
                        request,
                        new Caller.Reply<>() {
                            @Override
                            public void answered(ScanResponse response) {
                                lastHeard = response.getProgress().toString();
                                if (response.getProgress() == Progress.DECIDED) {
                                    decided.accept(response);
                                } else {
                                    again.run();
                                }
                            }

                            @Override
                            public void broken(String why) {
                                lastHeard = why;
                                again.run();
                            }
                        });
    }
}

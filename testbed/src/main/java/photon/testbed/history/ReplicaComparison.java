package photon.testbed.history;

import com.google.protobuf.ByteString;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import photon.core.id.CommitToken;
import photon.core.id.EventId;
import photon.core.id.Packed;
import photon.core.loop.EventLoop;
import photon.core.rpc.Caller;
import photon.core.rpc.HostPort;
import photon.proto.v1.Progress;
import photon.proto.v1.ScanRequest;
import photon.proto.v1.ScanResponse;
import photon.registry.api.RegistryClient.Shard;
import photon.registry.api.RegistryProtos;
import photon.registry.client.RegistryTransport;

/** What each replica holds, read from its own state by scans, at the same place of the log. */
public final class ReplicaComparison {
    private static final int PAGE = 4_000;
    private static final long SECONDS_MAX = 300;

    private final List<HostPort> servers;
    private final EventLoop loop;
    private final RegistryTransport transport;
    private final UUID pipeline;

    /** What became of the last question, in words. */
    private volatile String lastHeard = "nothing was asked";

    /**
     * What all replicas of a shard say.
     *
     * @param held what the first has
     * @param boundaryMicros the first's
     * @param differences a line for each other replica that has something else
     */
    public record Compared(
            Map<EventId, CommitToken> held, long boundaryMicros, List<String> differences) {}

    private record Replica(Map<EventId, CommitToken> held, long boundaryMicros) {}

    /**
     * @param servers each has a replica of every shard
     * @param loop of the transport
     */
    public ReplicaComparison(
            List<HostPort> servers, EventLoop loop, RegistryTransport transport, UUID pipeline) {
        this.servers = List.copyOf(servers);
        this.loop = loop;
        this.transport = transport;
        this.pipeline = pipeline;
    }

    /**
     * Compares one shard's replicas.
     *
     * @param index at or behind the end of the shard's log: nothing is asked any more
     * @throws IllegalStateException if a replica gives no page in time
     */
    public Compared compare(Shard shard, long index) {
        List<String> differences = new ArrayList<>();
        Replica first = read(servers.get(0), shard, index);
        for (HostPort server : servers.subList(1, servers.size())) {
            Replica other = read(server, shard, index);
            if (!other.equals(first)) {
                differences.add(
                        "%s holds %d ids in %s above %d, %s %d above %d: %s"
                                .formatted(
                                        server,
                                        other.held().size(),
                                        shard,
                                        other.boundaryMicros(),
                                        servers.get(0),
                                        first.held().size(),
                                        first.boundaryMicros(),
                                        examples(first.held(), other.held())));
            }
        }
        return new Compared(first.held(), first.boundaryMicros(), differences);
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

    private Replica read(HostPort server, Shard shard, long index) {
        Map<EventId, CommitToken> held = new TreeMap<>();
        long boundaryMicros = Long.MIN_VALUE;
        EventId after = null;
        boolean more = true;
        while (more) {
            ScanResponse page = scan(server, request(shard, after, index));
            List<EventId> ids = Packed.ids(page.getIds());
            List<CommitToken> tokens = Packed.tokens(page.getTokens());
            for (int i = 0; i < ids.size(); i++) {
                held.put(ids.get(i), tokens.get(i));
                after = ids.get(i);
            }
            more = page.getMore();
            boundaryMicros = page.getBoundaryMicros();
        }
        return new Replica(held, boundaryMicros);
    }

    private ScanRequest request(Shard shard, @Nullable EventId after, long index) {
        return ScanRequest.newBuilder()
                .setShard(RegistryProtos.shardRef(pipeline, shard))
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
            throw new IllegalStateException(
                    "Expected a page of index %s from %s, but the last answer is: %s"
                            .formatted(request.getMinIndex(), server, lastHeard),
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

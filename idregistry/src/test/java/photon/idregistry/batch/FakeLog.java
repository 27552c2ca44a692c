package photon.idregistry.batch;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import photon.idregistry.replicated.ReplicatedLog;
import photon.idregistry.shard.ShardEntries;
import photon.idregistry.shard.ShardState;
import photon.registry.api.RegistryClient.Shard;
import photon.registry.api.ShardMap;

/** A log of one replica that decides an entry when the test says so. */
public final class FakeLog implements ReplicatedLog {
    public final ShardState state = new ShardState();
    public final List<Integer> idsPerEntry = new ArrayList<>();
    private final ArrayDeque<Waiting> inFlight = new ArrayDeque<>();
    private long index;

    private record Waiting(byte[] entry, CompletableFuture<byte[]> result) {}

    public FakeLog(int shards) {
        ShardMap map = ShardMap.initial(shards);
        state.apply(++index, ByteBuffer.wrap(ShardEntries.install(map, new Shard(1, 0), Map.of())));
    }

    @Override
    public boolean leads() {
        return true;
    }

    @Override
    public CompletableFuture<byte[]> submit(byte[] entry) {
        idsPerEntry.add(ByteBuffer.wrap(entry).getInt(1));
        Waiting waiting = new Waiting(entry, new CompletableFuture<>());
        inFlight.add(waiting);
        return waiting.result;
    }

    public int inFlight() {
        return inFlight.size();
    }

    public void applyNext() {
        Waiting next = inFlight.remove();
        next.result.complete(state.apply(++index, ByteBuffer.wrap(next.entry)));
    }

    /** The entry is applied, but its answer is lost. */
    public void applyNextAndFail() {
        Waiting next = inFlight.remove();
        state.apply(++index, ByteBuffer.wrap(next.entry));
        next.result.completeExceptionally(new IllegalStateException("not leader any more"));
    }

    public void refuseNext() {
        inFlight.remove().result.completeExceptionally(new NotSubmittedException("no leader"));
    }
}

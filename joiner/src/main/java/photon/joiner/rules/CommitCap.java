package photon.joiner.rules;

import static photon.core.error.Checks.check;

import java.util.ArrayDeque;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import photon.registry.api.RegistryClient.Shard;

/**
 * Caps, per shard, the ids between commit sent and output flushed: what a crash can lose until the
 * repair has run (docs/protocol.md section 3). What does not fit waits here, inside the admission
 * bound.
 */
public final class CommitCap {
    private final int outstandingMax;
    private final Map<Shard, ShardQueue> shardQueues = new TreeMap<>();
    private int outstanding;
    private int waiting;

    /**
     * @param outstandingMax a shard
     */
    public CommitCap(int outstandingMax) {
        check(outstandingMax > 0, "Expected a cap above 0, but got %s", outstandingMax);
        this.outstandingMax = outstandingMax;
    }

    /** Queues an attempt for its shard. */
    public void add(Shard shard, Attempt attempt) {
        shardQueue(shard).waiting.add(attempt);
        waiting++;
    }

    /**
     * The next attempt that fits below its shard's cap, counted in; null: none. Attempts that were
     * answered meanwhile are left out.
     */
    public @Nullable Taken take() {
        for (Map.Entry<Shard, ShardQueue> entry : shardQueues.entrySet()) {
            ShardQueue shardQueue = entry.getValue();
            while (shardQueue.outstanding < outstandingMax && !shardQueue.waiting.isEmpty()) {
                Attempt next = shardQueue.waiting.remove();
                waiting--;
                if (!next.isAnswered()) {
                    shardQueue.outstanding++;
                    outstanding++;
                    return new Taken(entry.getKey(), next);
                }
            }
        }
        return null;
    }

    /** Its output is flushed, or its id is not its token's. */
    public void release(Shard shard) {
        ShardQueue shardQueue = shardQueue(shard);
        shardQueue.outstanding--;
        outstanding--;
        check(
                shardQueue.outstanding >= 0,
                "Expected ids outstanding in %s, but there are none",
                shard);
    }

    public boolean anyWaiting() {
        return waiting > 0;
    }

    /** In all shards. */
    public int outstanding() {
        return outstanding;
    }

    private ShardQueue shardQueue(Shard shard) {
        return shardQueues.computeIfAbsent(shard, s -> new ShardQueue());
    }

    /** An attempt that counts against a shard's cap. */
    public record Taken(Shard shard, Attempt attempt) {}

    private static final class ShardQueue {
        final ArrayDeque<Attempt> waiting = new ArrayDeque<>();
        int outstanding;
    }
}

package photon.joiner.rules;

import static photon.core.error.Checks.check;

import java.util.ArrayDeque;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import photon.registry.api.RegistryClient.Shard;

/**
 * Caps, per shard, the ids of an incarnation between commit sent and output flushed: what a crash
 * can lose until the repair has run (docs/protocol.md section 3). What does not fit waits here,
 * inside the admission bound.
 */
public final class CommitCap {
    private final CommitRoom room;
    private final Runnable freed;
    private final Map<Shard, ShardQueue> shardQueues = new TreeMap<>();
    private int waiting;

    /**
     * @param room shared with the joiner's other incarnation
     * @param freed run when something that waits here may fit
     */
    public CommitCap(CommitRoom room, Runnable freed) {
        this.room = room;
        this.freed =
                () -> {
                    if (waiting > 0) {
                        freed.run();
                    }
                };
        room.enter(this.freed);
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
            while (!shardQueue.waiting.isEmpty()) {
                Attempt next = shardQueue.waiting.element();
                if (!next.isAnswered() && !room.take(entry.getKey())) {
                    break;
                }
                shardQueue.waiting.remove();
                waiting--;
                if (!next.isAnswered()) {
                    shardQueue.outstanding++;
                    return new Taken(entry.getKey(), next);
                }
            }
        }
        return null;
    }

    /** Its output is flushed, or its id is not its token's. */
    public void release(Shard shard) {
        ShardQueue shardQueue = shardQueue(shard);
        check(
                shardQueue.outstanding > 0,
                "Expected ids outstanding in %s, but there are none",
                shard);
        shardQueue.outstanding--;
        room.release(shard, 1);
    }

    /** Nothing of it counts any more. */
    public void end() {
        room.leave(freed);
        shardQueues.forEach((shard, queue) -> room.release(shard, queue.outstanding));
        shardQueues.clear();
        waiting = 0;
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

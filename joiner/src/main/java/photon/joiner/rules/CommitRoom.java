package photon.joiner.rules;

import static photon.core.error.Checks.check;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import photon.registry.api.RegistryClient.Shard;

/**
 * How many ids a joiner may have outstanding in each shard, over all its incarnations: one that
 * drains and the one that serves share it (docs/protocol.md section 3). Owned by the main loop.
 */
public final class CommitRoom {
    private final int outstandingMax;
    private final Map<Shard, Integer> outstandingByShard = new TreeMap<>();
    private final List<Runnable> waiters = new ArrayList<>();
    private int outstanding;

    /**
     * @param outstandingMax a shard
     */
    public CommitRoom(int outstandingMax) {
        check(outstandingMax > 0, "Expected a cap above 0, but got %s", outstandingMax);
        this.outstandingMax = outstandingMax;
    }

    /** In all shards. */
    public int outstanding() {
        return outstanding;
    }

    /**
     * From now on this is run whenever there is more room: that of the oldest incarnation first.
     */
    void enter(Runnable freed) {
        waiters.add(freed);
    }

    void leave(Runnable freed) {
        waiters.remove(freed);
    }

    /** False: the shard's room is taken. */
    boolean take(Shard shard) {
        int now = outstandingByShard.getOrDefault(shard, 0);
        if (now >= outstandingMax) {
            return false;
        }
        outstandingByShard.put(shard, now + 1);
        outstanding++;
        return true;
    }

    void release(Shard shard, int ids) {
        int left = outstandingByShard.getOrDefault(shard, 0) - ids;
        check(left >= 0, "Expected %s ids outstanding in %s, but there are fewer", ids, shard);
        outstandingByShard.put(shard, left);
        outstanding -= ids;
        List.copyOf(waiters).forEach(Runnable::run);
    }
}

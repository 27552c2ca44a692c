package photon.idregistry.server.counts;

import java.util.concurrent.CompletableFuture;
import photon.core.loop.EventLoop;
import photon.idregistry.replicated.ReplicatedLog;
import photon.idregistry.shard.ShardEntries;

/** The log of one shard as its commits see it: how long each entry takes is counted. */
public final class MeteredLog implements ReplicatedLog {
    private final ReplicatedLog log;
    private final EventLoop clock;
    private final ServerCounts counts;

    public MeteredLog(ReplicatedLog log, EventLoop clock, ServerCounts counts) {
        this.log = log;
        this.clock = clock;
        this.counts = counts;
    }

    @Override
    public boolean leads() {
        return log.leads();
    }

    @Override
    public CompletableFuture<byte[]> submit(byte[] entry) {
        long begun = clock.nanoTime();
        int ids = ShardEntries.idsOf(entry);
        CompletableFuture<byte[]> result = log.submit(entry);
        result.whenComplete(
                (applied, failure) -> {
                    // Without a result it says how long a caller was left in doubt.
                    counts.entryEnded(ids, clock.nanoTime() - begun);
                });
        return result;
    }
}

package photon.idregistry.server.raft;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import photon.idregistry.replicated.GradualRemoval;
import photon.idregistry.shard.ShardState;
import photon.idregistry.table.LocalTableFiles;
import photon.idregistry.table.MemoryBudget;
import photon.idregistry.table.TableHome;

/**
 * Makes the shards of one server: their ids share a budget of memory, a thread that seals old ones,
 * and a directory, which is made anew with each start. Thread-safe.
 */
public final class ShardTables implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ShardTables.class);
    private static final long CLOSE_TIMEOUT_SECONDS = 10;

    private final Path directory;
    private final MemoryBudget budget;

    /** At most one task a shard waits. After the end none is run, and ids just stay in memory. */
    private final ThreadPoolExecutor sealing;

    /** No entry waits for a file system. After the end the next start removes what is left. */
    private final ThreadPoolExecutor removing;

    /** Each with its directory, in the order in which they were made. */
    private final Map<ShardState, Path> made = new LinkedHashMap<>();

    private int count;

    /**
     * @param data the server's; on the same file system as its snapshots
     */
    public ShardTables(String server, Path data, long memoryBytes) {
        this.directory = data.resolve("ids");
        this.budget = MemoryBudget.of(memoryBytes);
        this.sealing = thread("registry-" + server + "-sealing");
        this.removing = thread("registry-" + server + "-removing");
    }

    private static ThreadPoolExecutor thread(String name) {
        return new ThreadPoolExecutor(
                1,
                1,
                0,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(),
                task -> {
                    Thread thread = new Thread(task, name);
                    thread.setDaemon(true);
                    return thread;
                },
                new ThreadPoolExecutor.DiscardPolicy());
    }

    /**
     * A shard without ids.
     *
     * @param group for people
     */
    public synchronized ShardState make(UUID group) {
        try {
            if (count == 0) {
                delete(directory);
            }
            Path own = directory.resolve(count++ + "-" + group);
            ShardState shard =
                    new ShardState(
                            new TableHome(
                                    LocalTableFiles.in(own, removing, GradualRemoval::rest),
                                    budget,
                                    sealing));
            made.put(shard, own);
            return shard;
        } catch (IOException e) {
            throw new UncheckedIOException("The ids' directory " + directory + " is not usable", e);
        }
    }

    /**
     * Gives up a shard's ids: what is being read of them can be read to its end. Nothing may be
     * applied any more, nor read meanwhile. Their files go behind whatever of them is being written
     * or removed still.
     */
    synchronized void discard(ShardState shard) {
        Path own = made.remove(shard);
        if (own != null) {
            shard.discardIds();
            sealing.execute(() -> removing.execute(() -> deleteLater(own)));
        }
    }

    private static void deleteLater(Path own) {
        try {
            delete(own);
        } catch (IOException | UncheckedIOException e) {
            LOG.info("{} stays until the next start: {}", own, e.toString());
        }
    }

    private static void delete(Path tree) throws IOException {
        if (!Files.exists(tree)) {
            return;
        }
        List<Path> all = new ArrayList<>();
        try (Stream<Path> found = Files.walk(tree)) {
            found.forEach(all::add);
        }
        for (int i = all.size() - 1; i >= 0; i--) {
            Files.deleteIfExists(all.get(i));
        }
    }

    /** Once nothing is applied or read any more. */
    @Override
    public void close() {
        // What is being written is of no use to the next life.
        sealing.shutdownNow();
        removing.shutdownNow();
        try {
            if (!sealing.awaitTermination(CLOSE_TIMEOUT_SECONDS, TimeUnit.SECONDS)
                    || !removing.awaitTermination(CLOSE_TIMEOUT_SECONDS, TimeUnit.SECONDS)) {
                LOG.error(
                        "A file of {} is still being written or removed, and is left behind",
                        directory);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        synchronized (this) {
            made.keySet().forEach(shard -> shard.ids().close());
            made.clear();
        }
    }
}

package photon.idregistry.raft;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Removes groups for good, one after another in a thread of its own, since it waits for the disk. A
 * directory goes with one rename, so that a start finds all of a group or nothing; Ratis' own way
 * of deleting can leave a part, which stops the start.
 */
final class Removals implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Removals.class);
    private static final long CLOSE_TIMEOUT_SECONDS = 10;

    private final Path removed;
    private final ExecutorService thread;
    private volatile boolean closing;

    /**
     * @param removed on the same file system as the groups; what is in it is nobody's
     */
    Removals(String node, Path removed) {
        this.removed = removed;
        this.thread =
                Executors.newSingleThreadExecutor(
                        task -> {
                            Thread made = new Thread(task, node + "-removals");
                            made.setDaemon(true);
                            return made;
                        });
    }

    CompletableFuture<?> run(Runnable removal) {
        try {
            return CompletableFuture.runAsync(
                    () -> {
                        if (closing) {
                            throw new CancellationException("The node is closing");
                        }
                        removal.run();
                    },
                    thread);
        } catch (RejectedExecutionException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    /** The directory is gone for every start to come, and its space soon. */
    void delete(Path directory) {
        try {
            if (Files.exists(directory)) {
                Files.createDirectories(removed);
                Path aside = removed.resolve(directory.getFileName());
                deleteAll(aside);
                Files.move(directory, aside, StandardCopyOption.ATOMIC_MOVE);
                deleteAll(aside);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** What a crash has left between the rename and the end. */
    void deleteLeftOvers() throws IOException {
        deleteAll(removed);
    }

    private static void deleteAll(Path tree) throws IOException {
        if (!Files.exists(tree)) {
            return;
        }
        List<Path> all = new ArrayList<>();
        try (Stream<Path> found = Files.walk(tree)) {
            found.forEach(all::add);
        }
        for (int i = all.size() - 1; i >= 0; i--) {
            Files.delete(all.get(i));
        }
    }

    /** What is being removed is removed; what waits is at the next start. */
    @Override
    public void close() {
        closing = true;
        thread.shutdown();
        try {
            if (!thread.awaitTermination(CLOSE_TIMEOUT_SECONDS, TimeUnit.SECONDS)) {
                LOG.info("A group that is being removed is removed at the next start");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}

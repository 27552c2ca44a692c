package photon.demo.generate;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.zip.GZIPOutputStream;

/**
 * Compresses finished log files, if that is wanted. The compressed file is there before the plain
 * one goes: a reader may see both, never none.
 */
final class FinishedLogs {
    private final boolean gzip;
    private final Path aside;
    private final Executor executor;
    private CompletableFuture<Void> last = CompletableFuture.completedFuture(null);

    /**
     * @param executor does the work: a live run may not wait for it
     */
    FinishedLogs(boolean gzip, Path aside, Executor executor) {
        this.gzip = gzip;
        this.aside = aside;
        this.executor = executor;
    }

    /** Nobody writes this file any more. */
    void take(Path file) {
        if (gzip) {
            last = last.thenRunAsync(() -> compress(file), executor);
        }
    }

    /** Waits until all are done. */
    void finish() throws IOException {
        try {
            last.join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof UncheckedIOException io) {
                throw io.getCause();
            }
            throw e;
        }
    }

    private void compress(Path file) {
        Path made = aside.resolve("compressing"); // one at a time
        try {
            try (OutputStream out =
                    new GZIPOutputStream(
                            new BufferedOutputStream(Files.newOutputStream(made)), 64 << 10)) {
                Files.copy(file, out);
            }
            Files.move(made, file.resolveSibling(file.getFileName() + ".gz"));
            Files.delete(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

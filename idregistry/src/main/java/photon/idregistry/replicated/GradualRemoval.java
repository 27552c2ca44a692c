package photon.idregistry.replicated;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Removes large files little by little: a file system that frees gigabytes at once, and discards
 * them on the device, holds up every force of the log for as long. Thread-safe.
 */
public final class GradualRemoval {
    private static final Logger LOG = LoggerFactory.getLogger(GradualRemoval.class);
    private static final long PIECE_BYTES = 8 << 20;

    /** Several times what ids need that come as fast as they can. */
    private static final long BYTES_A_SECOND = 160 << 20;

    private GradualRemoval() {}

    /** Rests as long as it takes others to find the disk free: a {@code freed} of below. */
    public static void rest(long freedBytes) {
        LockSupport.parkNanos(TimeUnit.SECONDS.toNanos(freedBytes) / BYTES_A_SECOND);
    }

    /**
     * Removes a file that nobody reads; nothing if it is not there. One that has another name keeps
     * its content, and just loses this one. If the thread is interrupted, what is left goes at
     * once.
     *
     * @param freed told, in this thread, how many bytes each piece had but for the last: the place
     *     to wait until others have had the disk
     */
    public static void delete(Path file, LongConsumer freed) throws IOException {
        try {
            if (!Thread.currentThread().isInterrupted() && isLargeOfOneName(file)) {
                shorten(file, freed);
            }
        } catch (IOException e) {
            LOG.debug("{} is removed at once", file, e);
        }
        Files.deleteIfExists(file);
    }

    private static void shorten(Path file, LongConsumer freed) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            long left = channel.size();
            while (left > PIECE_BYTES && !Thread.currentThread().isInterrupted()) {
                left -= PIECE_BYTES;
                channel.truncate(left);
                freed.accept(PIECE_BYTES);
            }
        }
    }

    /** False where that cannot be known, too. */
    private static boolean isLargeOfOneName(Path file) {
        try {
            return Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)
                    && Files.size(file) > PIECE_BYTES
                    && Integer.valueOf(1).equals(Files.getAttribute(file, "unix:nlink"));
        } catch (IOException | UnsupportedOperationException | IllegalArgumentException e) {
            return false;
        }
    }
}

package photon.idregistry.replicated;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.function.LongConsumer;

/**
 * Removes large files little by little: a file system that frees gigabytes at once, and discards
 * them on the device, holds up every force of the log for as long. Thread-safe.
 */
public final class GradualRemoval {
    private static final long PIECE_BYTES = 8 << 20;

    private GradualRemoval() {}

    /**
     * Removes a file that nobody reads; nothing if it is not there. One that has another name keeps
     * its content, and just loses this one. If the thread is interrupted, what is left goes at
     * once.
     *
     * @param freed told, in this thread, how many bytes each piece had but for the last: the place
     *     to wait until others have had the disk
     */
    public static void delete(Path file, LongConsumer freed) throws IOException {
        if (hasOneName(file)) {
            shorten(file, freed);
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
    private static boolean hasOneName(Path file) {
        try {
            return Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)
                    && Integer.valueOf(1).equals(Files.getAttribute(file, "unix:nlink"));
        } catch (IOException | UnsupportedOperationException | IllegalArgumentException e) {
            return false;
        }
    }
}

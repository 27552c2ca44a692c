package photon.storage.frames;

import static photon.core.error.Checks.check;

import java.io.IOException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import photon.storage.files.FileStore.ReadFile;

/**
 * Reads the frames of a file that nobody writes any more. Memory: a few frames. Not thread-safe;
 * does not close the file.
 *
 * <p>What is wrong with a whole frame after it is corruption, and reported: somebody wrote on, so
 * those bytes had been whole. What is wrong with none after it is the torn tail that a crash leaves
 * (cut short, or never written blocks that read as zeros), and ends the reading.
 */
public final class FrameReader {
    private static final int CHUNK_BYTES = 256 << 10;

    /** Most files end within it: a chunk for each of them is most of what reading them costs. */
    private static final int FIRST_BYTES = 16 << 10;

    private final ReadFile file;
    private final FrameScanner scanner = new FrameScanner();
    private byte[] window = new byte[FIRST_BYTES];
    private final long startOffset;
    private long windowOffset; // of window[0]
    private int at; // next to scan
    private int filled;
    private long position;
    private boolean torn;
    private @Nullable Frame held; // found behind a corrupt range that is reported first

    /** Reads from this offset on, which must be a frame's beginning. */
    public FrameReader(ReadFile file, long offset) {
        check(offset >= 0, "Expected an offset from 0 on, but got %s", offset);
        this.file = file;
        this.startOffset = offset;
        this.windowOffset = offset;
        this.position = offset;
    }

    /** What comes next in the file. */
    public sealed interface Item {
        long offset();

        /** Where the next begins. */
        long endOffset();
    }

    /** A whole frame with the right checksum. */
    public record Frame(long offset, long endOffset, byte[] payload) implements Item {}

    /** A range without any whole frame, with a whole frame behind it. */
    public record Corrupt(long offset, long endOffset) implements Item {}

    /** The next item; null at the end of the file or of its whole part ({@link #torn()}). */
    public @Nullable Item next() throws IOException {
        if (held != null) {
            Frame frame = held;
            held = null;
            position = frame.endOffset();
            return frame;
        }
        if (torn) {
            return null;
        }
        long corruptFrom = -1;
        while (true) {
            if (at == filled && !fill(1)) {
                torn = corruptFrom >= 0;
                return null;
            }
            long offset = windowOffset + at;
            switch (scanner.scan(window, at, filled)) {
                case FRAME -> {
                    Frame frame = takeFrame(offset);
                    if (corruptFrom < 0) {
                        position = frame.endOffset();
                        return frame;
                    }
                    held = frame;
                    position = offset;
                    return new Corrupt(corruptFrom, offset);
                }
                case CORRUPT -> {
                    corruptFrom = corruptFrom < 0 ? offset : corruptFrom;
                    at = scanner.end();
                }
                case INCOMPLETE -> {
                    if (!fill(scanner.end() - at)) {
                        // Torn, unless a whole frame follows: then this one's length is wrong.
                        corruptFrom = corruptFrom < 0 ? offset : corruptFrom;
                        at++;
                    }
                }
            }
        }
    }

    /** End of the last item: everything before was handed out. */
    public long position() {
        return position;
    }

    /** After the end: true if bytes stand behind {@link #position()} that hold no whole frame. */
    public boolean torn() {
        return torn;
    }

    private Frame takeFrame(long offset) {
        byte[] payload = Arrays.copyOfRange(window, at + FrameScanner.HEADER_BYTES, scanner.end());
        at = scanner.end();
        return new Frame(offset, windowOffset + at, payload);
    }

    /**
     * Gets {@code needed} bytes from {@code at} on into the window; false: the file ends before.
     */
    private boolean fill(int needed) throws IOException {
        boolean goesOn = filled == window.length; // else the end was seen, most likely
        if (at > 0) {
            System.arraycopy(window, at, window, 0, filled - at);
            windowOffset += at;
            filled -= at;
            at = 0;
        }
        if (needed > window.length) {
            window = Arrays.copyOf(window, needed + CHUNK_BYTES);
        } else if (goesOn && windowOffset > startOffset && window.length < CHUNK_BYTES) {
            window = Arrays.copyOf(window, CHUNK_BYTES);
        }
        while (filled < needed) {
            int n = file.read(windowOffset + filled, window, filled, window.length - filled);
            if (n <= 0) {
                return false;
            }
            filled += n;
        }
        return true;
    }
}

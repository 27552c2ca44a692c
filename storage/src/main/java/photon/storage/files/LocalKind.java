package photon.storage.files;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** What a name in a local file system stands for. */
enum LocalKind {
    REGULAR("a regular file"),
    DIRECTORY("a directory"),
    FIFO("a FIFO"),
    SOCKET("a socket"),
    CHARACTER_DEVICE("a character device"),
    BLOCK_DEVICE("a block device"),
    DANGLING_LINK("a symbolic link that leads to nothing"),
    OTHER("of a kind that is not known");

    private static final int TYPE_BITS = 0xF000;

    private final String text;

    LocalKind(String text) {
        this.text = text;
    }

    /**
     * What stands at the path, or at the end of the links that begin there. Opens nothing: opening
     * a FIFO waits until somebody writes to it.
     */
    static LocalKind of(Path path) throws IOException {
        return of(Files.getAttribute(path, "unix:mode"));
    }

    /**
     * @param mode as the attribute {@code unix:mode} gives it
     */
    static LocalKind of(@Nullable Object mode) {
        if (!(mode instanceof Integer bits)) {
            return OTHER;
        }
        return switch (bits & TYPE_BITS) {
            case 0x8000 -> REGULAR;
            case 0x4000 -> DIRECTORY;
            case 0x1000 -> FIFO;
            case 0xC000 -> SOCKET;
            case 0x2000 -> CHARACTER_DEVICE;
            case 0x6000 -> BLOCK_DEVICE;
            case 0xA000 -> DANGLING_LINK; // links are followed: this one could not be
            default -> OTHER;
        };
    }

    /** For people, such as "a FIFO". */
    @Override
    public String toString() {
        return text;
    }
}

package photon.demo.chaos;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A datacenter's mount of the logs: a link to where they are. Unmounted, there is nothing, or an
 * empty directory, as mount points have it. Not thread-safe.
 */
final class LogVolume {
    private final Path mount;
    private final Path logs;
    private boolean away;

    private LogVolume(Path mount, Path logs) {
        this.mount = mount;
        this.logs = logs;
    }

    /**
     * Mounts it.
     *
     * @param mount where nothing is yet
     */
    static LogVolume mounted(Path mount, Path logs) throws IOException {
        Files.createDirectories(mount.toAbsolutePath().getParent());
        Files.createSymbolicLink(mount, logs);
        return new LogVolume(mount, logs);
    }

    boolean isAway() {
        return away;
    }

    /**
     * @param empty an empty directory stands in its place
     */
    void unmount(boolean empty) throws IOException {
        away = true;
        Files.delete(mount);
        if (empty) {
            Files.createDirectory(mount);
        }
    }

    /** Nothing if it is mounted. */
    void mount() throws IOException {
        if (away) {
            Files.deleteIfExists(mount);
            Files.createSymbolicLink(mount, logs);
            away = false;
        }
    }
}

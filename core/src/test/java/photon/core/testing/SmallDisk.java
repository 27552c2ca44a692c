package photon.core.testing;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** A small file system in memory that a test fills: only root can make one. */
public final class SmallDisk {
    private SmallDisk() {}

    /**
     * @param size such as {@code 48m}
     * @return false if it cannot be made here
     */
    public static boolean mount(Path at, String size) throws InterruptedException {
        return run("mount", "-t", "tmpfs", "-o", "size=" + size, "tmpfs", at.toString());
    }

    /** Also while files are open there. */
    public static void unmount(Path at) throws InterruptedException {
        run("umount", "-l", at.toString());
    }

    private static boolean run(String... command) throws InterruptedException {
        try {
            Process process =
                    new ProcessBuilder(command)
                            .redirectErrorStream(true)
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .start();
            return process.waitFor(30, TimeUnit.SECONDS) && process.exitValue() == 0;
        } catch (IOException e) {
            return false;
        }
    }
}

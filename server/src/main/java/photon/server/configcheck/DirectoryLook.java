package photon.server.configcheck;

import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import photon.server.configcheck.rules.PathRules;

/** Looks at a directory of this machine. Makes nothing. */
final class DirectoryLook {
    private DirectoryLook() {}

    static PathRules.Directory at(Path directory) {
        Path absolute = directory.toAbsolutePath().normalize();
        Path nearest = absolute;
        while (!Files.exists(nearest) && nearest.getParent() != null) {
            nearest = nearest.getParent();
        }
        String type = "a file system that says nothing of itself";
        long free = 0;
        long size = 0;
        try {
            FileStore disk = Files.getFileStore(nearest);
            type = disk.type();
            free = disk.getUsableSpace();
            size = disk.getTotalSpace();
        } catch (IOException e) {
            // It is writable or not, all the same.
        }
        return new PathRules.Directory(
                nearest.equals(absolute),
                Files.isDirectory(nearest),
                Files.isWritable(nearest),
                nearest.toString(),
                type,
                free,
                size);
    }
}

package photon.storage.files;

import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.jspecify.annotations.Nullable;

/** Hadoop's globs over local files: the same patterns mean the same on HDFS and here. */
final class LocalGlob {
    private @Nullable RawLocalFileSystem fileSystem;

    /** Paths of what matches now, files and directories, in no order. */
    List<String> expand(String pattern) throws IOException {
        FileStatus[] matches = fileSystem().globStatus(new Path(pattern));
        List<String> paths = new ArrayList<>();
        if (matches != null) {
            for (FileStatus match : matches) {
                paths.add(match.getPath().toUri().getPath());
            }
        }
        return paths;
    }

    /** Made when first needed: loading Hadoop takes a while. */
    private synchronized RawLocalFileSystem fileSystem() throws IOException {
        if (fileSystem == null) {
            RawLocalFileSystem made = new RawLocalFileSystem();
            made.initialize(URI.create("file:///"), new Configuration());
            fileSystem = made;
        }
        return fileSystem;
    }
}

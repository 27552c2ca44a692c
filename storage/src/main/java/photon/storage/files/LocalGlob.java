package photon.storage.files;

import java.io.IOException;
import java.net.URI;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.GlobFilter;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.jspecify.annotations.Nullable;

/** Hadoop's globs over local files: the same patterns mean the same on HDFS and here. */
final class LocalGlob {
    private @Nullable RawLocalFileSystem fileSystem;

    /** Paths of what matches now, files and directories, in no order. */
    List<String> expand(String pattern) throws IOException {
        String directory = Globs.fixedDirectory(pattern);
        String name = pattern.substring(pattern.lastIndexOf('/') + 1);
        return pattern.equals(directory + "/" + name) && Globs.isWild(name)
                ? expandName(directory, name)
                : expandPath(pattern);
    }

    /**
     * Where only the last component is a pattern, as a rule, the names are enough: Hadoop asks for
     * each file's attributes, which takes most of the time of a listing of thousands.
     */
    private static List<String> expandName(String directory, String name) throws IOException {
        GlobFilter filter = new GlobFilter(name);
        List<String> paths = new ArrayList<>();
        try (DirectoryStream<java.nio.file.Path> entries =
                Files.newDirectoryStream(java.nio.file.Path.of(directory))) {
            for (java.nio.file.Path entry : entries) {
                String path = entry.toString();
                if (filter.accept(new Path(null, null, path))) {
                    paths.add(path);
                }
            }
        } catch (NoSuchFileException | NotDirectoryException e) {
            return List.of();
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
        return paths;
    }

    List<String> expandPath(String pattern) throws IOException {
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

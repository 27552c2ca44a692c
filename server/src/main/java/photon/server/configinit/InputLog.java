package photon.server.configinit;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import photon.core.config.LocalPath;
import photon.core.error.ConfigException;
import photon.server.configinit.rules.LogSample;
import photon.storage.files.FileStore;
import photon.storage.files.FileStore.FileInfo;
import photon.storage.files.Globs;
import photon.storage.tail.FileHead;

/**
 * A log that the user names, and its first records.
 *
 * @param pattern absolute, as a glob
 * @param files that it matches
 * @param compression of the first file; empty: none
 * @param troubles why a file cannot be read on, each with its path
 */
record InputLog(
        String pattern,
        List<FileInfo> files,
        String compression,
        LogSample sample,
        List<String> troubles) {
    /** What is held of one stream as it stands in the log; taken apart it is several times that. */
    private static final long BYTES_MAX = 32L << 20;

    private static final int FILES_MAX = 16;

    /**
     * @param name {@code primary} or {@code foreign}, which is also the option
     * @param argument a file, or a glob
     * @throws ConfigException if no file stands there that could be read
     */
    static InputLog read(FileStore files, String name, String argument, int recordsMax) {
        try {
            String path = absolute(argument);
            FileInfo there = Globs.isWild(path) && path.contains("://") ? null : files.stat(path);
            if (there == null && !Globs.isWild(path)) {
                throw problem(name, argument, "the file does not exist", "name an existing file");
            }
            if (there != null && there.directory()) {
                throw problem(
                        name,
                        argument,
                        "it is a directory",
                        "name a file in it, or a glob in quotes such as '%s/*'"
                                .formatted(argument.replaceAll("/+$", "")));
            }
            List<FileInfo> found = there != null ? List.of(there) : files.glob(path);
            if (found.isEmpty()) {
                throw problem(name, argument, "no file matches it", "name existing files");
            }
            return read(files, name, there != null ? Globs.escape(path) : path, found, recordsMax);
        } catch (FileSystemException e) {
            String reason = e.getReason();
            throw problem(
                    name,
                    argument,
                    reason == null ? "it cannot be read (%s)".formatted(e) : reason,
                    "name a regular file that Photon may read");
        } catch (IOException e) {
            throw problem(
                    name, argument, "it cannot be read: " + e.getMessage(), "name another file");
        }
    }

    private static InputLog read(
            FileStore files, String name, String pattern, List<FileInfo> found, int recordsMax)
            throws IOException {
        int read = Math.min(FILES_MAX, found.size());
        List<FileHead> heads = new ArrayList<>();
        List<String> troubles = new ArrayList<>();
        for (FileInfo file : found.subList(0, read)) {
            FileHead head =
                    FileHead.read(
                            files,
                            file.path(),
                            Math.max(1, recordsMax / read),
                            Math.max(1, BYTES_MAX / read));
            heads.add(head);
            if (!head.trouble().isEmpty()) {
                troubles.add(
                        "%s cannot be read to its end: %s".formatted(file.path(), head.trouble()));
            }
        }
        FileHead first = heads.get(0);
        return new InputLog(
                pattern,
                found,
                first.compression(),
                new LogSample(
                        name,
                        heads.stream().map(FileHead::records).toList(),
                        first.framed(),
                        read == found.size() && heads.stream().allMatch(FileHead::atEnd),
                        lastName(found.get(0).path())),
                troubles);
    }

    /** The pattern as the configuration has it: relative to its directory if it lies below. */
    String written(Path configuration) {
        Path directory = configuration.toAbsolutePath().normalize().getParent();
        String base = directory == null ? "/" : directory + "/";
        String within = Globs.escape(base.replaceAll("/+$", "/"));
        return pattern.startsWith(within) ? pattern.substring(within.length()) : pattern;
    }

    private static String absolute(String argument) {
        return LocalPath.isUri(argument)
                ? argument
                : Path.of(argument).toAbsolutePath().normalize().toString();
    }

    static String lastName(String path) {
        return path.substring(path.lastIndexOf('/') + 1);
    }

    private static ConfigException problem(
            String name, String argument, String problem, String expected) {
        return new ConfigException(
                "--%s is '%s': %s. Expected a log file: %s"
                        .formatted(name, argument, problem, expected));
    }
}

package photon.storage.files;

import java.io.IOException;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import photon.core.config.HadoopConfig;

/**
 * The production file store: local files, and any file system that Hadoop knows. A path that begins
 * with '/' or {@code file:} is a local file, any other is a URI such as {@code
 * hdfs://namenode/logs/a}; both arguments of a rename lie in the same file system. Local paths are
 * handed out without scheme.
 *
 * <p>Globs are Hadoop's: {@code *} and {@code ?} within one name, {@code [abc]}, {@code [a-z]},
 * {@code [^a]}, {@code {a,b}} (also across '/'), {@code \} before a character to take it as it is.
 * {@code **} means no more than {@code *}. Names that begin with a dot or an underscore match like
 * others.
 *
 * <p>Thread-safe.
 */
public final class HadoopFileStore implements FileStore {
    private final LocalFiles local = new LocalFiles();
    private final RemoteFiles remote;

    /** With Hadoop's configuration files alone. */
    public HadoopFileStore() {
        this(HadoopConfig.NONE);
    }

    /** Looks for Hadoop's configuration files, and logs in, when a URI is used first. */
    public HadoopFileStore(HadoopConfig config) {
        this.remote = new RemoteFiles(() -> HadoopSettings.enter(config, System.getenv()));
    }

    @Override
    public List<FileInfo> glob(String pattern) throws IOException {
        return of(pattern).glob(plain(pattern));
    }

    @Override
    public Watch watch(String pattern, Predicate<String> leftOut) {
        return of(pattern).watch(plain(pattern), leftOut);
    }

    @Override
    public List<FileInfo> list(String directory) throws IOException {
        return of(directory).list(plain(directory));
    }

    @Override
    public @Nullable FileInfo stat(String path) throws IOException {
        return of(path).stat(plain(path));
    }

    @Override
    public ReadFile open(String path) throws IOException {
        return of(path).open(plain(path));
    }

    @Override
    public AppendFile create(String path) throws IOException {
        return of(path).create(plain(path));
    }

    @Override
    public void createDirectory(String path) throws IOException {
        of(path).createDirectory(plain(path));
    }

    @Override
    public void createDirectories(String path) throws IOException {
        of(path).createDirectories(plain(path));
    }

    @Override
    public void rename(String from, String to) throws IOException {
        of(from).rename(plain(from), plain(to));
    }

    @Override
    public boolean publish(String from, String to) throws IOException {
        return of(from).publish(plain(from), plain(to));
    }

    @Override
    public void delete(String path) throws IOException {
        of(path).delete(plain(path));
    }

    @Override
    public void syncDirectory(String directory) throws IOException {
        of(directory).syncDirectory(plain(directory));
    }

    @Override
    public void recover(String path) throws IOException {
        of(path).recover(plain(path));
    }

    private FileStore of(String path) {
        return path.startsWith("/") || path.startsWith("file:") ? local : remote;
    }

    /** {@code file:///a}, {@code file://localhost/a} and {@code file:/a} are {@code /a}. */
    private static String plain(String path) {
        if (!path.startsWith("file:")) {
            return path;
        }
        String rest = path.substring("file:".length());
        return rest.startsWith("//") ? rest.substring(rest.indexOf('/', 2)) : rest;
    }
}

package photon.registry.admin.backup;

import java.nio.file.Path;
import photon.core.config.LocalPath;
import photon.storage.files.FileStore;
import photon.storage.files.HadoopFileStore;

/**
 * Where a backup lies, or a folder of them: a directory of this machine, or of any file system that
 * Hadoop knows.
 *
 * @param path as the store takes it: absolute, or a URI; without a slash at its end
 */
public record BackupPlace(FileStore files, String path) {
    public static BackupPlace local(Path directory) {
        return new BackupPlace(
                new HadoopFileStore(), directory.toAbsolutePath().normalize().toString());
    }

    public boolean isLocal() {
        return !LocalPath.isUri(path);
    }

    public BackupPlace resolve(String name) {
        return new BackupPlace(files, path.endsWith("/") ? path + name : path + "/" + name);
    }

    /**
     * The directory that it is in: of /backup it is /, of hdfs://namenode/backup the same there.
     */
    public BackupPlace parent() {
        int host = path.indexOf("://");
        int root = host < 0 ? 0 : path.indexOf('/', host + 3);
        int slash = path.lastIndexOf('/');
        return new BackupPlace(files, path.substring(0, slash == root ? root + 1 : slash));
    }

    /** Of an entry of a listing: a store may write the place before it in another way. */
    public static String name(FileStore.FileInfo entry) {
        String path = LocalPath.withoutEnd(entry.path());
        return path.substring(path.lastIndexOf('/') + 1);
    }

    @Override
    public String toString() {
        return path;
    }
}

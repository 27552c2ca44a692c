package photon.cli.registry;

import java.util.stream.Collectors;
import photon.registry.admin.backup.BackupPlace;
import photon.storage.files.Hdfs;

/** A registry that lost all disks comes back from a backup on HDFS. */
class RestoreFromHdfsTest extends RegistryRestoreTest {
    private final BackupPlace folder = new BackupPlace(Hdfs.files(), Hdfs.newDirectory());

    @Override
    protected BackupPlace backups() {
        return folder;
    }

    @Override
    protected String moreConfig() {
        return Hdfs.settings().entrySet().stream()
                .map(e -> "  %s: %s".formatted(e.getKey(), e.getValue()))
                .collect(Collectors.joining("\n", "hadoop:\n", "\n"));
    }

    /** Not run again: what it is about has nothing to do with where the backup lies. */
    @Override
    void aDatacenterThatWasDeclaredLostComesBack() {}
}

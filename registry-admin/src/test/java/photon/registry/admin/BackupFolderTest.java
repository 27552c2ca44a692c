package photon.registry.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import photon.registry.admin.backup.BackupPlace;

final class BackupFolderTest extends BackupFolderContract {
    @TempDir Path folder;

    @Override
    protected BackupPlace folder() {
        return BackupPlace.local(folder);
    }

    @Test
    void whatALinkLeadsToIsNoBackupOfTheFolder() throws Exception {
        add(0, 5);
        Path outside = Files.createDirectory(folder.resolve("monday"));
        Files.writeString(outside.resolve("kept"), "there");
        Path backup = folder.resolve("photon-20250103T000000Z");
        Path partial = folder.resolve("photon-20250104T000000Z.partial");
        Files.createSymbolicLink(backup, outside);
        Files.createSymbolicLink(partial, outside);
        BackupFolder.Added added = add(2, 1);
        assertThat(added.remnants()).isEmpty();
        assertThat(added.retention().damaged()).isEmpty();
        assertThat(added.retention().deleted()).containsExactly(name(0));
        assertThat(outside.resolve("kept")).exists();
        assertThat(backup).isSymbolicLink();
        assertThat(partial).isSymbolicLink();
    }

    @Test
    void aDiskThatIsNotMountedMayBeTheReason() {
        assertThatThrownBy(
                        () ->
                                new BackupFolder(folder().resolve("unmounted"))
                                        .add(BackupFolderContract::write, at(0), 1))
                .hasMessageContaining("mount the disk");
    }
}

package photon.idregistry.backup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import photon.registry.api.RegistryClient.Shard;

/** A backup is whole, or it is none. */
final class BackupManifestTest {
    private static final UUID PIPELINE = new UUID(1, 2);

    @TempDir Path root;

    private static BackupManifest manifest() {
        return new BackupManifest(
                "2026-11-22T06:00:00Z",
                List.of(
                        new BackupGroup(
                                null,
                                null,
                                3,
                                17,
                                List.of(new BackupGroup.StoredBytes("state", 5, "ab".repeat(32)))),
                        new BackupGroup(
                                PIPELINE,
                                new Shard(2, 11),
                                4,
                                170,
                                List.of(
                                        new BackupGroup.StoredBytes("state", 6, "cd".repeat(32)),
                                        new BackupGroup.StoredBytes(
                                                "ids-1.bin", 7, "ef".repeat(32))))));
    }

    @Test
    void itIsReadAsItWasWritten() throws Exception {
        assertThat(BackupManifest.read(manifest().toBytes())).isEqualTo(manifest());
    }

    @Test
    void noByteOfItCanChangeUnseen() {
        byte[] whole = manifest().toBytes();
        for (int at = 0; at < whole.length; at++) {
            byte[] changed = whole.clone();
            changed[at] ^= 1;
            assertThatThrownBy(() -> BackupManifest.read(changed))
                    .as("byte " + at)
                    .isInstanceOf(DamagedBackupException.class);
            byte[] cut = java.util.Arrays.copyOf(whole, at);
            assertThatThrownBy(() -> BackupManifest.read(cut))
                    .as("cut at " + at)
                    .isInstanceOf(DamagedBackupException.class);
        }
    }

    private Path written() throws Exception {
        Path directory = root.resolve("backup");
        BackupWriter writer = BackupWriter.create(directory);
        BackupWriter.Group control = writer.control();
        control.file("state", out -> out.write(new byte[] {1, 2, 3}));
        control.finish(1, 9);
        writer.finish("now");
        return directory;
    }

    @Test
    void whatIsMissingOrTooMuchIsNamed() throws Exception {
        Path directory = written();
        assertThat(Backup.open(directory).manifest().groups()).hasSize(1);

        Path stranger = Files.createFile(directory.resolve("control/other"));
        assertThatThrownBy(() -> Backup.open(directory)).hasMessageContaining("other");
        Files.delete(stranger);

        Path state = directory.resolve("control/state");
        Files.write(state, new byte[] {1, 2, 4});
        assertThatThrownBy(() -> Backup.open(directory).verify())
                .isInstanceOf(DamagedBackupException.class)
                .hasMessageContaining("control/state")
                .hasMessageContaining("SHA-256");
        Files.write(state, new byte[] {1, 2});
        assertThatThrownBy(() -> Backup.open(directory)).hasMessageContaining("it has 2");
        Files.delete(state);
        assertThatThrownBy(() -> Backup.open(directory)).hasMessageContaining("is missing");
        Files.delete(directory.resolve(BackupManifest.NAME));
        assertThatThrownBy(() -> Backup.open(directory)).hasMessageContaining("not finished");
    }

    @Test
    void nothingIsWrittenOver() throws Exception {
        Path directory = written();
        assertThatThrownBy(() -> BackupWriter.create(directory))
                .isInstanceOf(FileAlreadyExistsException.class);
        assertThat(Backup.open(directory).manifest().made()).isEqualTo("now");
    }
}

package photon.registry.admin.backup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import photon.registry.api.RegistryClient.Shard;
import photon.storage.files.FileStore;
import photon.storage.files.HadoopFileStore;

/** A backup is whole, or it is none. */
final class BackupManifestTest {
    private static final UUID PIPELINE = new UUID(1, 2);

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

    @Test
    void thePlaceAboveIsADirectory() {
        FileStore files = new HadoopFileStore();
        assertThat(new BackupPlace(files, "/a/b").parent().path()).isEqualTo("/a");
        assertThat(new BackupPlace(files, "/a").parent().path()).isEqualTo("/");
        assertThat(new BackupPlace(files, "hdfs://n:1/a/b").parent().path())
                .isEqualTo("hdfs://n:1/a");
        assertThat(new BackupPlace(files, "hdfs://n:1/a").parent().path()).isEqualTo("hdfs://n:1/");
    }
}

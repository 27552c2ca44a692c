package photon.registry.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import photon.registry.admin.backup.Backup;
import photon.registry.admin.backup.BackupPlace;
import photon.registry.admin.backup.BackupWriter;
import photon.registry.admin.backup.DamagedBackupException;
import photon.storage.files.FileStore;
import photon.storage.files.FileStore.AppendFile;
import photon.storage.files.FileStore.ReadFile;

/** What holds for backups, and for a folder of them, on every file system. */
public abstract class BackupFolderContract {
    private static final Instant START = Instant.parse("2026-01-05T02:00:00Z");

    /** Of this test alone, there, and empty. */
    protected abstract BackupPlace folder();

    static Backup.Content write(BackupPlace directory) throws IOException {
        return WrittenBackup.write(directory).verify();
    }

    BackupFolder.Added add(int hour, int keep) throws Exception {
        return new BackupFolder(folder()).add(BackupFolderContract::write, at(hour), keep);
    }

    static Instant at(int hour) {
        return START.plus(Duration.ofHours(hour));
    }

    static String name(int hour) {
        return "photon-20260105T%02d0000Z".formatted(2 + hour);
    }

    List<String> names() throws IOException {
        return folder().files().list(folder().path()).stream()
                .map(BackupPlace::name)
                .filter(name -> !name.equals(FolderLock.NAME))
                .sorted()
                .toList();
    }

    String newest() throws IOException {
        String path = new BackupFolder(folder()).newest().orElseThrow().path();
        assertThat(path).startsWith(folder().path() + "/");
        return path.substring(path.lastIndexOf('/') + 1);
    }

    private void put(BackupPlace file, byte[] bytes) throws IOException {
        file.files().delete(file.path());
        try (AppendFile out = file.files().create(file.path())) {
            out.write(bytes, 0, bytes.length);
            out.sync();
        }
    }

    private static byte[] bytes(BackupPlace file) throws IOException {
        try (ReadFile in = file.files().open(file.path())) {
            byte[] bytes = new byte[(int) in.length()];
            assertThat(in.read(0, bytes, 0, bytes.length)).isEqualTo(bytes.length);
            return bytes;
        }
    }

    @Test
    void backupsComeAndTheOldestGo() throws Exception {
        for (int hour = 0; hour < 4; hour++) {
            BackupFolder.Added added = add(hour, 2);
            assertThat(added.backup()).hasToString(folder().resolve(name(hour)).path());
            assertThat(added.content().ids()).isEqualTo(1);
            Backup.open(added.backup()).verify();
        }
        assertThat(names()).containsExactly(name(2), name(3));
        assertThat(newest()).isEqualTo(name(3));
    }

    @Test
    void twoOfOneSecondBothStay() throws Exception {
        add(0, 5);
        add(0, 5);
        assertThat(names()).containsExactly("photon-20260105T020000Z", "photon-20260105T020001Z");
    }

    @Test
    void whatAnEarlierRunLeftIsDeletedAndNothingElse() throws Exception {
        add(0, 5);
        BackupPlace crashed = folder().resolve(BackupNames.partial(name(1)));
        write(crashed);
        folder().files().delete(crashed.resolve("MANIFEST").path());
        write(folder().resolve(BackupNames.deleted("photon-20250101T000000Z")));
        write(folder().resolve("monday"));
        write(folder().resolve("monday.partial"));
        put(folder().resolve("photon-20250102T000000Z.partial"), new byte[1]);

        BackupFolder.Added added = add(2, 1);

        assertThat(added.remnants())
                .containsExactly("photon-20250101T000000Z.deleted", name(1) + ".partial");
        assertThat(added.retention().deleted()).containsExactly(name(0));
        assertThat(names())
                .containsExactly(
                        "monday", "monday.partial", "photon-20250102T000000Z.partial", name(2));
    }

    @Test
    void aRunThatFailsDeletesNoBackup() throws Exception {
        add(0, 5);
        add(1, 5);
        BackupFolder.Maker fails =
                directory -> {
                    write(directory);
                    throw new IOException("disk full");
                };
        assertThatThrownBy(() -> new BackupFolder(folder()).add(fails, at(2), 1))
                .hasMessage("disk full");
        assertThat(names())
                .as("a process that died here would have left as much")
                .containsExactly(name(0), name(1), name(2) + ".partial");
        assertThat(newest()).isEqualTo(name(1));

        assertThat(add(3, 2).retention().kept()).containsExactly(name(3), name(1));
        assertThat(names()).containsExactly(name(1), name(3));
    }

    @Test
    void aDamagedBackupPushesNoGoodOneOut() throws Exception {
        add(0, 5);
        add(1, 5);
        folder().files().delete(folder().resolve(name(1)).resolve("control/state").path());
        BackupFolder.Added added = add(2, 2);
        assertThat(added.retention().kept()).containsExactly(name(2), name(0));
        assertThat(added.retention().damaged()).containsExactly(name(1));
        assertThat(names()).containsExactly(name(0), name(1), name(2));
    }

    @Test
    void anotherRunMeanwhileIsRefusedAndHarmsNothing() throws Exception {
        BackupFolder.Maker meanwhile =
                directory -> {
                    write(directory);
                    assertThatThrownBy(() -> add(1, 1))
                            .isInstanceOf(BackupFolder.UnusableException.class)
                            .hasMessageContaining("another 'photon registry backup'");
                    return Backup.open(directory).verify();
                };
        BackupFolder.Added added = new BackupFolder(folder()).add(meanwhile, START, 1);
        assertThat(names()).containsExactly(name(0));
        Backup.open(added.backup()).verify();
        add(1, 1);
        assertThat(names()).containsExactly(name(1));
    }

    @Test
    void aFolderThatIsNotThereIsNotMade() throws Exception {
        BackupPlace missing = folder().resolve("unmounted");
        assertThatThrownBy(
                        () -> new BackupFolder(missing).add(BackupFolderContract::write, START, 1))
                .isInstanceOf(BackupFolder.UnusableException.class)
                .hasMessageContaining(missing + " is not a directory");
        assertThat(folder().files().stat(missing.path())).isNull();
    }

    @Test
    void nothingIsWrittenOver() throws Exception {
        BackupPlace there = folder().resolve("deep/er/monday");
        write(there);
        assertThatThrownBy(() -> BackupWriter.create(there))
                .isInstanceOf(FileAlreadyExistsException.class);
        Backup.open(there).verify();
    }

    /** Whatever a crash leaves of it, it is no backup. */
    @Test
    void withoutAWholeManifestItIsNone() throws Exception {
        BackupPlace backup = folder().resolve("monday");
        write(backup);
        BackupPlace manifest = backup.resolve("MANIFEST");
        byte[] whole = bytes(manifest);
        for (int length : new int[] {0, 1, whole.length / 2, whole.length - 1}) {
            put(manifest, java.util.Arrays.copyOf(whole, length));
            assertThatThrownBy(() -> Backup.open(backup))
                    .as("cut at " + length)
                    .isInstanceOf(DamagedBackupException.class)
                    .hasMessageContaining(manifest.path());
        }
        folder().files().delete(manifest.path());
        assertThatThrownBy(() -> Backup.open(backup)).hasMessageContaining("not finished");
        put(manifest, whole);
        Backup.open(backup).verify();
    }

    @Test
    void eachFileThatWasChangedIsFound() throws Exception {
        BackupPlace backup = folder().resolve("monday");
        write(backup);
        FileStore files = folder().files();
        int changed = 0;
        for (FileStore.FileInfo group : files.list(backup.path())) {
            BackupPlace place = backup.resolve(BackupPlace.name(group));
            for (FileStore.FileInfo info : files.list(place.path())) {
                BackupPlace file = place.resolve(BackupPlace.name(info));
                byte[] whole = bytes(file);
                byte[] other = whole.clone();
                other[other.length / 2] ^= 1;
                put(file, other);
                assertThatThrownBy(() -> Backup.open(backup).verify())
                        .isInstanceOf(DamagedBackupException.class)
                        .hasMessageContaining(file.path())
                        .hasMessageContaining("SHA-256");
                put(file, java.util.Arrays.copyOf(whole, whole.length - 1));
                assertThatThrownBy(() -> Backup.open(backup))
                        .hasMessageContaining("it has " + (whole.length - 1));
                put(file, whole);
                changed++;
            }
        }
        assertThat(changed).isGreaterThanOrEqualTo(2);
        put(backup.resolve("control/other"), new byte[1]);
        assertThatThrownBy(() -> Backup.open(backup)).hasMessageContaining("control/other is not");
    }
}

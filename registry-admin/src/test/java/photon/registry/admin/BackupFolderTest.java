package photon.registry.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import photon.idregistry.backup.Backup;

final class BackupFolderTest {
    private static final Instant START = Instant.parse("2026-01-05T02:00:00Z");

    @TempDir Path folder;

    private static Backup.Content write(Path directory) throws IOException {
        return WrittenBackup.write(directory).verify();
    }

    private BackupFolder.Added add(int hour, int keep) throws Exception {
        return new BackupFolder(folder)
                .add(BackupFolderTest::write, START.plus(Duration.ofHours(hour)), keep);
    }

    private static String name(int hour) {
        return "photon-20260105T%02d0000Z".formatted(2 + hour);
    }

    private List<String> names() throws IOException {
        try (Stream<Path> all = Files.list(folder)) {
            return all.map(path -> path.getFileName().toString())
                    .filter(name -> !name.equals(BackupFolder.LOCK))
                    .sorted()
                    .toList();
        }
    }

    @Test
    void backupsComeAndTheOldestGo() throws Exception {
        for (int hour = 0; hour < 4; hour++) {
            BackupFolder.Added added = add(hour, 2);
            assertThat(added.backup()).isEqualTo(folder.resolve(name(hour)));
            assertThat(added.content().ids()).isEqualTo(1);
            Backup.open(added.backup()).verify();
        }
        assertThat(names()).containsExactly(name(2), name(3));
        assertThat(new BackupFolder(folder).newest()).contains(folder.resolve(name(3)));
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
        Path crashed = folder.resolve(BackupNames.partial(name(1)));
        write(crashed);
        Files.delete(crashed.resolve("MANIFEST"));
        write(folder.resolve(BackupNames.deleted("photon-20250101T000000Z")));
        write(folder.resolve("monday"));
        write(folder.resolve("monday.partial"));
        Files.writeString(folder.resolve("photon-20250102T000000Z.partial"), "a file");
        Path outside = folder.resolve("monday/kept");
        Files.writeString(outside, "there");
        Files.createSymbolicLink(
                folder.resolve("photon-20250103T000000Z"), folder.resolve("monday"));

        BackupFolder.Added added = add(2, 1);

        assertThat(added.remnants())
                .containsExactly("photon-20250101T000000Z.deleted", name(1) + ".partial");
        assertThat(added.retention().deleted()).containsExactly(name(0));
        assertThat(names())
                .containsExactly(
                        "monday",
                        "monday.partial",
                        "photon-20250102T000000Z.partial",
                        "photon-20250103T000000Z",
                        name(2));
        assertThat(outside).exists();
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
        assertThatThrownBy(
                        () ->
                                new BackupFolder(folder)
                                        .add(fails, START.plus(Duration.ofHours(2)), 1))
                .hasMessage("disk full");
        assertThat(names())
                .as("a process that died here would have left as much")
                .containsExactly(name(0), name(1), name(2) + ".partial");
        assertThat(new BackupFolder(folder).newest()).contains(folder.resolve(name(1)));

        assertThat(add(3, 2).retention().kept()).containsExactly(name(3), name(1));
        assertThat(names()).containsExactly(name(1), name(3));
    }

    @Test
    void aDamagedBackupPushesNoGoodOneOut() throws Exception {
        add(0, 5);
        add(1, 5);
        Files.delete(folder.resolve(name(1)).resolve("control/state"));
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
        BackupFolder.Added added = new BackupFolder(folder).add(meanwhile, START, 1);
        assertThat(names()).containsExactly(name(0));
        Backup.open(added.backup()).verify();
        add(1, 1);
        assertThat(names()).containsExactly(name(1));
    }

    @Test
    void aFolderThatIsNotThereIsNotMade() {
        Path missing = folder.resolve("unmounted");
        assertThatThrownBy(() -> new BackupFolder(missing).add(BackupFolderTest::write, START, 1))
                .isInstanceOf(BackupFolder.UnusableException.class)
                .hasMessageContaining("mount the disk");
        assertThat(missing).doesNotExist();
    }
}

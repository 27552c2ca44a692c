package photon.registry.admin;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import photon.registry.admin.backup.Backup;

final class BackupMetricsTest {
    private static final Backup.Content CONTENT =
            new Backup.Content(List.of("ads"), 3, 1_000, 40_000);

    @TempDir Path directory;

    /** Under a umask of 0027, as in the systemd unit, a file is made as the first one here. */
    @Test
    void anyUserMayReadTheFile() throws Exception {
        Path file = directory.resolve("backup.prom");
        Path aside = Files.createFile(directory.resolve("backup.prom.partial"));
        Files.setPosixFilePermissions(aside, PosixFilePermissions.fromString("rw-r-----"));
        BackupMetrics.write(file, Instant.ofEpochSecond(1_700_000_000), CONTENT);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-r--r--");
        assertThat(Files.readAllLines(file))
                .contains(
                        "photon_backup_last_success_timestamp_seconds 1700000000",
                        "photon_backup_last_bytes 40000",
                        "photon_backup_last_ids 1000");
        assertThat(aside).doesNotExist();
    }
}

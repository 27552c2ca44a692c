package photon.registry.admin;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.Set;
import photon.registry.admin.backup.Backup;

/**
 * Tells monitoring of a backup, by a file in Prometheus' text format as the textfile collector of
 * node_exporter reads it. A run that fails leaves the file of the run before: its time grows old.
 */
public final class BackupMetrics {
    private static final Set<PosixFilePermission> READ_BY_ALL =
            PosixFilePermissions.fromString("rw-r--r--");

    private BackupMetrics() {}

    /**
     * Replaces the file at once, so that a reader finds a whole one.
     *
     * @param begun what the backup holds is from then on
     */
    public static void write(Path file, Instant begun, Backup.Content content) throws IOException {
        // A name that does not end in .prom, which the collector would read.
        Path aside = file.resolveSibling(file.getFileName() + ".partial");
        Files.write(aside, text(begun, content).getBytes(StandardCharsets.UTF_8));
        letAllRead(aside);
        Files.move(
                aside, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    /** The collector is another user, and a backup's umask may shut that out. */
    private static void letAllRead(Path file) throws IOException {
        PosixFileAttributeView view =
                Files.getFileAttributeView(file, PosixFileAttributeView.class);
        if (view != null) {
            view.setPermissions(READ_BY_ALL);
        }
    }

    static String text(Instant begun, Backup.Content content) {
        StringBuilder text = new StringBuilder();
        gauge(
                text,
                "photon_backup_last_success_timestamp_seconds",
                "When the last backup began that is complete and was read back.",
                begun.getEpochSecond());
        gauge(text, "photon_backup_last_bytes", "Its size.", content.bytes());
        gauge(text, "photon_backup_last_ids", "The ids in it.", content.ids());
        return text.toString();
    }

    private static void gauge(StringBuilder text, String name, String help, long value) {
        text.append("# HELP ").append(name).append(' ').append(help).append('\n');
        text.append("# TYPE ").append(name).append(" gauge\n");
        text.append(name).append(' ').append(value).append('\n');
    }
}

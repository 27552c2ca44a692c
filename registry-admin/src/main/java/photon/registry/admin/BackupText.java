package photon.registry.admin;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Locale;
import photon.registry.admin.backup.Backup;
import photon.registry.admin.backup.BackupPlace;

/** What a backup holds, for people and programs. */
public final class BackupText {
    private static final ObjectMapper JSON = new ObjectMapper();

    private BackupText() {}

    /** A line. */
    public static String of(BackupPlace directory, Backup.Content content) {
        return String.format(
                Locale.ROOT,
                "backup %s is complete and undamaged: pipelines %s, %d groups, %,d ids, %,d bytes%n",
                directory,
                content.pipelines(),
                content.groups(),
                content.ids(),
                content.bytes());
    }

    /** A line, and what became of other backups in the folder. */
    public static String of(BackupFolder.Added added) {
        BackupRetention retention = added.retention();
        return of(added.backup(), added.content())
                + line("kept", retention.kept())
                + line("deleted", retention.deleted())
                + line("deleted, since an earlier run ended in the midst", added.remnants())
                + line(
                        "left alone, since the clock of this machine is behind, or was ahead",
                        retention.later())
                + line("left alone, since it is damaged", retention.damaged());
    }

    private static String line(String what, List<String> names) {
        return names.isEmpty()
                ? ""
                : String.format(Locale.ROOT, "%s: %s%n", what, String.join(", ", names));
    }

    /** For programs: keys may come, none goes. */
    public static String json(BackupFolder.Added added) {
        ObjectNode document = document(added.backup(), added.content());
        BackupRetention retention = added.retention();
        retention.kept().forEach(document.putArray("kept")::add);
        retention.deleted().forEach(document.putArray("deleted")::add);
        added.remnants().forEach(document.putArray("remnants")::add);
        retention.later().forEach(document.putArray("later")::add);
        retention.damaged().forEach(document.putArray("damaged")::add);
        return document + "\n";
    }

    /** For programs: keys may come, none goes. */
    public static String json(BackupPlace directory, Backup.Content content) {
        return document(directory, content) + "\n";
    }

    private static ObjectNode document(BackupPlace directory, Backup.Content content) {
        ObjectNode document = JSON.createObjectNode();
        document.put("backup", directory.toString());
        content.pipelines().forEach(document.putArray("pipelines")::add);
        document.put("groups", content.groups());
        document.put("ids", content.ids());
        document.put("bytes", content.bytes());
        return document;
    }
}

package photon.registry.admin;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Path;
import java.util.Locale;
import photon.idregistry.backup.Backup;

/** What a backup holds, for people and programs. */
public final class BackupText {
    private static final ObjectMapper JSON = new ObjectMapper();

    private BackupText() {}

    /** A line. */
    public static String of(Path directory, Backup.Content content) {
        return String.format(
                Locale.ROOT,
                "backup %s is complete and undamaged: pipelines %s, %d groups, %,d ids, %,d bytes%n",
                directory,
                content.pipelines(),
                content.groups(),
                content.ids(),
                content.bytes());
    }

    /** For programs: keys may come, none goes. */
    public static String json(Path directory, Backup.Content content) {
        ObjectNode document = JSON.createObjectNode();
        document.put("backup", directory.toString());
        content.pipelines().forEach(document.putArray("pipelines")::add);
        document.put("groups", content.groups());
        document.put("ids", content.ids());
        document.put("bytes", content.bytes());
        return document + "\n";
    }
}

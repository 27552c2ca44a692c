package photon.server.restore;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import photon.core.text.Columns;
import photon.registry.admin.backup.BackupPlace;

/** What a restore drill has found, for people and programs. */
public final class DrillText {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final double MILLIS = 1_000;

    private DrillText() {}

    /** What was found, the times that it took, and a line for each shard. */
    public static String of(BackupPlace backup, RestoreDrill.Result result) {
        StringBuilder text = new StringBuilder();
        text.append(
                String.format(
                        Locale.ROOT,
                        "backup %s of %s %s: pipelines %s, %d groups, %,d ids, %,d bytes%n",
                        backup,
                        result.made(),
                        result.differences().isEmpty()
                                ? "can be restored"
                                : "is not what a restore of it brings back",
                        result.content().pipelines(),
                        result.content().groups(),
                        result.content().ids(),
                        result.content().bytes()));
        result.differences().forEach(what -> text.append(what).append('\n'));
        text.append(
                String.format(
                        Locale.ROOT,
                        "restored in %s into one server on this machine; %s with reading and"
                                + " comparing%n",
                        seconds(result.restore()),
                        seconds(result.whole())));
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of("SHARD", "IDS"));
        for (RestoreDrill.Shard shard : result.shards()) {
            rows.add(List.of(shard.name(), String.format(Locale.ROOT, "%,d", shard.ids())));
        }
        return text.append(Columns.of("", rows)).toString();
    }

    private static String seconds(Duration duration) {
        return String.format(Locale.ROOT, "%.1f s", duration.toMillis() / MILLIS);
    }

    /** For programs: keys may come, none goes. */
    public static String json(BackupPlace backup, RestoreDrill.Result result) {
        ObjectNode document = JSON.createObjectNode();
        document.put("backup", backup.toString());
        document.put("made", result.made());
        document.put("restorable", result.differences().isEmpty());
        result.differences().forEach(document.putArray("differences")::add);
        document.put("restoreMillis", result.restore().toMillis());
        document.put("drillMillis", result.whole().toMillis());
        result.content().pipelines().forEach(document.putArray("pipelines")::add);
        document.put("groups", result.content().groups());
        document.put("ids", result.content().ids());
        document.put("bytes", result.content().bytes());
        ArrayNode shards = document.putArray("shards");
        result.shards()
                .forEach(
                        shard ->
                                shards.addObject()
                                        .put("shard", shard.name())
                                        .put("ids", shard.ids()));
        return document + "\n";
    }
}

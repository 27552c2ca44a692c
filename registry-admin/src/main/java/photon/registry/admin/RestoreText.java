package photon.registry.admin;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.protobuf.ByteString;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import photon.core.text.Columns;
import photon.proto.v1.DatacenterReport;
import photon.proto.v1.ReportState;
import photon.proto.v1.RestorePhase;
import photon.proto.v1.RestoreStatus;

/** What stands of a restore, for people and programs. */
public final class RestoreText {
    private static final ObjectMapper JSON = new ObjectMapper();

    private RestoreText() {}

    /**
     * A line, and one for each datacenter.
     *
     * @param pipelines names by UUID
     */
    public static String of(RestoreStatus status, Map<ByteString, String> pipelines) {
        StringBuilder text = new StringBuilder(phase(status)).append('\n');
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of("PIPELINE", "DATACENTER", "REPORT", "IDS"));
        for (DatacenterReport report : status.getReportsList()) {
            rows.add(
                    List.of(
                            name(report, pipelines),
                            report.getDatacenter(),
                            state(report),
                            String.format(Locale.ROOT, "%,d", report.getIds())));
        }
        return rows.size() == 1 ? text.toString() : text.append(Columns.of("", rows)).toString();
    }

    private static String name(DatacenterReport report, Map<ByteString, String> pipelines) {
        return pipelines.getOrDefault(
                report.getPipeline(), RegistryView.uuid(report.getPipeline()));
    }

    private static String state(DatacenterReport report) {
        return switch (report.getState()) {
            case REPORT_WAITED_FOR -> "waited for";
            case REPORT_DONE -> "done";
            case REPORT_LOST -> "lost";
            default -> "?";
        };
    }

    private static String phase(RestoreStatus status) {
        return switch (status.getPhase()) {
            case RESTORE_RECEIVING -> "restoring: the registry receives the control group";
            case RESTORE_LOADING -> "restoring: the shards load the backup's ids";
            case RESTORE_REPORTING -> {
                long waited =
                        status.getReportsList().stream()
                                .filter(r -> r.getState() == ReportState.REPORT_WAITED_FOR)
                                .count();
                yield "restoring: the registry accepts nothing until it has %d more reports"
                        .formatted(waited);
            }
            case RESTORE_DONE -> "restored: the registry accepts commits";
            default -> "not restored from a backup";
        };
    }

    /** True if nothing is waited for. */
    public static boolean settled(RestoreStatus status) {
        return status.getPhase() == RestorePhase.RESTORE_DONE
                || status.getPhase() == RestorePhase.RESTORE_PHASE_UNSPECIFIED;
    }

    /**
     * For programs: keys may come, none goes. Not the protobuf as JSON: it says what is settled,
     * names pipelines, and scripts read its ids as numbers.
     */
    public static ObjectNode json(RestoreStatus status, Map<ByteString, String> pipelines) {
        ObjectNode document = JSON.createObjectNode();
        document.put(
                "phase",
                switch (status.getPhase()) {
                    case RESTORE_RECEIVING -> "receiving";
                    case RESTORE_LOADING -> "loading";
                    case RESTORE_REPORTING -> "reporting";
                    case RESTORE_DONE -> "done";
                    default -> "none";
                });
        document.put("settled", settled(status));
        ArrayNode reports = document.putArray("reports");
        for (DatacenterReport report : status.getReportsList()) {
            reports.addObject()
                    .put("pipeline", name(report, pipelines))
                    .put("datacenter", report.getDatacenter())
                    .put("state", state(report))
                    .put("ids", report.getIds());
        }
        return document;
    }
}

package photon.registry.admin;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import photon.core.text.Columns;
import photon.proto.v1.PipelineStatus;
import photon.registry.api.ControlClient.IncarnationInfo;
import photon.registry.api.ControlClient.IncarnationState;

/** The incarnations of a pipeline, for people and for programs. */
public final class IncarnationsText {
    private IncarnationsText() {}

    /**
     * @param shown in the order of the slots
     * @param millisHere the time of this machine
     */
    public static String of(
            RegistryView view,
            PipelineStatus pipeline,
            List<IncarnationInfo> shown,
            long millisHere) {
        long nowMillis = view.byItsClocks(millisHere);
        StringBuilder text = new StringBuilder();
        text.append("pipeline ").append(pipeline.getName());
        if (pipeline.hasLimitMicros()) {
            text.append("  boundary at most ").append(StatusText.time(pipeline.getLimitMicros()));
        }
        if (pipeline.hasLimitMicros() && pipeline.hasWantedMicros()) {
            long behind =
                    TimeUnit.MICROSECONDS.toSeconds(
                            pipeline.getWantedMicros() - pipeline.getLimitMicros());
            if (behind > 0) {
                text.append(", held back by ").append(StatusText.age(behind));
            }
        }
        text.append('\n');
        List<List<String>> rows = new ArrayList<>();
        rows.add(
                List.of(
                        "INCARNATION",
                        "STATE",
                        "HOLDS THE BOUNDARY AT",
                        "LAST RENEWED",
                        "ADDRESS"));
        for (IncarnationInfo info : shown) {
            rows.add(
                    List.of(
                            range(info),
                            state(info),
                            hold(info),
                            info.heardMicros() == 0
                                    ? "-"
                                    : StatusText.ago(info.heardMicros(), nowMillis),
                            info.address()));
        }
        return text.append(Columns.of("  ", rows)).toString();
    }

    /**
     * Keys may come, none goes. Times are microseconds; null if there is none, or if the boundary
     * is held at the beginning of time.
     *
     * @param shown in the order of the slots
     */
    public static ObjectNode json(PipelineStatus pipeline, List<IncarnationInfo> shown) {
        ObjectNode document =
                new ObjectMapper().createObjectNode().put("pipeline", pipeline.getName());
        document.put(
                "boundaryAtMostMicros",
                pipeline.hasLimitMicros() ? (Long) pipeline.getLimitMicros() : null);
        document.put(
                "boundaryWantedMicros",
                pipeline.hasWantedMicros() ? (Long) pipeline.getWantedMicros() : null);
        ArrayNode list = document.putArray("incarnations");
        for (IncarnationInfo info : shown) {
            boolean holds =
                    info.state() == IncarnationState.OPEN && info.holdMicros() != Long.MAX_VALUE;
            boolean isTime = holds && info.holdMicros() != Long.MIN_VALUE;
            list.addObject()
                    .put("slot", info.slotName())
                    .put("firstGeneration", Integer.toUnsignedLong(info.firstGeneration()))
                    .put("generation", Integer.toUnsignedLong(info.incarnation().generation()))
                    .put("state", state(info))
                    .put("holdsBoundary", holds)
                    .put("holdMicros", isTime ? (Long) info.holdMicros() : null)
                    .put("heardMicros", info.heardMicros() == 0 ? null : (Long) info.heardMicros())
                    .put("address", info.address());
        }
        return document;
    }

    private static String hold(IncarnationInfo info) {
        if (info.state() != IncarnationState.OPEN || info.holdMicros() == Long.MAX_VALUE) {
            return "-";
        }
        return info.holdMicros() == Long.MIN_VALUE
                ? "the beginning"
                : StatusText.time(info.holdMicros());
    }

    /** Of those that share a line, such as {@code east/joiner-0/5..17}. */
    private static String range(IncarnationInfo info) {
        int generation = info.incarnation().generation();
        return info.firstGeneration() == generation
                ? name(info)
                : "%s/%s..%s"
                        .formatted(
                                info.slotName(),
                                Integer.toUnsignedString(info.firstGeneration()),
                                Integer.toUnsignedString(generation));
    }

    /** Slot and generation, such as {@code east/joiner-0/5}. */
    public static String name(IncarnationInfo info) {
        return info.slotName() + "/" + Integer.toUnsignedString(info.incarnation().generation());
    }

    /** As people call it. */
    public static String state(IncarnationInfo info) {
        if (info.state() == IncarnationState.OPEN) {
            return info.fenced() ? "fenced, not repaired" : "live";
        }
        return info.state().name().toLowerCase(Locale.ROOT);
    }
}

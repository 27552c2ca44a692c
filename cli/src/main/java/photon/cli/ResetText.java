package photon.cli;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import photon.dispatcher.rules.ResetPlan.Fate;
import photon.dispatcher.rules.ResetPlan.FileReset;
import photon.server.resets.CountedEvents;
import photon.server.resets.PartitionPlan;
import photon.server.resets.ResetSession.Planned;

/** The plan of a reset, for people and for programs. */
final class ResetText {
    private static final int LOGS_SHOWN_MAX = 20;

    private final String datacenter;
    private final UUID state;
    private final Planned planned;

    ResetText(String datacenter, UUID state, Planned planned) {
        this.datacenter = datacenter;
        this.state = state;
        this.planned = planned;
    }

    /** Lines, each with its end. */
    String plan() {
        List<String> lines = new ArrayList<>();
        lines.add(
                "dispatcher of %s, state %s, reset to %s%s"
                        .formatted(
                                datacenter,
                                state,
                                planned.target(),
                                planned.glob().map(glob -> " of " + glob).orElse("")));
        effect(lines);
        stay(lines, Fate.STAYS, "there already");
        stay(lines, Fate.TOO_OLD, "refused: all their events are older than " + boundary());
        stay(lines, Fate.AWAY, "refused: not there now");
        lines.add("  journal: " + rows(planned.partitions()) + ", and stay");
        if (planned.partitions().size() > 1) {
            planned.partitions().forEach(one -> lines.add(partition(one)));
        }
        changed().stream().limit(LOGS_SHOWN_MAX).forEach(file -> lines.add(log(file)));
        if (changed().size() > LOGS_SHOWN_MAX) {
            lines.add(line("  ... and %,d more logs", changed().size() - LOGS_SHOWN_MAX));
        }
        return String.join("\n", lines) + "\n";
    }

    private void effect(List<String> lines) {
        CountedEvents count = planned.count();
        int back = planned.of(Fate.BACK).size();
        int forward = planned.of(Fate.FORWARD).size();
        String events = line("%s%,d events", count.exact() ? "" : "about ", count.events());
        if (back > 0) {
            lines.add(line("  read again: %,d logs, %,d bytes, %s", back, count.bytes(), events));
            lines.add(known(count, "drops these", "tried again, and joined if they can be"));
        } else if (forward > 0) {
            lines.add(
                    line(
                            "  SKIPPED, unread: %,d logs, %,d bytes, %s",
                            forward, count.bytes(), events));
            lines.add(known(count, "has these joined", "not joined by this datacenter, ever"));
            lines.add(
                    "  each skipped event gets an entry in the ledger; another datacenter may still join it");
        } else {
            lines.add("  nothing is read again, nothing is skipped");
        }
    }

    private String known(CountedEvents count, String known, String others) {
        String text =
                line(
                        "  of %,d events that were looked up, the registry %s: %,d; older than %s, refused: %,d; %s: %,d",
                        count.asked(),
                        known,
                        count.known(),
                        boundary(),
                        count.tooOld(),
                        others,
                        count.asked() - count.known() - count.tooOld());
        return count.tooOld() == 0 ? text.replaceFirst("; older than [^;]*", "") : text;
    }

    private String boundary() {
        return "the boundary" + (hasBoundary() ? " (" + time(boundaryMillis()) + ")" : "");
    }

    private boolean hasBoundary() {
        return planned.boundaryMicros() > 0;
    }

    private long boundaryMillis() {
        return planned.boundaryMicros() / 1_000;
    }

    private static String time(long millis) {
        return Instant.ofEpochMilli(millis).truncatedTo(ChronoUnit.SECONDS).toString();
    }

    private void stay(List<String> lines, Fate fate, String why) {
        int files = planned.of(fate).size();
        if (files > 0) {
            lines.add(line("  not changed: %,d logs, %s", files, why));
        }
    }

    private String partition(PartitionPlan one) {
        return line(
                "  partition %d: %,d logs back, %,d forward, %s%s",
                one.partition(),
                one.plan().of(Fate.BACK).size(),
                one.plan().of(Fate.FORWARD).size(),
                rows(List.of(one)),
                one.asOf().map(at -> ", as of " + time(at.toEpochMilli())).orElse(""));
    }

    private static String rows(List<PartitionPlan> partitions) {
        if (partitions.stream().anyMatch(one -> one.waiting().isEmpty())) {
            return "rows wait that cannot be counted now";
        }
        long rows = partitions.stream().mapToLong(one -> one.waiting().orElse(0)).sum();
        return line("%,d rows wait", rows);
    }

    private List<FileReset> changed() {
        List<FileReset> all = new ArrayList<>(planned.of(Fate.BACK));
        all.addAll(planned.of(Fate.FORWARD));
        return all;
    }

    private static String log(FileReset file) {
        return line(
                "  %-7s %s from %,d to %,d",
                name(file.fate()),
                file.after().path(),
                file.before().offset(),
                file.after().offset());
    }

    private static String line(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }

    private static String name(Fate fate) {
        return fate.name().toLowerCase(Locale.ROOT);
    }

    /** One document. */
    String json(String outcome) {
        CountedEvents count = planned.count();
        ObjectNode root =
                new ObjectMapper()
                        .createObjectNode()
                        .put("datacenter", datacenter)
                        .put("state", state.toString())
                        .put("to", planned.target().toString())
                        .put("files", planned.glob().orElse(""))
                        .put("outcome", outcome)
                        .put("bytes", count.bytes())
                        .put("events", count.events())
                        .put("eventsExact", count.exact())
                        .put("lookedUp", count.asked())
                        .put("known", count.known())
                        .put("tooOld", count.tooOld());
        if (hasBoundary()) {
            root.put("boundary", Instant.ofEpochMilli(boundaryMillis()).toString());
        } else {
            root.putNull("boundary");
        }
        ArrayNode partitions = root.putArray("partitions");
        for (PartitionPlan one : planned.partitions()) {
            ObjectNode node =
                    partitions
                            .addObject()
                            .put("partition", one.partition())
                            .put("waiting", one.waiting().orElse(-1))
                            .put("asOf", one.asOf().map(Instant::toString).orElse(null));
            ArrayNode logs = node.putArray("logs");
            for (FileReset file : one.plan().resets()) {
                logs.addObject()
                        .put("path", file.after().path())
                        .put("fate", name(file.fate()))
                        .put("from", file.before().offset())
                        .put("to", file.after().offset());
            }
        }
        return root.toPrettyString() + "\n";
    }
}

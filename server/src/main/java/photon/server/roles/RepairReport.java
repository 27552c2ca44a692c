package photon.server.roles;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import photon.registry.api.ControlClient.IncarnationInfo;
import photon.registry.api.ControlClient.IncarnationState;
import photon.storage.files.FileStore;
import photon.verifier.repair.RepairHistory;
import photon.verifier.repair.RepairHistory.LostEvent;
import photon.verifier.repair.RepairStatus;

/**
 * How the repair of each of a datacenter's incarnations stands, put together of what the registry
 * lists, what the verifier has written down, and what it has last said of itself. Thread-safe.
 */
public final class RepairReport {
    private static final String STATUS = "status.json";
    private static final ObjectMapper JSON = new ObjectMapper();

    private final RepairHistory history;
    private final JsonNode status;

    private RepairReport(RepairHistory history, JsonNode status) {
        this.history = history;
        this.status = status;
    }

    /** Reads the files of the datacenter's verifier; where there are none it has said nothing. */
    public static RepairReport read(FileStore files, DatacenterPaths paths) throws IOException {
        return new RepairReport(
                RepairHistory.read(files, paths.verifier(), paths.verifierLedger()),
                status(paths.verifierOwn()));
    }

    private static JsonNode status(Path directory) throws IOException {
        try {
            return JSON.readTree(Files.readString(directory.resolve(STATUS)));
        } catch (NoSuchFileException e) {
            return JSON.createObjectNode();
        }
    }

    /**
     * Leaves a verifier's status beside its state, for {@link #read}. Not synced: it is for people.
     *
     * @param atMillis when, in milliseconds since 1970
     */
    static void leave(Path directory, RepairStatus status, long atMillis) throws IOException {
        Files.createDirectories(directory);
        Path aside = directory.resolve(STATUS + ".new");
        String text =
                JSON.createObjectNode()
                        .put("atMillis", atMillis)
                        .<ObjectNode>set("status", StatusJson.of(status))
                        .toString();
        Files.writeString(aside, text + "\n");
        Files.move(aside, directory.resolve(STATUS), StandardCopyOption.ATOMIC_MOVE);
    }

    /**
     * One incarnation.
     *
     * @param lost events that it had committed and not written, as far as the repair has come
     * @param waiting what its repair waits for, as its verifier said last, by the names of {@link
     *     photon.verifier.repair.WaitingRepair}; empty: it does not wait
     * @param silent how it is silent, by the names of {@link photon.verifier.repair.SilentSlot};
     *     empty: it is not
     */
    public record Repair(
            IncarnationInfo info,
            List<LostEvent> lost,
            Optional<JsonNode> waiting,
            Optional<JsonNode> silent) {
        public Repair {
            lost = List.copyOf(lost);
        }

        /** Of the lost events, how many were written off. */
        public long writtenOff() {
            return lost.stream().filter(event -> event.writtenOff().isPresent()).count();
        }

        /** As people call it. */
        public String state() {
            return switch (info.state()) {
                case CLEAN -> "closed";
                case REPAIRED -> "repaired";
                default ->
                        !info.fenced()
                                ? silent.isPresent() ? "silent" : "live"
                                : waiting.isPresent() ? "waiting" : "to be repaired";
            };
        }

        /** What became of one of its lost events. */
        public String fate(LostEvent event) {
            if (event.writtenOff().isPresent()) {
                return info.rows().timesReopened() == 0
                        ? "written off"
                        : info.state() == IncarnationState.REPAIRED
                                ? "written off, then looked for again"
                                : "written off, and looked for again";
            }
            return info.state() == IncarnationState.REPAIRED
                    ? "handed over"
                    : "handed over or looked for";
        }
    }

    /** When the verifier last said how it stands, in milliseconds since 1970; 0: never. */
    public long statusAtMillis() {
        return status.path("atMillis").asLong();
    }

    /** How these stand, in their order. */
    public List<Repair> of(List<IncarnationInfo> incarnations) throws IOException {
        List<Repair> repairs = new ArrayList<>();
        for (IncarnationInfo info : incarnations) {
            repairs.add(
                    new Repair(
                            info,
                            history.of(info.incarnation()),
                            waiting(info),
                            info.fenced() ? Optional.empty() : silent(info)));
        }
        return repairs;
    }

    private Optional<JsonNode> waiting(IncarnationInfo info) {
        if (info.state() != IncarnationState.OPEN || !info.fenced()) {
            return Optional.empty();
        }
        return told(status.path("status").path("waiting"), info);
    }

    private Optional<JsonNode> silent(IncarnationInfo info) {
        return told(status.path("status").path("silence").path("silent"), info);
    }

    private static Optional<JsonNode> told(JsonNode list, IncarnationInfo info) {
        for (JsonNode one : list) {
            if (one.path("incarnation").asText().equals(info.incarnation().toString())) {
                return Optional.of(one);
            }
        }
        return Optional.empty();
    }
}

package photon.server.roles;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import photon.registry.api.ControlClient.IncarnationInfo;
import photon.registry.api.ControlClient.IncarnationState;
import photon.server.datacenters.DatacenterPaths;
import photon.storage.document.VersionedDocument;
import photon.storage.document.VersionedDocument.Version;
import photon.storage.files.FileStore;
import photon.verifier.repair.RepairHistory;
import photon.verifier.repair.RepairHistory.LostEvent;
import photon.verifier.repair.RepairStatus;

/**
 * How the repair of each of a datacenter's incarnations stands, put together of what the registry
 * lists, what the verifier has written down, and what it has last said of itself. Thread-safe.
 */
public final class RepairReport {
    private static final String STATUS = "status";
    private static final String SAID_MILLIS = "saidMillis";

    /** A verifier that lives says something more often. */
    private static final long OUTDATED_SECONDS = 60;

    private static final ObjectMapper JSON = new ObjectMapper();

    private final RepairHistory history;
    private final JsonNode status;

    private RepairReport(RepairHistory history, JsonNode status) {
        this.history = history;
        this.status = status;
    }

    /** Reads the state of the datacenter's verifier; where there are none it has said nothing. */
    public static RepairReport read(FileStore files, DatacenterPaths paths) throws IOException {
        return new RepairReport(
                RepairHistory.read(files, paths.verifier(), paths.verifierLedger()),
                status(files, paths.verifier()));
    }

    private static JsonNode status(FileStore files, String directory) throws IOException {
        Optional<Version> said = new VersionedDocument(files, directory, STATUS).read();
        return said.isEmpty() ? JSON.createObjectNode() : JSON.readTree(said.get().content());
    }

    /**
     * How long ago the verifier said how its repairs stand; empty: it has said nothing, or is of an
     * earlier version, which did not say when.
     *
     * @param nowMillis by the clocks of the registry, as the verifier's
     */
    public OptionalLong secondsAgo(long nowMillis) {
        return status.hasNonNull(SAID_MILLIS)
                ? OptionalLong.of(
                        Math.max(0, nowMillis - status.path(SAID_MILLIS).asLong()) / 1_000)
                : OptionalLong.empty();
    }

    /**
     * True: the verifier does not run, or its state is not seen here. A joiner that died since
     * counts as live, and what repairs wait for may have changed.
     */
    public boolean isOutdated(long nowMillis) {
        OptionalLong ago = secondsAgo(nowMillis);
        return ago.isEmpty() || ago.getAsLong() > OUTDATED_SECONDS;
    }

    /** Leaves a verifier's status in its state, where every machine of the datacenter finds it. */
    static void leave(FileStore files, String directory, RepairStatus status, long millis)
            throws IOException {
        ObjectNode said = JSON.createObjectNode().put(SAID_MILLIS, millis);
        said.setAll((ObjectNode) StatusJson.of(status));
        byte[] content = JSON.writeValueAsBytes(said);
        files.createDirectories(directory);
        VersionedDocument document = new VersionedDocument(files, directory, STATUS);
        // False: another verifier has just left its own.
        boolean unused = document.write(document.read().map(Version::number).orElse(0L), content);
    }

    /**
     * One incarnation.
     *
     * @param lost events that it had committed and not written, as far as the repair has come
     * @param waiting what its repair waits for, as its verifier said last, by the names of {@link
     *     photon.verifier.repair.WaitingRepair}; empty: it does not wait
     * @param troubled the alarm that stops its repair, or tells that it fails, by the names of
     *     {@link photon.verifier.repair.TroubledRepair}; empty: there is none
     * @param silent how it is silent, by the names of {@link photon.verifier.repair.SilentSlot};
     *     empty: it is not
     */
    public record Repair(
            IncarnationInfo info,
            List<LostEvent> lost,
            Optional<JsonNode> waiting,
            Optional<JsonNode> troubled,
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
                default -> info.fenced() ? repairState() : silent.isPresent() ? "silent" : "live";
            };
        }

        private String repairState() {
            if (troubled.isPresent()) {
                return troubled.get().path("stopped").asBoolean() ? "stopped" : "failing";
            }
            return waiting.isPresent() ? "waiting" : "to be repaired";
        }

        /** True: it is, or may soon be, something to do for the verifier or a person. */
        public boolean isUnsettled() {
            return info.state() == IncarnationState.OPEN && (info.fenced() || silent.isPresent());
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

    /** How these stand, in their order. */
    public List<Repair> of(List<IncarnationInfo> incarnations) throws IOException {
        List<Repair> repairs = new ArrayList<>();
        for (IncarnationInfo info : incarnations) {
            repairs.add(
                    new Repair(
                            info,
                            history.of(info.incarnation()),
                            ofRepair("waiting", info),
                            ofRepair("troubled", info),
                            info.fenced() ? Optional.empty() : silent(info)));
        }
        return repairs;
    }

    private Optional<JsonNode> ofRepair(String list, IncarnationInfo info) {
        if (info.state() != IncarnationState.OPEN || !info.fenced()) {
            return Optional.empty();
        }
        return told(status.path(list), info);
    }

    private Optional<JsonNode> silent(IncarnationInfo info) {
        return told(status.path("silence").path("silent"), info);
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

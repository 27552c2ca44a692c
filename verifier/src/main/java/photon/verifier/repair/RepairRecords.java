package photon.verifier.repair;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import photon.core.id.CommitToken;
import photon.core.id.EventId;
import photon.core.id.Incarnation;
import photon.storage.files.FileStore;
import photon.storage.files.FileStore.FileInfo;
import photon.storage.files.WholeFile;

/**
 * Which events an incarnation had lost, written down before they are handed over again. A later
 * attempt at the repair hands over what is recorded here and nobody holds any more ({@link
 * RemovedSearch}), or finds it too old to come back ({@link NoLongerHeld#tooOld}). People and tests
 * see by it what a repair has found, and when.
 *
 * <p>In the verifier's state, {@code repairs/3-17.jsonl}: a line an event, {@code {"id": hex of its
 * identity, "token": the lost one}}. A file is whole and never changes; what a repair finds that it
 * had not written down, since it goes in chunks or starts over, goes to {@code 3-17.2.jsonl} and so
 * on. Several repairers may write at once. Not thread-safe.
 */
public final class RepairRecords implements RepairParts.Records {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String DIRECTORY = "repairs";
    private static final String SUFFIX = ".jsonl";
    private static final int NAMES_MAX = 10_000;

    private final FileStore files;
    private final String stateDirectory;
    private final String directory;

    /**
     * @param stateDirectory the verifier's
     */
    public RepairRecords(FileStore files, String stateDirectory) {
        this.files = files;
        this.stateDirectory = stateDirectory;
        this.directory = stateDirectory + "/" + DIRECTORY;
    }

    /** Whose repair had anything to hand over. */
    public SortedSet<Incarnation> incarnations() throws IOException {
        SortedSet<Incarnation> found = new TreeSet<>();
        for (FileInfo entry : files.list(directory)) {
            String name = name(entry);
            if (name.endsWith(SUFFIX) && !name.startsWith("_")) {
                found.add(Incarnation.parse(name.substring(0, name.indexOf('.'))));
            }
        }
        return found;
    }

    /**
     * The events that this one had lost, with the token that held each, in order of their finding.
     */
    @Override
    public Map<EventId, CommitToken> read(Incarnation incarnation) throws IOException {
        Map<EventId, CommitToken> lost = new LinkedHashMap<>();
        for (FileInfo entry : files.list(directory)) {
            String name = name(entry);
            if (name.startsWith(incarnation + ".") && name.endsWith(SUFFIX)) {
                for (String line : text(entry).split("\n")) {
                    JsonNode node = JSON.readTree(line);
                    lost.put(
                            EventId.read(
                                    ByteBuffer.wrap(
                                            HexFormat.of().parseHex(node.get("id").asText()))),
                            CommitToken.parse(node.get("token").asText()));
                }
            }
        }
        return lost;
    }

    /** Takes them away: the incarnation is retired. May be repeated. */
    public void drop(Incarnation incarnation) throws IOException {
        boolean any = false;
        for (FileInfo entry : files.list(directory)) {
            if (name(entry).startsWith(incarnation + ".")
                    || name(entry).startsWith("_" + incarnation + ".")) {
                files.delete(directory + "/" + name(entry));
                any = true;
            }
        }
        if (any) {
            files.syncDirectory(directory);
        }
    }

    /** Writes down those that are not yet. Durable on return. */
    @Override
    public void add(Incarnation incarnation, Map<EventId, CommitToken> lost) throws IOException {
        Map<EventId, CommitToken> known = read(incarnation);
        StringBuilder lines = new StringBuilder();
        lost.forEach(
                (id, token) -> {
                    if (!token.equals(known.get(id))) {
                        lines.append(
                                "{\"id\":\"%s\",\"token\":\"%s\"}\n".formatted(hex(id), token));
                    }
                });
        if (lines.isEmpty()) {
            return;
        }
        if (files.stat(directory) == null) {
            files.createDirectories(directory);
            files.syncDirectory(stateDirectory);
        }
        byte[] content = lines.toString().getBytes(StandardCharsets.UTF_8);
        for (int i = 1; i <= NAMES_MAX; i++) {
            String name = incarnation + (i == 1 ? "" : "." + i) + SUFFIX;
            if (files.stat(directory + "/" + name) == null
                    && WholeFile.publishIn(files, directory, name, content)) {
                files.syncDirectory(directory);
                return;
            }
        }
        throw new IOException(
                "Expected a free name for what incarnation %s had lost in %s, but %s are taken"
                        .formatted(incarnation, directory, NAMES_MAX));
    }

    private static String hex(EventId id) {
        return HexFormat.of().formatHex(id.toBytes());
    }

    private String text(FileInfo entry) throws IOException {
        return new String(WholeFile.read(files, entry.path()), StandardCharsets.UTF_8);
    }

    private static String name(FileInfo entry) {
        return entry.path().substring(entry.path().lastIndexOf('/') + 1);
    }
}

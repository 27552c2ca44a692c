package photon.server.roles;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import photon.core.error.ConfigException;
import photon.storage.files.FileStore;
import photon.storage.files.WholeFile;
import photon.storage.format.IdentitySettings;

/**
 * The pipeline that a state directory belongs to (docs/protocol.md section 1): kept in {@code
 * identity.json} there, and compared with the configuration and the registry at each start.
 *
 * @param fingerprint of the settings that decide identity
 * @param settings these, as a person writes them; empty: not known
 */
record PipelineIdentity(
        String pipeline, UUID uuid, String fingerprint, Map<String, String> settings) {
    private static final String FILE = "identity.json";
    private static final String OTHER_DIRECTORIES =
            "Use another state and output directory, or the configuration that created these";
    private static final String AS_IT_WAS =
            "Restore the old value, or begin a new pipeline with another name, state and output directory";

    PipelineIdentity {
        settings = Collections.unmodifiableMap(new LinkedHashMap<>(settings));
    }

    static Optional<PipelineIdentity> read(FileStore files, String state) throws IOException {
        String path = state + "/" + FILE;
        if (files.stat(path) == null) {
            return Optional.empty();
        }
        JsonNode json = new ObjectMapper().readTree(WholeFile.read(files, path));
        return Optional.of(
                new PipelineIdentity(
                        json.path("pipeline").asText(),
                        UUID.fromString(json.path("uuid").asText()),
                        json.path("identityFingerprint").asText(),
                        settings(json.path("identitySettings"))));
    }

    private static Map<String, String> settings(JsonNode json) {
        Map<String, String> settings = new LinkedHashMap<>();
        json.properties().forEach(s -> settings.put(s.getKey(), s.getValue().asText()));
        return settings;
    }

    /**
     * Leaves it in the state directory, which must exist, if none stands there. Durable on return,
     * also if it stood there before: whoever wrote it may not have come to sync its name.
     *
     * @throws ConfigException if another one was faster and is of another pipeline
     */
    void write(FileStore files, String state) throws IOException {
        if (files.stat(state + "/" + FILE) == null) {
            writeNew(files, state);
        }
        files.syncDirectory(state);
        PipelineIdentity standing =
                read(files, state)
                        .orElseThrow(
                                () -> new IOException("Expected %s in %s".formatted(FILE, state)));
        standing.checkSame(this, "the state directory");
    }

    private void writeNew(FileStore files, String state) throws IOException {
        ObjectNode content =
                new ObjectMapper()
                        .createObjectNode()
                        .put("pipeline", pipeline)
                        .put("uuid", uuid.toString())
                        .put("identityFingerprint", fingerprint);
        settings.forEach(content.putObject("identitySettings")::put);
        byte[] json = content.toPrettyString().getBytes(StandardCharsets.UTF_8);
        // False: another daemon was faster, and is compared with.
        WholeFile.publishIn(files, state, FILE, json);
    }

    /**
     * @param where whose values {@code this} is, for people
     * @throws ConfigException that says what is not the same
     */
    void checkSame(PipelineIdentity other, String where) {
        if (!pipeline.equals(other.pipeline)) {
            throw new ConfigException(
                    "The configuration's pipeline is %s, but that of %s is %s. %s"
                            .formatted(other.pipeline, where, pipeline, OTHER_DIRECTORIES));
        }
        if (!uuid.equals(other.uuid)) {
            throw new ConfigException(
                    "The pipeline %s of %s has the UUID %s, and is not the one that the state directory belongs to, %s. %s"
                            .formatted(pipeline, where, uuid, other.uuid, OTHER_DIRECTORIES));
        }
        if (!fingerprint.equals(other.fingerprint)) {
            throw new ConfigException(otherSettings(other, where));
        }
    }

    private List<String> otherSettings(PipelineIdentity other, String where) {
        List<String> differences =
                settings.isEmpty()
                        ? List.of()
                        : IdentitySettings.differences(settings, other.settings);
        List<String> problems =
                new ArrayList<>(
                        differences.isEmpty()
                                ? List.of(
                                        "id or timestamp of a stream is not what it was when Photon created %s; events already joined would be joined again"
                                                .formatted(where))
                                : differences);
        int last = problems.size() - 1;
        problems.set(last, problems.get(last) + ". " + AS_IT_WAS);
        return problems;
    }
}

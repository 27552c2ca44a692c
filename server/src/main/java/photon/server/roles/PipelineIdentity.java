package photon.server.roles;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.UUID;
import photon.core.error.ConfigException;
import photon.storage.files.FileStore;

/**
 * The pipeline that a state directory belongs to (docs/protocol.md section 1): kept in {@code
 * identity.json} there, and compared with the configuration and the registry at each start.
 *
 * @param fingerprint of the settings that decide identity
 */
record PipelineIdentity(String pipeline, UUID uuid, String fingerprint) {
    private static final String FILE = "identity.json";

    static Optional<PipelineIdentity> read(FileStore files, String state) throws IOException {
        String path = state + "/" + FILE;
        if (files.stat(path) == null) {
            return Optional.empty();
        }
        JsonNode json = new ObjectMapper().readTree(content(files, path));
        return Optional.of(
                new PipelineIdentity(
                        json.path("pipeline").asText(),
                        UUID.fromString(json.path("uuid").asText()),
                        json.path("identityFingerprint").asText()));
    }

    private static byte[] content(FileStore files, String path) throws IOException {
        ByteArrayOutputStream content = new ByteArrayOutputStream();
        byte[] chunk = new byte[4 << 10];
        try (FileStore.ReadFile file = files.open(path)) {
            int n;
            while ((n = file.read(content.size(), chunk, 0, chunk.length)) > 0) {
                content.write(chunk, 0, n);
            }
        }
        return content.toByteArray();
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
        byte[] json =
                new ObjectMapper()
                        .createObjectNode()
                        .put("pipeline", pipeline)
                        .put("uuid", uuid.toString())
                        .put("identityFingerprint", fingerprint)
                        .toPrettyString()
                        .getBytes(StandardCharsets.UTF_8);
        // A name of its own: several daemons of a datacenter may start at once.
        String aside = "%s/%s.%s.new".formatted(state, FILE, UUID.randomUUID());
        try (FileStore.AppendFile file = files.create(aside)) {
            file.write(json, 0, json.length);
            file.sync();
        }
        if (!files.publish(aside, state + "/" + FILE)) {
            files.delete(aside); // another daemon was faster, and is compared with
        }
    }

    /**
     * @param where whose values {@code this} is, for people
     * @throws ConfigException that names both values, if they differ
     */
    void checkSame(PipelineIdentity other, String where) {
        checkSame("pipeline", pipeline, other.pipeline, where);
        checkSame("pipeline UUID", uuid.toString(), other.uuid.toString(), where);
        checkSame(
                "fingerprint of id, primaryId and timestamp settings",
                fingerprint,
                other.fingerprint,
                where);
    }

    private static void checkSame(String what, String here, String there, String where) {
        if (!here.equals(there)) {
            throw new ConfigException(
                    "The %s of %s is %s, but here it is %s: expected the same. Use another state and output directory, or the"
                                    .formatted(what, where, here, there)
                            + " configuration that these were made with");
        }
    }
}

package photon.server.roles;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import java.util.UUID;
import photon.core.error.ConfigException;

/**
 * The pipeline that a state directory belongs to (docs/protocol.md section 1): kept in {@code
 * identity.json} there, and compared with the configuration and the registry at each start.
 *
 * @param fingerprint of the settings that decide identity
 */
record PipelineIdentity(String pipeline, UUID uuid, String fingerprint) {
    private static final String FILE = "identity.json";

    static Optional<PipelineIdentity> read(Path state) throws IOException {
        Path file = state.resolve(FILE);
        if (!Files.exists(file)) {
            return Optional.empty();
        }
        JsonNode json = new ObjectMapper().readTree(file.toFile());
        return Optional.of(
                new PipelineIdentity(
                        json.path("pipeline").asText(),
                        UUID.fromString(json.path("uuid").asText()),
                        json.path("identityFingerprint").asText()));
    }

    void write(Path state) throws IOException {
        // A name of its own: several daemons of a datacenter may start at once.
        Path aside = Files.createTempFile(state, FILE, ".new");
        Files.writeString(
                aside,
                new ObjectMapper()
                        .createObjectNode()
                        .put("pipeline", pipeline)
                        .put("uuid", uuid.toString())
                        .put("identityFingerprint", fingerprint)
                        .toPrettyString());
        try (FileChannel channel = FileChannel.open(aside, StandardOpenOption.WRITE)) {
            channel.force(true);
        }
        Files.move(aside, state.resolve(FILE), StandardCopyOption.ATOMIC_MOVE);
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

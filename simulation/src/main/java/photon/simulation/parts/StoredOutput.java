package photon.simulation.parts;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.List;
import java.util.function.Consumer;
import photon.core.config.OutputConfig;
import photon.core.crash.CrashPoints;
import photon.core.time.IntervalClock;
import photon.storage.files.FileStore;
import photon.storage.files.FileStore.ReadFile;
import photon.storage.output.LostFiles;
import photon.storage.output.LostFiles.Declaration;
import photon.storage.output.LostFiles.Named;
import photon.storage.output.Manifest.PublishedFile;
import photon.storage.output.OutputDirectory;
import photon.storage.output.OutputIdentity;
import photon.storage.output.format.OutputFormats;

/** A datacenter's output as an operator's command opens it. */
final class StoredOutput {
    private final OutputDirectory output;

    private StoredOutput(OutputDirectory output) {
        this.output = output;
    }

    static StoredOutput open(FileStore files, String directory, IntervalClock clock)
            throws IOException {
        byte[] bytes = new byte[64 << 10];
        JsonNode identity;
        try (ReadFile file = files.open(directory + "/_photon.json")) {
            identity =
                    new ObjectMapper()
                            .readTree(
                                    new String(
                                            bytes, 0, file.read(0, bytes, 0, bytes.length), UTF_8));
        }
        return new StoredOutput(
                OutputDirectory.open(
                        files,
                        directory,
                        new OutputIdentity(
                                identity.path("pipelineUuid").asText(),
                                identity.path("identityFingerprint").asText(),
                                identity.path("datacenter").asText(),
                                identity.path("outputId").asText()),
                        OutputFormats.of(OutputConfig.DEFAULTS),
                        CrashPoints.none(),
                        clock));
    }

    /**
     * As {@code photon repair declare-file-lost} does, up to the registry.
     *
     * @param takeAway is given those of the same publication that are whole, and must take them
     *     away, as that command asks for
     */
    boolean declareLost(
            String path, int timesReopened, long nowMicros, Consumer<List<String>> takeAway)
            throws IOException {
        Named named = LostFiles.named(path).orElseThrow();
        output.seal(named.incarnation());
        LostFiles files = output.lostFiles();
        LostFiles.Standing standing = files.look(named).orElseThrow();
        if (files.of(named).isEmpty() && !standing.whole().isEmpty()) {
            if (standing.wrong().isEmpty()) {
                return false;
            }
            takeAway.accept(standing.whole());
        }
        Declaration declaration =
                new Declaration(
                        named,
                        standing.manifest().published().stream().map(PublishedFile::path).toList(),
                        standing.manifest().entries().size(),
                        "the world has taken it",
                        "operator",
                        nowMicros / 1_000,
                        timesReopened);
        files.declare(declaration);
        files.withdraw(declaration);
        return true;
    }
}

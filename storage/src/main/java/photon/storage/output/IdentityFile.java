package photon.storage.output;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import photon.core.error.ConfigException;
import photon.storage.files.FileStore;
import photon.storage.files.FileStore.FileInfo;
import photon.storage.files.WholeFile;

/** {@code _photon.json}: whose output directory this is (docs/protocol.md section 1). */
final class IdentityFile {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String TEMPORARY_PREFIX = "_tmp-identity-";

    private final FileStore files;
    private final String directory;
    private final String path;

    IdentityFile(FileStore files, String directory) {
        this.files = files;
        this.directory = directory;
        this.path = directory + "/" + OutputNames.IDENTITY;
    }

    /** The identity that stands there; empty: none does. */
    Optional<OutputIdentity> standing() throws IOException {
        return files.stat(path) == null ? Optional.empty() : Optional.of(read());
    }

    /** The identity that stands there; where none does, this one is written. */
    OutputIdentity open(OutputIdentity wanted) throws IOException {
        if (files.stat(path) == null) {
            requireEmpty();
            write(wanted);
        }
        OutputIdentity standing = read();
        requireSame(wanted, standing);
        return standing;
    }

    private void requireEmpty() throws IOException {
        for (FileInfo entry : files.list(directory)) {
            String name = OutputNames.last(entry.path());
            boolean ours = name.startsWith(TEMPORARY_PREFIX) || name.equals(OutputNames.IDENTITY);
            // An identity by now: another process was faster, and what stands there is its.
            if (!ours && !name.startsWith(".") && files.stat(path) == null) {
                throw new ConfigException(
                        ("Output directory %s is not ours: expected it empty or with %s, but it"
                                        + " holds %s. Choose another directory.")
                                .formatted(directory, OutputNames.IDENTITY, name));
            }
        }
    }

    private void write(OutputIdentity identity) throws IOException {
        byte[] bytes = JSON.writerWithDefaultPrettyPrinter().writeValueAsBytes(identity);
        // False: somebody was faster, and is compared with.
        WholeFile.publish(files, Temporary.pathPrefix(directory, "identity"), path, bytes);
        files.syncDirectory(directory);
    }

    private OutputIdentity read() throws IOException {
        JsonNode content;
        try {
            content = JSON.readTree(WholeFile.read(files, path));
        } catch (com.fasterxml.jackson.core.JsonProcessingException e) {
            throw new IOException("Expected the identity of an output directory in " + path, e);
        }
        return new OutputIdentity(
                text(content, "pipelineUuid"),
                text(content, "identityFingerprint"),
                text(content, "datacenter"),
                text(content, "outputId"));
    }

    private String text(JsonNode content, String field) throws IOException {
        String text = content.path(field).asText();
        if (text.isEmpty()) {
            throw new IOException("Expected %s in %s, but got %s".formatted(field, path, content));
        }
        return text;
    }

    private void requireSame(OutputIdentity wanted, OutputIdentity standing) {
        List<String> problems = new ArrayList<>();
        if (!wanted.pipelineUuid().equals(standing.pipelineUuid())) {
            problems.add(
                    "Output directory %s belongs to pipeline %s, and this is pipeline %s: every event would be joined twice. Use the state directory that it was written with, or another output directory"
                            .formatted(directory, standing.pipelineUuid(), wanted.pipelineUuid()));
        } else if (!wanted.identityFingerprint().equals(standing.identityFingerprint())) {
            problems.add(
                    "Output directory %s was written with another id or timestamp of a stream: every event would be joined twice. Write them as they were, or use another state and output directory"
                            .formatted(directory));
        }
        if (!wanted.datacenter().equals(standing.datacenter())) {
            problems.add(
                    "Output directory %s belongs to datacenter %s, and this is datacenter %s. Use another output directory"
                            .formatted(directory, standing.datacenter(), wanted.datacenter()));
        }
        if (!problems.isEmpty()) {
            throw new ConfigException(problems);
        }
    }
}

package photon.storage.output;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import photon.core.error.ConfigException;
import photon.storage.files.FileStore;
import photon.storage.files.FileStore.FileInfo;

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
        Temporary temporary = Temporary.create(files, directory, "identity");
        try (var file = temporary.file()) {
            file.write(bytes, 0, bytes.length);
            file.sync();
        }
        if (!files.publish(temporary.path(), path)) {
            files.delete(temporary.path()); // somebody was faster, and is compared with
        }
        files.syncDirectory(directory);
    }

    private OutputIdentity read() throws IOException {
        JsonNode content;
        try {
            content = JSON.readTree(SmallFile.read(files, path));
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
        compare("pipeline", wanted.pipelineUuid(), standing.pipelineUuid(), problems);
        compare(
                "identity settings (fingerprint)",
                wanted.identityFingerprint(),
                standing.identityFingerprint(),
                problems);
        compare("datacenter", wanted.datacenter(), standing.datacenter(), problems);
        if (!problems.isEmpty()) {
            throw new ConfigException(problems);
        }
    }

    private void compare(String what, String wanted, String standing, List<String> problems) {
        if (!wanted.equals(standing)) {
            problems.add(
                    "Output directory %s belongs to %s %s, but we are %s: everything would be joined twice"
                            .formatted(directory, what, standing, wanted));
        }
    }
}

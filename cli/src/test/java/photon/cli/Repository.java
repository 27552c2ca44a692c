package photon.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/** Where this repository's examples lie, and the sample data that may stand beside it. */
public final class Repository {
    private Repository() {}

    public static Path root() {
        Path directory = Path.of("").toAbsolutePath();
        while (!Files.exists(directory.resolve("photon"))
                || !Files.exists(directory.resolve("docs/protocol.md"))) {
            directory = Objects.requireNonNull(directory.getParent(), "not in a checkout");
        }
        return directory;
    }

    public static Path example(String name) {
        return root().resolve("docs/examples").resolve(name);
    }

    public static List<Path> files(String example, String ending) throws IOException {
        try (Stream<Path> files = Files.list(example(example))) {
            return files.filter(f -> f.toString().endsWith(ending)).sorted().toList();
        }
    }

    /** Real events, kept outside the repository; may be absent. */
    public static Path sampleData(String name) {
        return root().resolve("../shared/data").resolve(name).normalize();
    }

    public static JsonNode answer(String example) throws IOException {
        return new ObjectMapper().readTree(example(example).resolve("ANSWER.json").toFile());
    }
}

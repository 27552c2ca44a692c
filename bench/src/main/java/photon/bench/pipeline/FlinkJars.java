package photon.bench.pipeline;

import java.io.File;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import photon.core.error.FailedException;

/** Where Flink is, which is no part of Photon's build: the launcher builds it when it is wanted. */
final class FlinkJars {
    /** Flink's own start scripts open these, too. */
    static final List<String> OPENED =
            List.of(
                    "--add-opens=java.base/java.lang=ALL-UNNAMED",
                    "--add-opens=java.base/java.util=ALL-UNNAMED",
                    "--add-opens=java.base/java.time=ALL-UNNAMED",
                    "--add-opens=java.base/java.util.concurrent=ALL-UNNAMED");

    private static final String MODULE = "bench/flink";

    private FlinkJars() {}

    /**
     * The job and all that it needs.
     *
     * @throws FailedException if it is not built
     */
    static String classPath(Path home) throws IOException {
        Path target = home.resolve(MODULE).resolve("target");
        Path libraries = target.resolve("lib");
        if (!Files.isDirectory(libraries)) {
            throw new FailedException(
                    "Flink is not there: expected its jars in %s. In a source tree, ./photon bench pipeline --compare flink builds them, and so does mvn -Pflink -pl %s package; a distribution has no Flink"
                            .formatted(libraries, MODULE));
        }
        return Stream.concat(jars(target), jars(libraries))
                .collect(Collectors.joining(File.pathSeparator));
    }

    private static Stream<String> jars(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files
                    .map(Path::toString)
                    .filter(file -> file.endsWith(".jar") && !file.endsWith("-tests.jar"))
                    .sorted()
                    .toList()
                    .stream();
        }
    }

    /** The jar, or the directory, that holds a class. */
    static String jarOf(Class<?> type) {
        try {
            return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI())
                    .toString();
        } catch (URISyntaxException e) {
            throw new IllegalStateException("Expected a class in a file", e);
        }
    }
}

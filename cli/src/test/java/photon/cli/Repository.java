package photon.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Set;
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

    /**
     * Regular files of the checkout, without what builds and runs write there meanwhile.
     *
     * @param depth 1: those in the directory itself
     */
    public static List<Path> sources(Path below, int depth) throws IOException {
        List<Path> found = new ArrayList<>();
        Files.walkFileTree(
                below,
                Set.of(),
                depth,
                new SimpleFileVisitor<>() {
                    @Override
                    public FileVisitResult preVisitDirectory(
                            Path directory, BasicFileAttributes attributes) {
                        return !directory.equals(below) && isWritten(directory)
                                ? FileVisitResult.SKIP_SUBTREE
                                : FileVisitResult.CONTINUE;
                    }

                    @Override
                    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                        if (attributes.isRegularFile()) {
                            found.add(file);
                        }
                        return FileVisitResult.CONTINUE;
                    }

                    @Override
                    public FileVisitResult visitFileFailed(Path file, IOException failure)
                            throws IOException {
                        if (failure instanceof NoSuchFileException) {
                            return FileVisitResult.CONTINUE; // It was there a moment ago.
                        }
                        throw failure;
                    }
                });
        Collections.sort(found);
        return found;
    }

    private static boolean isWritten(Path directory) {
        String name = directory.getFileName().toString();
        return name.equals("target") || name.equals(".git") || name.startsWith("photon-");
    }

    /** Real events, kept outside the repository; may be absent. */
    public static Path sampleData(String name) {
        return root().resolve("../shared/data").resolve(name).normalize();
    }

    public static JsonNode answer(String example) throws IOException {
        return new ObjectMapper().readTree(example(example).resolve("ANSWER.json").toFile());
    }
}

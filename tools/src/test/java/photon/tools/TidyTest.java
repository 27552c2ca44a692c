package photon.tools;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.LineMap;
import com.sun.source.tree.MethodTree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.SourcePositions;
import com.sun.source.util.TreeScanner;
import com.sun.source.util.Trees;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.MalformedInputException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import photon.cli.Repository;

/**
 * The house rules that no other check knows. The bounds are a ratchet: lower one when the longest
 * has become shorter, and do not raise one.
 */
class TidyTest {
    private static final Bounds MAIN = new Bounds("src/main/", 500, 60);
    private static final Bounds TESTS = new Bounds("src/test/", 965, 244);

    /**
     * Paths that exist on one machine only; a file system's root that is named as an example is
     * none.
     */
    private static final Pattern MACHINE_PATH =
            Pattern.compile("(?<![\\w.~>$}{*-])/(home|root|Users|work|farm)/[\\w.]");

    private static final Path ROOT = root();
    private static List<Path> tracked;

    /**
     * How long sources may be.
     *
     * @param within a part of their paths
     */
    private record Bounds(String within, int fileLinesMax, int methodLinesMax) {
        List<Path> sources() {
            return tracked.stream()
                    .filter(file -> file.toString().endsWith(".java"))
                    .filter(file -> file.toString().contains(within))
                    .toList();
        }

        List<String> longFiles() {
            return sources().stream()
                    .filter(file -> lines(file).size() > fileLinesMax)
                    .map(file -> file + " has " + lines(file).size() + " lines")
                    .toList();
        }
    }

    @BeforeAll
    static void list() throws Exception {
        tracked = tracked();
        assertThat(MAIN.sources()).as("sources below %s", ROOT).hasSizeGreaterThan(100);
        assertThat(TESTS.sources()).as("tests below %s", ROOT).hasSizeGreaterThan(100);
    }

    private static Path root() {
        Path at = Path.of("").toAbsolutePath();
        while (!Files.isDirectory(at.resolve("docs/decisions"))) {
            at = Objects.requireNonNull(at.getParent(), "no checkout above the working directory");
        }
        return at;
    }

    /** What is built, or lies there by chance, is not looked at. */
    private static List<Path> tracked() throws IOException {
        return Repository.sources(ROOT, Integer.MAX_VALUE).stream()
                .map(ROOT::relativize)
                .filter(TidyTest::isOurs)
                .toList();
    }

    private static boolean isOurs(Path file) {
        return !file.getFileName().toString().startsWith("photon-")
                && Pattern.matches(
                        ".*\\.(java|proto|md|xml|sh|py|yaml|yml|txt|properties)|photon|.*/run",
                        file.toString());
    }

    @Test
    void noFileIsTooLong() {
        assertThat(MAIN.longFiles()).as("Find the class that hides in it").isEmpty();
        assertThat(TESTS.longFiles()).as("Find the second subject that it tests").isEmpty();
    }

    @Test
    void noMethodIsTooLong() throws IOException {
        assertThat(longMethods(MAIN)).isEmpty();
        assertThat(longMethods(TESTS)).isEmpty();
    }

    @Test
    void nothingNamesAPathOfAMachine() {
        assertThat(
                        tracked.stream()
                                .filter(file -> !file.endsWith("TidyTest.java"))
                                .flatMap(file -> matches(file, MACHINE_PATH)))
                .isEmpty();
    }

    /** A word that was replaced by the field's own does not come back (docs/decisions). */
    @Test
    void retiredWordsStayRetired() throws IOException {
        List<Pattern> retired = new ArrayList<>();
        try (InputStream words = TidyTest.class.getResourceAsStream("/retired-words.txt")) {
            new String(Objects.requireNonNull(words).readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> !line.isBlank() && !line.startsWith("#"))
                    .forEach(line -> retired.add(Pattern.compile(line)));
        }
        assertThat(retired).isNotEmpty();
        assertThat(
                        tracked.stream()
                                .filter(file -> !file.endsWith("retired-words.txt"))
                                .filter(file -> !file.endsWith("CHANGELOG.md"))
                                .flatMap(
                                        file ->
                                                retired.stream()
                                                        .flatMap(word -> matches(file, word))))
                .isEmpty();
    }

    private static Stream<String> matches(Path file, Pattern pattern) {
        List<String> lines = lines(file);
        return java.util.stream.IntStream.range(0, lines.size())
                .filter(i -> pattern.matcher(lines.get(i)).find())
                .mapToObj(i -> file + ":" + (i + 1) + ": " + lines.get(i).strip());
    }

    private static List<String> lines(Path file) {
        try {
            return Files.readAllLines(ROOT.resolve(file));
        } catch (MalformedInputException e) {
            return List.of();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<String> longMethods(Bounds bounds) throws IOException {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        List<String> found = new ArrayList<>();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
            JavacTask task =
                    (JavacTask)
                            compiler.getTask(
                                    null,
                                    files,
                                    null,
                                    List.of("-proc:none"),
                                    null,
                                    files.getJavaFileObjectsFromPaths(
                                            bounds.sources().stream().map(ROOT::resolve).toList()));
            SourcePositions positions = Trees.instance(task).getSourcePositions();
            for (CompilationUnitTree unit : task.parse()) {
                unit.accept(new LongMethods(unit, positions, bounds.methodLinesMax(), found), null);
            }
        }
        return found;
    }

    private static final class LongMethods extends TreeScanner<Void, Void> {
        private final CompilationUnitTree unit;
        private final SourcePositions positions;
        private final int linesMax;
        private final List<String> found;

        LongMethods(
                CompilationUnitTree unit,
                SourcePositions positions,
                int linesMax,
                List<String> found) {
            this.unit = unit;
            this.positions = positions;
            this.linesMax = linesMax;
            this.found = found;
        }

        @Override
        public Void visitMethod(MethodTree method, Void unused) {
            LineMap lines = unit.getLineMap();
            long count =
                    lines.getLineNumber(positions.getEndPosition(unit, method))
                            - lines.getLineNumber(positions.getStartPosition(unit, method))
                            + 1;
            if (count > linesMax) {
                found.add(
                        "%s.%s has %s lines"
                                .formatted(
                                        Path.of(unit.getSourceFile().getName()).getFileName(),
                                        method.getName(),
                                        count));
            }
            return super.visitMethod(method, null);
        }
    }
}

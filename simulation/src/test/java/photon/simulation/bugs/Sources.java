package photon.simulation.bugs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import photon.simulation.bugs.PlantedBug.Edit;

/** The production sources of this checkout, and what they are with a bug in them. */
final class Sources {
    private static final String MAIN = "/src/main/java/";

    private final Path root;
    private final PackageGraph packages;

    private Sources(Path root) {
        this.root = root;
        this.packages = PackageGraph.of(root);
    }

    /** Of the checkout that the tests run in. */
    static Sources ofThisCheckout() {
        Path at = Path.of("").toAbsolutePath();
        for (Path root = at; root != null; root = root.getParent()) {
            if (Files.isDirectory(root.resolve("idregistry/src/main/java"))) {
                return new Sources(root);
            }
        }
        throw new IllegalStateException("Expected to run inside a checkout, but run in " + at);
    }

    Path root() {
        return root;
    }

    PackageGraph packages() {
        return packages;
    }

    /**
     * The edited sources, by name of their top-level class.
     *
     * @throws AssertionError if a text to edit is not there exactly once
     */
    Map<String, String> edited(PlantedBug bug) {
        Map<String, String> edited = new LinkedHashMap<>();
        for (Edit edit : bug.edits()) {
            String name = className(edit.path());
            String before = edited.containsKey(name) ? edited.get(name) : read(edit.path());
            edited.put(name, apply(bug, edit, before));
        }
        return edited;
    }

    private static String className(String path) {
        int from = path.indexOf(MAIN) + MAIN.length();
        return path.substring(from, path.length() - ".java".length()).replace('/', '.');
    }

    private String read(String path) {
        try {
            return Files.readString(root.resolve(path));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String apply(PlantedBug bug, Edit edit, String source) {
        Matcher matcher = pattern(edit.find()).matcher(source);
        if (!matcher.find()) {
            throw new AssertionError(
                    "The rule that planted bug '%s' takes out has moved: update the bug. Not in %s any more: %s"
                            .formatted(bug, edit.path(), edit.find()));
        }
        int from = matcher.start();
        int to = matcher.end();
        if (matcher.find(from + 1)) {
            throw new AssertionError(
                    "Planted bug '%s' needs more context: more than once in %s: %s"
                            .formatted(bug, edit.path(), edit.find()));
        }
        return source.substring(0, from) + edit.replacement() + source.substring(to);
    }

    /** Line breaks and indentation are the formatter's. */
    private static Pattern pattern(String find) {
        StringBuilder regex = new StringBuilder();
        for (String word : find.strip().split("\\s+")) {
            regex.append(regex.length() == 0 ? "" : "\\s+").append(Pattern.quote(word));
        }
        return Pattern.compile(regex.toString());
    }
}

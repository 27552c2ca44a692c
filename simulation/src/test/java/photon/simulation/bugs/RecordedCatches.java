package photon.simulation.bugs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * By which seed each bug was caught when it was searched last: a file in the test's resources, a
 * line a bug, and the table in docs/testing.md that is made from it.
 */
final class RecordedCatches {
    private static final String FILE = "simulation/src/test/resources/planted-bugs.txt";
    private static final String PAGE = "docs/testing.md";
    private static final String BEGIN = "<!-- planted bugs: written by PlantedBugsSearchTest -->";
    private static final String END = "<!-- end of planted bugs -->";

    private final Path root;
    private final TreeMap<String, Catch> catches = new TreeMap<>();

    /**
     * @param seed the lowest that the search found; the search begins at 1
     */
    record Catch(String bug, Check check, long seed) {}

    private RecordedCatches(Path root) {
        this.root = root;
    }

    static RecordedCatches read(Path root) {
        RecordedCatches recorded = new RecordedCatches(root);
        try {
            for (String line : Files.readAllLines(root.resolve(FILE))) {
                String[] words = line.split(" ", -1);
                recorded.put(
                        new Catch(words[0], Check.valueOf(words[1]), Long.parseLong(words[2])));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return recorded;
    }

    Optional<Catch> of(PlantedBug bug) {
        return Optional.ofNullable(catches.get(bug.name()));
    }

    void put(Catch caught) {
        catches.put(caught.bug(), caught);
    }

    /** No seed catches it that was tried. */
    void remove(String bug) {
        catches.remove(bug);
    }

    /** Forgets the others. */
    void retain(Collection<String> bugs) {
        catches.keySet().retainAll(bugs);
    }

    /** Writes the file anew, and the table of the page. */
    void write() throws IOException {
        SortedSet<String> lines = new TreeSet<>();
        for (Catch caught : catches.values()) {
            lines.add("%s %s %d".formatted(caught.bug(), caught.check(), caught.seed()));
        }
        Files.writeString(root.resolve(FILE), String.join("\n", lines) + "\n");
        Path page = root.resolve(PAGE);
        String text = Files.readString(page);
        int from = text.indexOf(BEGIN) + BEGIN.length();
        int to = text.indexOf(END);
        if (from < BEGIN.length() || to < from) {
            throw new IOException("Expected the marks of the table of planted bugs in " + page);
        }
        Files.writeString(page, text.substring(0, from) + "\n" + table() + text.substring(to));
    }

    /** For people. */
    String table() {
        StringBuilder table =
                new StringBuilder(
                        """
                        | bug | the rule that it removes | section | caught by | seed |
                        |---|---|---|---|---|
                        """);
        for (PlantedBug bug : PlantedBugs.bySection()) {
            Optional<Catch> caught = of(bug);
            table.append(
                    "| `%s` | %s | %s | %s | %s |\n"
                            .formatted(
                                    bug,
                                    bug.rule(),
                                    bug.place(),
                                    caught.map(c -> c.check().label())
                                            .or(() -> CaughtByTests.of(bug).map(t -> "`" + t + "`"))
                                            .orElse("nothing yet"),
                                    caught.map(c -> Long.toString(c.seed())).orElse("")));
        }
        return table.toString();
    }
}

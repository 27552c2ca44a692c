package photon.server.metrics;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The names in the tables of docs/metrics.md. */
public final class DocumentedMetrics {
    private static final Pattern ROW = Pattern.compile("\\| `(photon_[a-z0-9_]+)` \\|([^|]*)\\|.*");
    private static final Pattern LABEL = Pattern.compile("`([a-z_]+)`");

    private DocumentedMetrics() {}

    public static List<String> names(String prefix) {
        return labels().keySet().stream().filter(name -> name.startsWith(prefix)).toList();
    }

    /** Which labels each metric has. */
    public static SortedMap<String, Set<String>> labels() {
        SortedMap<String, Set<String>> labels = new TreeMap<>();
        try {
            for (String line : Files.readAllLines(Path.of("..", "docs", "metrics.md"))) {
                Matcher row = ROW.matcher(line);
                if (row.matches()) {
                    labels.put(
                            row.group(1),
                            LABEL.matcher(row.group(2))
                                    .results()
                                    .map(label -> label.group(1))
                                    .collect(Collectors.toSet()));
                }
            }
            return labels;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

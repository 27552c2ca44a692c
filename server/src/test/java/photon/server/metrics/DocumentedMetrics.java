package photon.server.metrics;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The names in the tables of docs/metrics.md. */
public final class DocumentedMetrics {
    private static final Pattern ROW = Pattern.compile("\\| `(photon_[a-z0-9_]+)` \\|.*");

    private DocumentedMetrics() {}

    public static List<String> names(String prefix) {
        try {
            return Files.readAllLines(Path.of("..", "docs", "metrics.md")).stream()
                    .map(ROW::matcher)
                    .filter(Matcher::matches)
                    .map(row -> row.group(1))
                    .filter(name -> name.startsWith(prefix))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

package photon.server.adaptertest;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import photon.adapter.testing.AdapterCases.Pair;
import photon.adapter.testing.TestEvent;
import photon.core.error.ConfigException;
import photon.core.error.IoText;

/**
 * Pairs of two files of JSON lines: the first line of one with the first of the other, and so on.
 */
public final class SamplePairs {
    static final String NAME = "sample line ";
    private static final int PAIRS_MAX = 1_000;
    private static final long MICROS = 1_760_000_000_000_000L;

    private SamplePairs() {}

    /**
     * The first 1,000 pairs; an event's id is its line's number.
     *
     * @throws ConfigException if a file cannot be read, has a line that is no JSON object, or has
     *     fewer lines than the other
     */
    public static List<Pair> read(Path foreignFile, Path primaryFile) {
        List<String> foreign = lines(foreignFile);
        List<String> primary = lines(primaryFile);
        if (foreign.size() != primary.size()) {
            throw new ConfigException(
                    "--sample: %s has %,d lines and %s has %,d: expected a primary event's line for each foreign event's"
                            .formatted(foreignFile, foreign.size(), primaryFile, primary.size()));
        }
        List<Pair> pairs = new ArrayList<>();
        for (int i = 0; i < foreign.size(); i++) {
            pairs.add(
                    new Pair(
                            NAME + (i + 1),
                            event("foreign-", foreignFile, i, MICROS + i + 1, foreign.get(i)),
                            event("primary-", primaryFile, i, MICROS + i, primary.get(i))));
        }
        return pairs;
    }

    private static List<String> lines(Path file) {
        try (BufferedReader reader = Files.newBufferedReader(file)) {
            List<String> lines =
                    reader.lines().filter(line -> !line.isBlank()).limit(PAIRS_MAX).toList();
            if (lines.isEmpty()) {
                throw new ConfigException(
                        "--sample: expected lines in " + file + ", but it is empty");
            }
            return lines;
        } catch (IOException e) {
            throw new ConfigException("--sample: cannot read " + file + ": " + IoText.of(e));
        } catch (UncheckedIOException e) {
            throw new ConfigException("--sample: cannot read " + file + ": " + e.getMessage());
        }
    }

    private static TestEvent event(String name, Path file, int index, long micros, String line) {
        try {
            return TestEvent.of(name + (index + 1), micros, line);
        } catch (IllegalArgumentException e) {
            throw new ConfigException(
                    "--sample: line %d of %s is not one JSON object: %s"
                            .formatted(index + 1, file, e.getMessage()));
        }
    }
}

package photon.server.configinit.rules;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import photon.core.config.FormatConfig;
import photon.server.configinit.rules.Guess.Certainty;
import photon.storage.format.CsvRow;

/**
 * How the lines of a CSV file are made.
 *
 * @param columns that most lines have
 * @param fitting how many lines have as many
 * @param rows the lines taken apart, those that can be
 */
record CsvShape(char separator, int columns, int fitting, int lines, List<List<String>> rows) {
    private static final char[] SEPARATORS = {',', ';', '\t', '|'};
    private static final int LOOKED_AT_MAX = 1_000;
    private static final Pattern NAME =
            Pattern.compile("[\\p{L}_@$#][\\p{L}\\p{N}_ .:/()@$#-]{0,60}");

    /** The one by which most lines have the same number of columns; empty: there is none. */
    static Optional<CsvShape> best(List<byte[]> lines, Optional<Character> stated) {
        List<byte[]> head = lines.subList(0, Math.min(LOOKED_AT_MAX, lines.size()));
        if (stated.isPresent()) {
            return Optional.of(of(head, stated.get()));
        }
        CsvShape best = null;
        for (char separator : SEPARATORS) {
            CsvShape shape = of(head, separator);
            boolean fits = shape.columns() > 1 && 10 * shape.fitting() >= 9 * shape.lines();
            if (fits && (best == null || shape.columns() > best.columns())) {
                best = shape;
            }
        }
        return Optional.ofNullable(best);
    }

    static boolean beginsWithComment(List<byte[]> lines) {
        String first = new String(lines.get(0), StandardCharsets.UTF_8);
        if (!first.startsWith("#")) {
            return false;
        }
        List<byte[]> rest =
                lines.stream()
                        .filter(l -> !new String(l, StandardCharsets.UTF_8).startsWith("#"))
                        .toList();
        // A header may begin so, too: then it has as many columns as what follows.
        return !rest.isEmpty()
                && best(rest, Optional.empty())
                        .map(
                                shape ->
                                        new CsvRow(shape.separator())
                                                        .split(lines.get(0))
                                                        .orElse(List.of())
                                                        .size()
                                                != shape.columns())
                        .orElse(false);
    }

    private static CsvShape of(List<byte[]> lines, char separator) {
        CsvRow splitter = new CsvRow(separator);
        Map<Integer, Integer> counts = new HashMap<>(); // columns to lines
        List<List<String>> rows = new ArrayList<>();
        for (byte[] line : lines) {
            splitter.split(line)
                    .ifPresent(
                            cells -> {
                                rows.add(cells);
                                counts.merge(cells.size(), 1, Integer::sum);
                            });
        }
        Map.Entry<Integer, Integer> most =
                counts.entrySet().stream()
                        .max(Map.Entry.comparingByValue())
                        .orElse(Map.entry(0, 0));
        return new CsvShape(separator, most.getKey(), most.getValue(), lines.size(), rows);
    }

    FormatConfig.Csv format(List<String> stated, String comment) {
        boolean header = stated.isEmpty() && hasHeader();
        List<String> names = new ArrayList<>();
        for (int i = 1; i <= columns && !header; i++) {
            names.add("column" + i);
        }
        return new FormatConfig.Csv(header, separator, stated.isEmpty() ? names : stated, comment);
    }

    /** Whether the first line can be told from the others. */
    Certainty certainty() {
        boolean told = hasHeader() ? columnOfOtherKind() > 0 : !mayBeNames();
        return told && fitting == lines && rows.size() > 1 ? Certainty.CERTAIN : Certainty.LIKELY;
    }

    String why(List<String> stated, String stream) {
        String split = "%,d of %,d lines have %d columns".formatted(fitting, lines, columns);
        if (!stated.isEmpty()) {
            return split;
        }
        if (!hasHeader()) {
            return "%s; the first line holds values, not names, so columns are named by their position, unless --%s-columns NAME,... names them"
                    .formatted(split, stream);
        }
        int told = columnOfOtherKind();
        return told > 0
                ? "%s; the first line holds names: '%s' stands above numbers or dates"
                        .formatted(split, rows.get(0).get(told - 1))
                : "%s; the first line looks like names: if it is an event, add --%s-columns NAME,..."
                        .formatted(split, stream);
    }

    private boolean hasHeader() {
        return mayBeNames()
                && (columnOfOtherKind() > 0
                        || (looksLikeNames() && !rows.get(0).contains("") && !firstIsRepeated()));
    }

    private boolean mayBeNames() {
        List<String> first = rows.isEmpty() ? List.of() : rows.get(0);
        List<String> names = named(first);
        return first.size() == columns
                && 2 * names.size() > first.size()
                && new HashSet<>(names).size() == names.size()
                && names.stream().noneMatch(CsvShape::beginsWithDigit);
    }

    /** A column without a name is of an index that somebody wrote out, or behind the last one. */
    private static List<String> named(List<String> header) {
        return header.stream().filter(cell -> !cell.isEmpty()).toList();
    }

    private boolean looksLikeNames() {
        return mayBeNames()
                && named(rows.get(0)).stream()
                        .allMatch(cell -> NAME.matcher(cell.strip()).matches());
    }

    /** The first column, counted from 1, whose first cell alone is no number or date; 0: none. */
    private int columnOfOtherKind() {
        for (int i = 0; i < columns; i++) {
            int column = i;
            List<String> below =
                    rows.stream()
                            .skip(1)
                            .filter(row -> column < row.size() && !row.get(column).isEmpty())
                            .map(row -> row.get(column))
                            .toList();
            long digits = below.stream().filter(CsvShape::beginsWithDigit).count();
            if (!below.isEmpty()
                    && 10 * digits >= 9L * below.size()
                    && !rows.get(0).get(column).isEmpty()
                    && !beginsWithDigit(rows.get(0).get(column))) {
                return column + 1;
            }
        }
        return 0;
    }

    private static boolean beginsWithDigit(String cell) {
        return Values.isNumber(cell.strip()) || cell.strip().matches("[0-9]{4}-[0-9]{2}-.*");
    }

    private boolean firstIsRepeated() {
        List<String> first = rows.get(0);
        return rows.stream()
                .skip(1)
                .anyMatch(
                        row -> {
                            for (int i = 0; i < Math.min(first.size(), row.size()); i++) {
                                if (!first.get(i).isEmpty() && first.get(i).equals(row.get(i))) {
                                    return true;
                                }
                            }
                            return false;
                        });
    }
}

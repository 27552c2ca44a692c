package photon.core.text;

import java.util.List;

/** Rows of cells as lines, with the cells of each column one below the other. */
public final class Columns {
    private static final int GAP = 2;

    private Columns() {}

    /**
     * The lines, each with a line feed and without blanks at its end. Cells may be data: their
     * control characters are no part of the table.
     *
     * @param indent before each line
     * @param cells rows of as many cells each, at least one row
     */
    public static String of(String indent, List<List<String>> cells) {
        List<List<String>> rows =
                cells.stream().map(row -> row.stream().map(PlainText::line).toList()).toList();
        int columns = rows.get(0).size();
        int[] widths = new int[columns];
        for (List<String> row : rows) {
            for (int i = 0; i < columns; i++) {
                widths[i] = Math.max(widths[i], row.get(i).length());
            }
        }
        StringBuilder text = new StringBuilder();
        for (List<String> row : rows) {
            StringBuilder line = new StringBuilder(indent);
            for (int i = 0; i < columns; i++) {
                line.append(row.get(i));
                if (i < columns - 1) {
                    line.append(" ".repeat(widths[i] - row.get(i).length() + GAP));
                }
            }
            text.append(line.toString().stripTrailing()).append('\n');
        }
        return text.toString();
    }
}

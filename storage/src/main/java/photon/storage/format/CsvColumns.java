package photon.storage.format;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import photon.core.config.FormatConfig;
import photon.core.error.ConfigException;

/** The columns of a CSV file: names by position, and where the wanted ones stand. */
final class CsvColumns {
    private final List<String> names;
    private final int[] positions;
    private final List<byte[]> jsonKeys = new ArrayList<>();

    private CsvColumns(List<String> names, int[] positions) {
        this.names = names;
        this.positions = positions;
    }

    /**
     * @throws ConfigException if named columns are named twice, or a wanted field is not among them
     */
    static void validate(FormatConfig.Csv csv, List<String> wanted) {
        List<String> problems = new ArrayList<>();
        if (csv.separator() == '"' || csv.separator() == '\n' || csv.separator() == '\r') {
            problems.add(
                    "Expected format.separator to be one character other than a quote or a line end");
        }
        if (!csv.header()) {
            Set<String> seen = new HashSet<>();
            for (String column : csv.columns()) {
                if (!seen.add(column)) {
                    problems.add(
                            "Expected each name in format.columns once, but '%s' is there twice"
                                    .formatted(column));
                } else if (furtherPosition(column) >= csv.columns().size()) {
                    problems.add(
                            "Expected another name than '%s' in format.columns: a further column is called so"
                                    .formatted(column));
                }
            }
            for (String field : wanted) {
                if (positionOf(field, csv.columns()) < 0) {
                    problems.add(
                            "Expected the field '%s' to be one of format.columns %s, but it is not"
                                    .formatted(field, csv.columns()));
                }
            }
        }
        if (!problems.isEmpty()) {
            throw new ConfigException(problems);
        }
    }

    /**
     * By a header. A column that it gives no name, or the name of one before it, is called by its
     * position, such as {@code column5}.
     *
     * @throws BadRecordException if a wanted field is no column, or its name stands twice
     */
    static CsvColumns of(List<String> header, List<String> wanted) throws BadRecordException {
        List<String> names = names(header, wanted);
        int[] positions = new int[wanted.size()];
        for (int i = 0; i < positions.length; i++) {
            positions[i] = positionOf(wanted.get(i), names);
            if (positions[i] < 0) {
                throw new BadRecordException(
                        "Expected a column '%s' in the header, but it has %s"
                                .formatted(wanted.get(i), names),
                        new BadCause.NoColumn(wanted.get(i), names));
            }
        }
        return new CsvColumns(List.copyOf(names), positions);
    }

    private static List<String> names(List<String> header, List<String> wanted)
            throws BadRecordException {
        Set<String> all = new HashSet<>(header);
        Set<String> seen = new HashSet<>();
        List<String> names = new ArrayList<>();
        for (String name : header) {
            boolean named = !name.isEmpty() && seen.add(name);
            String called = named ? name : "column" + (names.size() + 1);
            boolean unclear = !name.isEmpty() && wanted.contains(name);
            if (!named && (unclear || all.contains(called))) {
                throw new BadRecordException(
                        "Expected each column once in the header, but '%s' is there twice"
                                .formatted(name.isEmpty() ? called : name));
            }
            names.add(called);
        }
        return names;
    }

    /** Position of a wanted field, counted from 0. */
    int position(int wanted) {
        return positions[wanted];
    }

    /** The column's name as a JSON key with quotes, colon and the value's opening quote. */
    byte[] jsonKey(int position) {
        while (jsonKeys.size() <= position) {
            int next = jsonKeys.size();
            String name = next < names.size() ? names.get(next) : "column" + (next + 1);
            JsonBytes key = new JsonBytes();
            key.raw('"');
            key.text(name);
            key.raw('"');
            key.raw(':');
            key.raw('"');
            jsonKeys.add(key.take().toByteArray());
        }
        return jsonKeys.get(position);
    }

    private static int positionOf(String field, List<String> names) {
        int named = names.indexOf(field);
        if (named >= 0) {
            return named;
        }
        int further = furtherPosition(field);
        return further >= names.size() ? further : -1;
    }

    /** Position that a name such as {@code column5} stands for, from 0; -1: it is none such. */
    private static int furtherPosition(String name) {
        if (!name.startsWith("column") || name.length() > "column".length() + 6) {
            return -1;
        }
        String number = name.substring("column".length());
        long value = TimestampRule.digits(number);
        return value >= 1 && !number.startsWith("0") ? (int) value - 1 : -1;
    }
}

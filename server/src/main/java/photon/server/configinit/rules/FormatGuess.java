package photon.server.configinit.rules;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import photon.core.config.FormatConfig;
import photon.proto.v1.FramedRecord;
import photon.server.configinit.rules.Guess.Certainty;
import photon.server.configtest.rules.FlatRecord;
import photon.server.configtest.rules.Yaml;
import photon.storage.format.CsvRow;

/** Tells a log's format by its first records, and takes these apart by it. */
final class FormatGuess {
    /** Each takes a hundred bytes, whatever it takes in the log. */
    private static final int VALUES_MAX = 3_000_000;

    private final LogSample sample;
    private final Stated stated;
    private final Notes notes;
    private int values;

    FormatGuess(LogSample sample, Stated stated, Notes notes) {
        this.sample = sample;
        this.stated = stated;
        this.notes = notes;
    }

    /**
     * The log by its format.
     *
     * @param rows as the user's filter keeps them
     */
    record Found(FormatConfig format, List<Map<String, String>> rows) {}

    /** Empty: it cannot be told, as the notes say. */
    Optional<Found> find() {
        List<byte[]> first =
                sample.files().stream()
                        .map(FormatGuess::withoutBlanks)
                        .filter(records -> !records.isEmpty())
                        .findFirst()
                        .orElse(List.of());
        if (first.isEmpty()) {
            need(
                    "%s holds no complete record: an event is a line that ends with a line feed"
                            .formatted(sample.fileName()),
                    "Name a file that holds events of this stream");
            return Optional.empty();
        }
        if (text(first.get(0)).startsWith("Obj\u0001")) {
            need(
                    "%s is an Avro container file, whose fields are not looked at"
                            .formatted(sample.fileName()),
                    "Write the stream by hand, with format: {type: avro}");
            return Optional.empty();
        }
        if (sample.framed()) {
            note(
                    Yaml.format(new FormatConfig.Framed()),
                    Certainty.CERTAIN,
                    "it begins with a frame that has a correct checksum");
            return Optional.of(new Found(new FormatConfig.Framed(), kept(FormatGuess::frame)));
        }
        boolean csvStated = stated.separator().isPresent() || !stated.columns().isEmpty();
        Optional<FormatConfig> format =
                !csvStated && text(first.get(0)).startsWith("{") ? json(first) : csv(first);
        return format.map(
                found -> {
                    List<Map<String, String>> rows =
                            found instanceof FormatConfig.Csv csv
                                    ? csvRows(csv)
                                    : kept(bytes -> FlatRecord.of(text(bytes)));
                    return new Found(found, rows);
                });
    }

    private Optional<FormatConfig> json(List<byte[]> lines) {
        long objects =
                lines.stream()
                        .map(FormatGuess::text)
                        .filter(line -> line.endsWith("}") && !FlatRecord.of(line).isEmpty())
                        .count();
        if (2 * objects < lines.size()) {
            need(
                    "%s begins like JSON, but of %,d lines %,d are JSON objects"
                            .formatted(sample.fileName(), lines.size(), objects),
                    "Photon reads one object per line: convert the file, for example with jq -c . FILE");
            return Optional.empty();
        }
        note(
                Yaml.format(new FormatConfig.JsonLines()),
                objects == lines.size() ? Certainty.CERTAIN : Certainty.LIKELY,
                "of %,d lines %,d are JSON objects".formatted(lines.size(), objects));
        return Optional.of(new FormatConfig.JsonLines());
    }

    private Optional<FormatConfig> csv(List<byte[]> lines) {
        if (text(lines.get(0)).startsWith("[")) {
            need(
                    "%s begins like a JSON array".formatted(sample.fileName()),
                    "Photon reads one JSON object per line: convert the file, for example with jq -c '.[]' FILE");
            return Optional.empty();
        }
        boolean comments = CsvShape.beginsWithComment(lines);
        List<byte[]> data =
                comments ? lines.stream().filter(l -> !text(l).startsWith("#")).toList() : lines;
        Optional<CsvShape> found = CsvShape.best(data, stated.separator());
        if (found.isEmpty()) {
            need(
                    "%s is neither JSON lines nor CSV: its first line is '%s'"
                            .formatted(sample.fileName(), shortened(text(lines.get(0)))),
                    "If it is CSV with another separator, add --%s-separator CHARACTER"
                            .formatted(sample.name()));
            return Optional.empty();
        }
        CsvShape shape = found.get();
        FormatConfig.Csv csv = shape.format(stated.columns(), comments ? "#" : "");
        note(
                Yaml.format(csv),
                !stated.columns().isEmpty() ? Certainty.STATED : shape.certainty(),
                shape.why(stated.columns(), sample.name()));
        return Optional.of(csv);
    }

    private List<Map<String, String>> csvRows(FormatConfig.Csv csv) {
        CsvRow splitter = new CsvRow(csv.separator());
        List<Map<String, String>> rows = new ArrayList<>();
        for (List<byte[]> file : sample.files()) {
            List<String> columns = csv.header() ? null : csv.columns();
            for (byte[] line : withoutBlanks(file)) {
                if (!csv.comment().isEmpty() && text(line).startsWith(csv.comment())) {
                    continue;
                }
                List<String> cells = splitter.split(line).orElse(List.of());
                if (columns == null) {
                    columns = cells;
                } else {
                    keep(row(columns, cells), rows);
                }
            }
        }
        return rows;
    }

    private static Map<String, String> row(List<String> columns, List<String> cells) {
        Map<String, String> row = new LinkedHashMap<>();
        for (int i = 0; i < cells.size(); i++) {
            row.put(i < columns.size() ? columns.get(i) : "column" + (i + 1), cells.get(i));
        }
        return row;
    }

    private List<Map<String, String>> kept(Function<byte[], Map<String, String>> parser) {
        List<Map<String, String>> rows = new ArrayList<>();
        sample.files().forEach(file -> file.forEach(bytes -> keep(parser.apply(bytes), rows)));
        return rows;
    }

    private void keep(Map<String, String> row, List<Map<String, String>> rows) {
        boolean wanted =
                stated.where().entrySet().stream()
                        .allMatch(one -> one.getValue().contains(row.get(one.getKey())));
        if (wanted && !row.isEmpty() && values < VALUES_MAX) {
            values += row.size();
            rows.add(row);
        }
    }

    private static Map<String, String> frame(byte[] payload) {
        try {
            FramedRecord record = FramedRecord.parseFrom(payload);
            Map<String, String> row = new HashMap<>();
            row.put(NativeIds.FRAME_ID, record.getId().isEmpty() ? "" : hex(record.getId()));
            row.put(
                    NativeIds.FRAME_PRIMARY_ID,
                    record.getPrimaryId().isEmpty() ? "" : hex(record.getPrimaryId()));
            row.putAll(FlatRecord.of(record.getJson().toStringUtf8()));
            return row;
        } catch (InvalidProtocolBufferException e) {
            return Map.of();
        }
    }

    private static String hex(ByteString bytes) {
        return HexFormat.of().formatHex(bytes.toByteArray());
    }

    private static List<byte[]> withoutBlanks(List<byte[]> lines) {
        return lines.stream().filter(line -> !text(line).isEmpty()).toList();
    }

    private static String text(byte[] line) {
        return new String(line, StandardCharsets.UTF_8).strip();
    }

    private static String shortened(String line) {
        return line.length() <= 100 ? line : line.substring(0, 100) + "...";
    }

    private void note(String value, Certainty certainty, String why) {
        notes.guess(sample.name() + ".format", value, certainty, why);
    }

    private void need(String problem, String options) {
        notes.need(sample.name() + ".format", problem, options);
    }
}

package photon.storage.format;

import com.google.protobuf.ByteString;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import photon.core.config.FormatConfig;

/** Rows of a CSV file. */
final class CsvParser implements FileParser {
    private final EventRules rules;
    private final byte[] comment;
    private final CsvLine line;
    private final Row row = new Row();
    private final JsonBytes json = new JsonBytes();
    private @Nullable CsvColumns columns;
    private Parsed.@Nullable Bad headerProblem;

    CsvParser(FormatConfig.Csv format, EventRules rules) {
        this.rules = rules;
        this.comment = format.comment().getBytes(StandardCharsets.UTF_8);
        this.line = new CsvLine(format.separator());
        if (!format.header()) {
            takeHeader(format.columns());
        }
    }

    @Override
    public boolean needsHeader() {
        return columns == null && headerProblem == null;
    }

    @Override
    public Parsed parse(byte[] bytes, int from, int to) {
        int end = to > from && bytes[to - 1] == '\r' ? to - 1 : to;
        if (end == from || isComment(bytes, from, end)) {
            return Parsed.FILTERED;
        }
        String problem = line.split(bytes, from, end);
        if (needsHeader() && problem != null) {
            headerProblem = new Parsed.Bad("Expected a header, but it is broken: " + problem);
            return headerProblem;
        }
        if (needsHeader()) {
            List<String> names = new ArrayList<>();
            for (int i = 0; i < line.fields(); i++) {
                String name = line.text(i);
                names.add(name == null ? "" : name);
            }
            takeHeader(names);
            return Parsed.FILTERED;
        }
        if (headerProblem != null) {
            return headerProblem;
        }
        return problem != null ? new Parsed.Bad(problem) : rules.judge(row);
    }

    private void takeHeader(List<String> names) {
        try {
            columns = CsvColumns.of(names, rules.fieldNames());
        } catch (BadRecordException e) {
            headerProblem = e.bad();
        }
    }

    private boolean isComment(byte[] bytes, int from, int to) {
        if (comment.length == 0 || to - from < comment.length) {
            return false;
        }
        for (int i = 0; i < comment.length; i++) {
            if (bytes[from + i] != comment[i]) {
                return false;
            }
        }
        return true;
    }

    /** The current line, by the file's columns. */
    private final class Row implements RecordFields {
        @Override
        public @Nullable String text(int index) throws BadRecordException {
            CsvColumns known = columns();
            int position = known.position(index);
            if (position >= line.fields()) {
                return null;
            }
            String text = line.text(position);
            if (text == null) {
                // Replacing what is malformed would make one identity of two.
                throw new BadRecordException(
                        "Expected the field %s to be UTF-8, but it is not"
                                .formatted(rules.fieldNames().get(index)));
            }
            return text;
        }

        @Override
        public ByteString json() {
            CsvColumns known = columns();
            json.raw('{');
            for (int i = 0; i < line.fields(); i++) {
                if (i > 0) {
                    json.raw(',');
                }
                json.raw(known.jsonKey(i));
                line.writeTo(json, i);
                json.raw('"');
            }
            json.raw('}');
            return json.take();
        }

        private CsvColumns columns() {
            if (columns == null) {
                throw new IllegalStateException("A row is read before the header");
            }
            return columns;
        }
    }
}

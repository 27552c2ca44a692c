package photon.storage.format;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Splits single CSV lines as the parser of a stream does, for whoever has no stream yet. */
public final class CsvRow {
    private final CsvLine line;

    public CsvRow(char separator) {
        this.line = new CsvLine(separator);
    }

    /**
     * The texts of a line's fields; empty: the line is broken, or no UTF-8.
     *
     * @param bytes without its line feed
     */
    public Optional<List<String>> split(byte[] bytes) {
        int end =
                bytes.length > 0 && bytes[bytes.length - 1] == '\r'
                        ? bytes.length - 1
                        : bytes.length;
        if (line.split(bytes, 0, end) != null) {
            return Optional.empty();
        }
        List<String> texts = new ArrayList<>();
        for (int i = 0; i < line.fields(); i++) {
            String text = line.text(i);
            if (text == null) {
                return Optional.empty();
            }
            texts.add(text);
        }
        return Optional.of(texts);
    }
}

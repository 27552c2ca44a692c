package photon.core.config;

import java.util.List;

/**
 * How the records of a log are written. gzip and zstd are recognised by a file's first bytes,
 * whatever the format.
 */
public sealed interface FormatConfig {
    /**
     * A line a record, values separated, quoted by '"' where needed (RFC 4180, but a value never
     * spans lines).
     *
     * @param header true: the first line of each file names the columns
     * @param columns the columns' names where there is no header; a further one is called "column"
     *     and its position, counted from 1
     * @param comment lines that begin with this are skipped; empty: none are
     */
    record Csv(boolean header, char separator, List<String> columns, String comment)
            implements FormatConfig {
        public Csv {
            columns = List.copyOf(columns);
        }
    }

    /** A line a record, each one JSON object. Fields are named by dotted path. */
    record JsonLines() implements FormatConfig {}

    /**
     * Avro container files. Fields are named by dotted path, as in JSON lines; each file has its
     * own schema.
     */
    record Avro() implements FormatConfig {}

    /**
     * Our framing of {@code photon.v1.FramedRecord} messages. Fields are named by dotted path into
     * its JSON.
     */
    record Framed() implements FormatConfig {}
}

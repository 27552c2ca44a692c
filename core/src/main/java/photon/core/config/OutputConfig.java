package photon.core.config;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * How joined events are written.
 *
 * @param format of the published files
 * @param compression of their content
 * @param fields the columns, in order: at least one for formats with a schema; empty for others,
 *     which keep events as they are
 * @param named outputs that are not written as the main output is, by name; these have none
 */
public record OutputConfig(
        Format format,
        Compression compression,
        List<Field> fields,
        Map<String, OutputConfig> named) {
    public static final OutputConfig DEFAULTS =
            new OutputConfig(Format.JSON_LINES, Compression.NONE, List.of());

    public OutputConfig {
        fields = List.copyOf(fields);
        named = Map.copyOf(named);
    }

    /** Every output is written so. */
    public OutputConfig(Format format, Compression compression, List<Field> fields) {
        this(format, compression, fields, Map.of());
    }

    /** How the events of this output are written; empty: the main output. */
    public OutputConfig of(String output) {
        return named.getOrDefault(output, this);
    }

    /** What a published file is. */
    public enum Format {
        JSON_LINES,
        AVRO,
        PARQUET,
        FRAMED;

        /** Whether it needs fields. */
        public boolean hasSchema() {
            return this == AVRO || this == PARQUET;
        }

        /** The compression where none is configured. */
        public Compression defaultCompression() {
            return hasSchema() ? Compression.ZSTD : Compression.NONE;
        }

        public List<Compression> compressions() {
            return switch (this) {
                case JSON_LINES, FRAMED ->
                        List.of(Compression.NONE, Compression.GZIP, Compression.ZSTD);
                case AVRO -> List.of(Compression.NONE, Compression.SNAPPY, Compression.ZSTD);
                case PARQUET -> List.of(Compression.values());
            };
        }

        /** As a configuration names it. */
        public String text() {
            return OutputConfig.text(this);
        }

        public static Optional<Format> of(String text) {
            return named(values(), text);
        }
    }

    /** How a file's content is compressed. */
    public enum Compression {
        NONE,
        GZIP,
        SNAPPY,
        ZSTD;

        /** As a configuration names it. */
        public String text() {
            return OutputConfig.text(this);
        }

        public static Optional<Compression> of(String text) {
            return named(values(), text);
        }
    }

    /** What a column holds. A column of any type may be null. */
    public enum FieldType {
        /** A text; a number or truth value as it is written. */
        STRING,
        /** A whole number of 64 bits, or a text that is one. */
        LONG,
        /** A number, or a text that is one. */
        DOUBLE,
        /** True or false. */
        BOOLEAN,
        /** A whole number of microseconds since 1970 (UTC). */
        TIMESTAMP_MICROS,
        /** A whole number of milliseconds since 1970 (UTC). */
        TIMESTAMP_MILLIS,
        /** Any value, as JSON text. */
        JSON;

        /** As a configuration names it. */
        public String text() {
            return OutputConfig.text(this);
        }

        public static Optional<FieldType> of(String text) {
            return named(values(), text);
        }
    }

    /**
     * One column.
     *
     * @param name letters, digits and underscores, no digit first
     * @param from where the joined event has it: names of nested objects' fields, joined by dots
     */
    public record Field(String name, FieldType type, String from) {}

    private static String text(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    private static <E extends Enum<E>> Optional<E> named(E[] values, String text) {
        Map<String, E> byText = new TreeMap<>();
        for (E value : values) {
            byText.put(text(value), value);
        }
        return Optional.ofNullable(byText.get(text));
    }
}

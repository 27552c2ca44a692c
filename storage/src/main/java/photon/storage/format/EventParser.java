package photon.storage.format;

import photon.core.config.FormatConfig;
import photon.core.config.StreamConfig;

/**
 * Makes events of the records of one stream's logs. Immutable; each file gets a {@link FileParser}
 * of its own.
 */
public final class EventParser {
    private final FormatConfig format;
    private final EventRules rules;

    private EventParser(FormatConfig format, EventRules rules) {
        this.format = format;
        this.rules = rules;
    }

    /**
     * @throws photon.core.error.ConfigException if the stream's settings do not fit each other:
     *     names every problem
     */
    public static EventParser of(StreamConfig stream) {
        EventRules rules = EventRules.of(stream);
        if (stream.format() instanceof FormatConfig.Csv csv) {
            CsvColumns.validate(csv, rules.fieldNames());
        }
        return new EventParser(stream.format(), rules);
    }

    /** True: records are frames, as a tail makes them of Avro too; false: they are lines. */
    public boolean framed() {
        return format instanceof FormatConfig.Framed || format instanceof FormatConfig.Avro;
    }

    /** A parser for the records of one file, from its first on. */
    public FileParser forFile() {
        if (format instanceof FormatConfig.Csv csv) {
            return new CsvParser(csv, rules);
        }
        if (format instanceof FormatConfig.JsonLines) {
            return new JsonLinesParser(rules);
        }
        if (format instanceof FormatConfig.Avro) {
            return new AvroParser(rules);
        }
        return new FramedParser(rules);
    }
}

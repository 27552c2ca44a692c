package photon.storage.format;

import com.google.protobuf.ByteString;
import java.util.OptionalLong;
import photon.core.config.TimestampConfig;

/** Reads single timestamps as the parser of a stream does, for whoever has no stream yet. */
public final class TimestampText {
    private final TimestampRule rule;

    private TimestampText(TimestampRule rule) {
        this.rule = rule;
    }

    /**
     * @throws photon.core.error.ConfigException if its pattern is none
     */
    public static TimestampText of(TimestampConfig config) {
        return new TimestampText(TimestampRule.of(config, 0));
    }

    /** Microseconds since 1970; empty: the text is no such timestamp. */
    public OptionalLong micros(String text) {
        try {
            return OptionalLong.of(rule.micros(new One(text)));
        } catch (BadRecordException e) {
            return OptionalLong.empty();
        }
    }

    /** A record with one field. */
    private record One(String value) implements RecordFields {
        @Override
        public String text(int index) {
            return value;
        }

        @Override
        public ByteString json() {
            return ByteString.EMPTY;
        }
    }
}

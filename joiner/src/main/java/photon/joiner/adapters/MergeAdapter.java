package photon.joiner.adapters;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import photon.core.config.PipelineConfig;
import photon.proto.v1.Event;
import photon.storage.output.WorkRecord.JoinedEvent;

/**
 * The built-in adapter: one JSON line with both events' fields as they are, or with a mark where
 * there is no primary event. Writes bytes, never parses them.
 */
public final class MergeAdapter implements PairAdapter {
    private static final AdapterFingerprint FINGERPRINT =
            AdapterFingerprint.of(
                    new PipelineConfig.Adapter(PipelineConfig.Adapter.MERGE, Map.of()),
                    "",
                    List.of());
    private static final byte[] ID = ascii("{\"id\": \"");
    private static final byte[] PRIMARY_ID = ascii("\", \"primaryId\": \"");
    private static final byte[] TIMESTAMP = ascii("\", \"timestampMicros\": ");
    private static final byte[] FOREIGN = ascii(", \"foreign\": ");
    private static final byte[] PRIMARY = ascii(", \"primary\": ");
    private static final byte[] UNMATCHED = ascii(", \"primary\": null, \"unmatched\": true}");
    private static final byte[] UPGRADE = ascii(", \"upgrade\": true}");
    private static final byte[] END = ascii("}");
    private static final ByteString NO_FIELDS = ByteString.copyFromUtf8("{}");
    private static final byte[] HEX = ascii("0123456789abcdef");

    @Override
    public AdapterDecision join(
            Event foreign, long foreignMicros, Event primary, long primaryMicros) {
        return pair(foreign, foreignMicros, primary, END);
    }

    @Override
    public AdapterDecision upgrade(
            Event foreign, long foreignMicros, Event primary, long primaryMicros) {
        return pair(foreign, foreignMicros, primary, UPGRADE);
    }

    private static AdapterDecision pair(
            Event foreign, long foreignMicros, Event primary, byte[] end) {
        ByteString id = foreign.getIdTextBytes();
        ByteString primaryId = foreign.getPrimaryIdTextBytes();
        Line line =
                new Line(
                        128
                                + id.size()
                                + primaryId.size()
                                + foreign.getJson().size()
                                + primary.getJson().size());
        front(line, id, primaryId, foreignMicros);
        line.fields(foreign.getJson());
        line.writeBytes(PRIMARY);
        line.fields(primary.getJson());
        line.writeBytes(end);
        return new AdapterDecision.Emit(List.of(new JoinedEvent("", line.toByteString())));
    }

    @Override
    public AdapterDecision unmatched(Event foreign, long foreignMicros) {
        ByteString id = foreign.getIdTextBytes();
        ByteString primaryId = foreign.getPrimaryIdTextBytes();
        Line line = new Line(160 + id.size() + primaryId.size() + foreign.getJson().size());
        front(line, id, primaryId, foreignMicros);
        line.fields(foreign.getJson());
        line.writeBytes(UNMATCHED);
        return new AdapterDecision.Emit(List.of(new JoinedEvent("", line.toByteString())));
    }

    @Override
    public boolean takesUnmatched() {
        return true;
    }

    private static void front(Line line, ByteString id, ByteString primaryId, long foreignMicros) {
        line.writeBytes(ID);
        line.escaped(id);
        line.writeBytes(PRIMARY_ID);
        line.escaped(primaryId);
        line.writeBytes(TIMESTAMP);
        line.writeBytes(ascii(Long.toString(foreignMicros)));
        line.writeBytes(FOREIGN);
    }

    @Override
    public boolean runsInline() {
        return true;
    }

    @Override
    public AdapterFingerprint fingerprint() {
        return FINGERPRINT;
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    /** The line as it grows; gives its buffer away without a copy where that is full enough. */
    private static final class Line extends ByteArrayOutputStream {
        Line(int bytes) {
            super(bytes);
        }

        void fields(ByteString json) {
            ByteString fields = json.isEmpty() ? NO_FIELDS : json;
            for (java.nio.ByteBuffer part : fields.asReadOnlyByteBufferList()) {
                while (part.hasRemaining()) {
                    int length = Math.min(part.remaining(), 8_192);
                    byte[] chunk = new byte[length];
                    part.get(chunk);
                    write(chunk, 0, length);
                }
            }
        }

        /** UTF-8 goes through as it is; quotes, backslashes and control characters do not. */
        void escaped(ByteString text) {
            for (int i = 0; i < text.size(); i++) {
                byte b = text.byteAt(i);
                if (b == '"' || b == '\\') {
                    write('\\');
                    write(b);
                } else if (b >= 0 && b < 0x20) {
                    control(b);
                } else {
                    write(b);
                }
            }
        }

        private void control(byte b) {
            write('\\');
            switch (b) {
                case '\b' -> write('b');
                case '\t' -> write('t');
                case '\n' -> write('n');
                case '\f' -> write('f');
                case '\r' -> write('r');
                default -> {
                    write('u');
                    write('0');
                    write('0');
                    write(HEX[b >> 4]);
                    write(HEX[b & 0xF]);
                }
            }
        }

        ByteString toByteString() {
            return UnsafeByteOperations.unsafeWrap(buf, 0, count);
        }
    }
}

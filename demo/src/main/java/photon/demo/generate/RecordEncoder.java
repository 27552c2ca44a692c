package photon.demo.generate;

import com.google.protobuf.CodedOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import photon.core.id.EventId;
import photon.demo.generate.model.EventModel;
import photon.demo.generate.model.LogRecord;
import photon.demo.generate.model.LogStream;
import photon.demo.generate.model.LoggingProcess;
import photon.proto.v1.FramedRecord;

/** Bytes of records, without an object a record. Not thread-safe. */
final class RecordEncoder {
    /** A record is never longer. */
    static final int BYTES_MAX = 1_024;

    private static final int COUNTRIES = 5;
    private static final byte[][] COUNTRY =
            ascii("\",\"country\":\"", "de", "en", "fr", "pt", "nl");
    private static final byte[] QUERY = ascii("{\"query\":\"shoes ");
    private static final byte[] USER = ascii(",\"user\":");
    private static final byte[] AD = ascii("{\"ad\":\"ad-");
    private static final byte[] CENTS = ascii("\",\"cents\":");

    private final boolean framed;
    private final Names[] names = new Names[LogStream.values().length];
    private final byte[] json = new byte[BYTES_MAX];
    private final byte[] id = new byte[EventId.BYTES];
    private final ByteBuffer idBuffer = ByteBuffer.wrap(id);

    /** Per process of a stream: what its ids have in common. */
    private record Names(byte[][] jsonHeads, EventId[] someIds) {}

    RecordEncoder(boolean framed, EventModel model, int processes) {
        this.framed = framed;
        for (LogStream stream : LogStream.values()) {
            byte[][] heads = new byte[processes][];
            EventId[] ids = new EventId[processes];
            for (int i = 0; i < processes; i++) {
                LoggingProcess process = model.process(stream, i);
                heads[i] =
                        ascii(
                                "{\"server\":\"%s\",\"process\":%s,\"timestamp\":"
                                        .formatted(process.serverText(), process.processText()));
                ids[i] = process.id(0);
            }
            names[stream.index()] = new Names(heads, ids);
        }
    }

    /**
     * Writes a line with its line feed, or a frame's payload.
     *
     * @param into has room for {@link #BYTES_MAX}
     * @return how many bytes it has
     */
    int encode(LogRecord record, byte[] into) throws IOException {
        if (framed) {
            return payload(record, into);
        }
        int at = nativeId(record.stream(), record.process(), record.micros(), into, 0);
        into[at++] = ',';
        if (record.stream() == LogStream.FOREIGN) {
            at = put(PRIMARY, into, at);
            at =
                    nativeId(
                            LogStream.PRIMARY,
                            record.primaryProcess(),
                            record.primaryMicros(),
                            into,
                            at);
            into[at++] = '}';
            into[at++] = ',';
        }
        int fields = at;
        at = fields(record, into, at - 1);
        into[fields - 1] = ','; // in place of the opening brace
        into[at++] = '\n';
        return at;
    }

    private static final byte[] PRIMARY = ascii("\"primary\":");

    private int nativeId(LogStream stream, int process, long micros, byte[] into, int at) {
        return putNumber(micros, into, put(names[stream.index()].jsonHeads()[process], into, at));
    }

    private int payload(LogRecord record, byte[] into) throws IOException {
        int jsonLength = fields(record, json, 0);
        CodedOutputStream out = CodedOutputStream.newInstance(into);
        pack(record.stream(), record.process(), record.micros());
        out.writeByteArray(FramedRecord.ID_FIELD_NUMBER, id);
        if (record.stream() == LogStream.FOREIGN) {
            pack(LogStream.PRIMARY, record.primaryProcess(), record.primaryMicros());
            out.writeByteArray(FramedRecord.PRIMARY_ID_FIELD_NUMBER, id);
        }
        out.writeTag(
                FramedRecord.JSON_FIELD_NUMBER,
                com.google.protobuf.WireFormat.WIRETYPE_LENGTH_DELIMITED);
        out.writeUInt32NoTag(jsonLength);
        out.write(json, 0, jsonLength);
        return out.getTotalBytesWritten();
    }

    private void pack(LogStream stream, int process, long micros) {
        EventId some = names[stream.index()].someIds()[process];
        idBuffer.clear()
                .putLong(micros)
                .putLong(some.serverHigh())
                .putLong(some.serverLow())
                .putInt(some.process());
    }

    /** One JSON object of what is neither identity nor reference. */
    private static int fields(LogRecord record, byte[] into, int at) {
        long content = record.content();
        int small = (int) (content & 0xFFFF);
        int large = (int) (content >>> 40);
        int end = at;
        if (record.stream() == LogStream.PRIMARY) {
            end = putNumber(small % 50, into, put(QUERY, into, end));
            end = put(COUNTRY[0], into, end);
            end = put(COUNTRY[1 + (small >>> 8) % COUNTRIES], into, end);
            into[end++] = '"';
            end = putNumber(large % 1_000_000, into, put(USER, into, end));
        } else {
            end = putNumber(large % 10_000, into, put(AD, into, end));
            end = putNumber(small % 500, into, put(CENTS, into, end));
        }
        into[end++] = '}';
        return end;
    }

    static int put(byte[] bytes, byte[] into, int at) {
        System.arraycopy(bytes, 0, into, at, bytes.length);
        return at + bytes.length;
    }

    /** Decimal digits of a number from 0 on. */
    static int putNumber(long number, byte[] into, int at) {
        int digits = 1;
        for (long rest = number / 10; rest > 0; rest /= 10) {
            digits++;
        }
        long rest = number;
        for (int i = at + digits - 1; i >= at; i--) {
            into[i] = (byte) ('0' + rest % 10);
            rest /= 10;
        }
        return at + digits;
    }

    private static byte[][] ascii(String first, String... more) {
        byte[][] all = new byte[1 + more.length][];
        all[0] = ascii(first);
        for (int i = 0; i < more.length; i++) {
            all[i + 1] = ascii(more[i]);
        }
        return all;
    }

    static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}

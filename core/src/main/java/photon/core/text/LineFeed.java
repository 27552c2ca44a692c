package photon.core.text;

import com.google.protobuf.ByteString;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Finds line feeds, eight bytes at a time: each record is searched for one. */
public final class LineFeed {
    private static final VarHandle LONGS =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.nativeOrder());
    private static final long ONES = 0x0101010101010101L;
    private static final long HIGHEST_BITS = 0x8080808080808080L;
    private static final long LINE_FEEDS = '\n' * ONES;

    private LineFeed() {}

    /** Where the first one stands from {@code from} on; {@code to}: there is none before that. */
    public static int find(byte[] bytes, int from, int to) {
        int at = from;
        while (at <= to - Long.BYTES && !isIn((long) LONGS.get(bytes, at))) {
            at += Long.BYTES;
        }
        while (at < to && bytes[at] != '\n') {
            at++;
        }
        return at;
    }

    /** Where the first one stands; the size: there is none. */
    public static int find(ByteString text) {
        ByteBuffer bytes = text.asReadOnlyByteBuffer().slice();
        int to = bytes.limit();
        int at = 0;
        while (at <= to - Long.BYTES && !isIn(bytes.getLong(at))) {
            at += Long.BYTES;
        }
        while (at < to && bytes.get(at) != '\n') {
            at++;
        }
        return at;
    }

    /** Whether one of eight bytes is one, by the trick that finds a byte of zeros. */
    private static boolean isIn(long eight) {
        long zeros = eight ^ LINE_FEEDS;
        return ((zeros - ONES) & ~zeros & HIGHEST_BITS) != 0;
    }
}

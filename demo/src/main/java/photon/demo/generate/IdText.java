package photon.demo.generate;

import static photon.core.error.Checks.check;

import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.IntStream;
import photon.demo.generate.model.EventModel;
import photon.demo.generate.model.LogStream;
import photon.demo.generate.model.LoggingProcess;

/**
 * Ids as Photon writes them in its output, and as numbers whose order is the bytewise order of
 * those texts, so that an answer of millions of ids can be kept and sorted in memory.
 *
 * <p>JSON lines: {@code server:process:timestamp}, the number being (rank of the process,
 * timestamp). Framed: {@code timestamp/server/process}, the number being (timestamp, rank).
 */
final class IdText {
    private static final int RANK_BITS = 10;
    private static final int MICROS_BITS = 53;

    /** Timestamps have 16 digits, so that the order of numbers is that of their texts. */
    private static final long MICROS_MIN = 1_000_000_000_000_000L;

    /** No text is longer. */
    static final int BYTES_MAX = 128;

    private final boolean framed;
    private final byte[][][] textByRank = new byte[LogStream.values().length][][];
    private final int[][] rankByProcess = new int[LogStream.values().length][];

    IdText(boolean framed, EventModel model, int processes) {
        check(processes <= 1 << RANK_BITS, "Expected fewer processes than %s", processes);
        this.framed = framed;
        for (LogStream stream : LogStream.values()) {
            byte[][] texts =
                    IntStream.range(0, processes)
                            .mapToObj(i -> text(model.process(stream, i)))
                            .toArray(byte[][]::new);
            Integer[] order = IntStream.range(0, processes).boxed().toArray(Integer[]::new);
            // In a line a tab or a line feed follows, which are below all else.
            Arrays.sort(order, Comparator.comparing(i -> texts[i], Arrays::compareUnsigned));
            int[] ranks = new int[processes];
            byte[][] ranked = new byte[processes][];
            for (int rank = 0; rank < processes; rank++) {
                ranks[order[rank]] = rank;
                ranked[rank] = texts[order[rank]];
            }
            rankByProcess[stream.index()] = ranks;
            textByRank[stream.index()] = ranked;
        }
    }

    private byte[] text(LoggingProcess process) {
        return RecordEncoder.ascii(
                framed
                        ? "/" + process.serverText() + "/" + process.processText()
                        : process.serverText() + ":" + process.processText() + ":");
    }

    long key(LogStream stream, int process, long micros) {
        check(
                micros >= MICROS_MIN && micros < 1L << MICROS_BITS,
                "Expected a time of this century, but got %s microseconds",
                micros);
        long rank = rankByProcess[stream.index()][process];
        return framed ? micros << RANK_BITS | rank : rank << MICROS_BITS | micros;
    }

    /** Writes the text, and says where it ends. */
    int write(LogStream stream, long key, byte[] into, int at) {
        int rank = (int) (framed ? key & (1 << RANK_BITS) - 1 : key >>> MICROS_BITS);
        byte[] text = textByRank[stream.index()][rank];
        if (framed) {
            return RecordEncoder.put(
                    text, into, RecordEncoder.putNumber(key >>> RANK_BITS, into, at));
        }
        return RecordEncoder.putNumber(
                key & (1L << MICROS_BITS) - 1, into, RecordEncoder.put(text, into, at));
    }

    String text(LogStream stream, long key) {
        byte[] bytes = new byte[BYTES_MAX];
        return new String(
                bytes, 0, write(stream, key, bytes, 0), java.nio.charset.StandardCharsets.US_ASCII);
    }
}

package photon.bench.registry;

import static photon.core.error.Checks.check;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReferenceArray;
import photon.core.id.CommitToken;
import photon.core.id.EventId;
import photon.core.id.Incarnation;
import photon.registry.api.CommitBatch;
import photon.registry.api.IdBatch;

/**
 * The ids of a run, by number, so that each can be made again to ask for it: a number's block tells
 * its time, and the number itself is the logging server. Numbers are handed out in blocks, a time
 * each. Thread-safe.
 *
 * <p>A number is committed by one attempt, or raced for by two: twice the number, and one more for
 * the rival.
 */
final class BenchIds {
    /** Numbers of one block are a microsecond apart. */
    static final int BLOCK = 256;

    /** Servers of this network commit; those of the other never do. */
    private static final long PRESENT = 0x2001_0db8_0000_0001L;

    private static final long ABSENT = 0x2001_0db8_0000_0002L;

    private static final int CHUNK_BITS = 16;
    private static final int CHUNKS_MAX = 1 << 12;

    private final Incarnation incarnation;
    private final AtomicLong blocks = new AtomicLong();
    private final Map<Long, Long> leftFrom = new ConcurrentHashMap<>();
    private volatile long contestedFrom = Long.MAX_VALUE;
    private volatile int contestedPercent;
    // Times of blocks, in pieces that are made when they are needed.
    private final AtomicReferenceArray<AtomicLongArray> chunks =
            new AtomicReferenceArray<>(CHUNKS_MAX);

    BenchIds(Incarnation incarnation) {
        this.incarnation = incarnation;
    }

    /**
     * @param micros the time of its first id
     * @return the first of {@link #BLOCK} numbers
     */
    long takeBlock(long micros) {
        long block = blocks.getAndIncrement();
        int chunk = (int) (block >>> CHUNK_BITS);
        check(chunk < CHUNKS_MAX, "Expected fewer ids than %s blocks", block);
        AtomicLongArray times = chunks.get(chunk);
        if (times == null) {
            chunks.compareAndSet(chunk, null, new AtomicLongArray(1 << CHUNK_BITS));
            times = chunks.get(chunk);
        }
        times.set((int) (block & ((1 << CHUNK_BITS) - 1)), micros);
        return block * BLOCK;
    }

    /** This number and the rest of its block are not committed by anybody. */
    void leave(long number) {
        leftFrom.put(number / BLOCK, number);
    }

    /** True unless the number was left; judged when nobody commits any more. */
    boolean isUsed(long number) {
        Long from = leftFrom.get(number / BLOCK);
        return from == null || number < from;
    }

    /** True if two callers are to commit it. */
    boolean isContested(long number) {
        return number >= contestedFrom
                && Math.floorMod(spread(number) >>> 20, 100) < contestedPercent;
    }

    /** From the next block on, so many of the ids are contested. */
    void contest(int percent) {
        contestedFrom = end();
        contestedPercent = percent;
    }

    /** Numbers below this have a time. */
    long end() {
        return blocks.get() * BLOCK;
    }

    private long micros(long number) {
        long block = number / BLOCK;
        return chunks.get((int) (block >>> CHUNK_BITS)).get((int) (block & ((1 << CHUNK_BITS) - 1)))
                + number % BLOCK;
    }

    EventId id(long number) {
        return new EventId(micros(number), PRESENT, spread(number), process(number));
    }

    /** As old as the number's id, and never committed. */
    EventId absent(long number) {
        return new EventId(micros(number), ABSENT, spread(number), process(number));
    }

    /** The same without objects. */
    void addId(long number, boolean present, IdBatch.Builder to) {
        to.add(micros(number), present ? PRESENT : ABSENT, spread(number), process(number));
    }

    /** One to one, and far apart for neighbours. */
    private static long spread(long number) {
        return number * 0x9E3779B97F4A7C15L;
    }

    private static int process(long number) {
        return (int) number & 0xFFFF;
    }

    /** The token of an attempt: twice the number, and one more for the rival's. */
    CommitToken token(long attempt) {
        return CommitToken.of(incarnation, attempt);
    }

    /** An attempt's id and token. */
    void add(long attempt, CommitBatch.Builder to) {
        long number = attempt >>> 1;
        to.add(
                micros(number),
                PRESENT,
                spread(number),
                process(number),
                incarnation.slot(),
                incarnation.generation(),
                attempt);
    }

    /** True if this is one of the two tokens that may hold it. */
    boolean mayHold(CommitToken token, long number) {
        return token.isOf(incarnation) && token.sequence() >>> 1 == number;
    }
}

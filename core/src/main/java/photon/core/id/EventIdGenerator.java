package photon.core.id;

import static photon.core.error.Checks.check;

import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import photon.core.time.IntervalClock;

/**
 * Names the events of one logging process (docs/protocol.md section 2): each id is higher than all
 * before it. Thread-safe and without locks: one generator serves all threads of the process, and
 * its only state is the last timestamp, moved by compare-and-set.
 *
 * <p>An id's timestamp is the middle of the clock's interval. When that is not above the last one,
 * because several events fall in one microsecond or the clock was set back, it counts on by one
 * microsecond instead, and takes up the clock again as soon as that has caught up. It runs ahead of
 * the clock by at most a bound: ids from the future would be refused by the registry, and a clock
 * that was once far wrong would otherwise be followed for ever. At the bound it gives no id ({@link
 * IdsAheadOfClockException}).
 *
 * <p>Two lives of a process with the same server and process id must not give the same id. Process
 * ids come again (in containers all are 1), and clocks go back, so the application says which
 * timestamps are used up: {@code notBeforeMicros} is above every timestamp that an earlier life may
 * have given. Best take it from a mark on disk that is always ahead: before an id reaches the mark,
 * write a mark some seconds further and sync it ({@link #lastMicros()} tells where the ids are); or
 * read it from the process's own logs if every id is logged before anybody else sees it.
 */
public final class EventIdGenerator {
    /** How far ids may run ahead of the clock where nothing else is said. */
    public static final Duration AHEAD_MAX = Duration.ofSeconds(1);

    private final long serverHigh;
    private final long serverLow;
    private final int process;
    private final IntervalClock clock;
    private final long aheadMicrosMax;
    private final AtomicLong last;

    /**
     * @param server this machine's address, the same for as long as its logs are read; IPv4 is
     *     mapped into IPv6
     * @param process id of the logging process, unique on the machine among those that live; read
     *     as unsigned, and not 0xFFFFFFFE or 0xFFFFFFFF, which are reserved
     * @param clock only read; may jump
     * @param notBeforeMicros no id has a timestamp below, microseconds since 1970 UTC; 0 where no
     *     earlier life used this server and process id
     * @param aheadMax how far ids may run ahead of the clock
     * @throws photon.core.error.BugException if one of them cannot be used
     */
    public EventIdGenerator(
            InetAddress server,
            int process,
            IntervalClock clock,
            long notBeforeMicros,
            Duration aheadMax) {
        check(
                process != EventId.USER_PROCESS && process != EventId.UPGRADE_PROCESS,
                "Expected a process id other than 4294967294 and 4294967295, which are reserved");
        check(
                notBeforeMicros >= 0,
                "Expected notBefore from 1970 on, but got %s microseconds",
                notBeforeMicros);
        check(
                !aheadMax.isNegative(),
                "Expected a bound from 0 on for ids ahead of the clock, but got %s",
                aheadMax);
        ByteBuffer address = ByteBuffer.wrap(sixteenBytes(server.getAddress()));
        this.serverHigh = address.getLong();
        this.serverLow = address.getLong();
        this.process = process;
        this.clock = clock;
        this.aheadMicrosMax = TimeUnit.NANOSECONDS.toMicros(aheadMax.toNanos());
        this.last = new AtomicLong(notBeforeMicros - 1);
    }

    /**
     * As the full constructor, with {@link #AHEAD_MAX}.
     *
     * @see #EventIdGenerator(InetAddress, int, IntervalClock, long, Duration)
     */
    public EventIdGenerator(
            InetAddress server, int process, IntervalClock clock, long notBeforeMicros) {
        this(server, process, clock, notBeforeMicros, AHEAD_MAX);
    }

    /**
     * The id of an event that happens now.
     *
     * @throws IdsAheadOfClockException if it would be too far ahead of the clock; no id is used up
     */
    public EventId next() throws IdsAheadOfClockException {
        return id(nextMicros());
    }

    /**
     * The timestamp of {@link #next()} alone: the rest of an id is the same for all of this
     * process.
     *
     * @throws IdsAheadOfClockException as {@link #next()} does
     */
    public long nextMicros() throws IdsAheadOfClockException {
        IntervalClock.Interval interval = clock.now();
        long now =
                interval.earliestMicros()
                        + (interval.latestMicros() - interval.earliestMicros()) / 2;
        while (true) {
            long before = last.get();
            long next = Math.max(before + 1, now);
            long tooFar = next - now - aheadMicrosMax;
            if (tooFar > 0) {
                throw new IdsAheadOfClockException(tooFar, aheadMicrosMax);
            }
            if (last.compareAndSet(before, next)) {
                return next;
            }
        }
    }

    /** The id of this process with a timestamp that {@link #nextMicros()} gave. */
    public EventId id(long micros) {
        return new EventId(micros, serverHigh, serverLow, process);
    }

    /**
     * No id with a higher timestamp has been given; before the first, one below {@code notBefore}.
     */
    public long lastMicros() {
        return last.get();
    }

    private static byte[] sixteenBytes(byte[] address) {
        if (address.length == 16) {
            return address;
        }
        byte[] mapped = new byte[16];
        mapped[10] = (byte) 0xFF;
        mapped[11] = (byte) 0xFF;
        System.arraycopy(address, 0, mapped, 12, 4);
        return mapped;
    }
}

package photon.demo.generate.model;

import static photon.core.error.Checks.check;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import photon.core.id.EventId;
import photon.core.id.EventIdGenerator;
import photon.core.id.IdsAheadOfClockException;
import photon.core.time.IntervalClock.Interval;

/** A process that writes a log, under a clock of its own that is wrong by a fixed offset. */
public final class LoggingProcess {
    /** Two processes share a machine. */
    private static final int PER_SERVER = 2;

    /** Every so many machines one has an IPv6 address. */
    private static final int IPV6_EVERY = 4;

    private static final Duration AHEAD_MAX = Duration.ofHours(1);

    private final InetAddress server;
    private final int process;
    private final long offsetMicros;
    private final EventIdGenerator ids;
    private long nowMicros;

    LoggingProcess(LogStream stream, int index, long offsetMicros) {
        this.server = address(stream, index / PER_SERVER);
        this.process = 4_000 + 37 * index + stream.index();
        this.offsetMicros = offsetMicros;
        this.ids =
                new EventIdGenerator(
                        server, process, () -> new Interval(nowMicros, nowMicros), 0, AHEAD_MAX);
    }

    /** Timestamp of a new id. */
    long micros(long trueMicros) {
        nowMicros = trueMicros + offsetMicros;
        try {
            return ids.nextMicros();
        } catch (IdsAheadOfClockException e) {
            throw new IllegalStateException("The rates of a load are bounded to prevent this", e);
        }
    }

    /** The whole id. */
    public EventId id(long micros) {
        return ids.id(micros);
    }

    /** As logs write it. */
    public String serverText() {
        return server.getHostAddress();
    }

    /** As logs write it. */
    public String processText() {
        return Integer.toUnsignedString(process);
    }

    private static InetAddress address(LogStream stream, int machine) {
        byte network = (byte) (stream.index() + 1);
        byte high = (byte) (machine >>> 8);
        byte low = (byte) (machine + 1);
        byte[] address =
                machine % IPV6_EVERY == IPV6_EVERY - 1
                        ? new byte[] {
                            0x20,
                            0x01,
                            0x0d,
                            (byte) 0xb8,
                            0,
                            network,
                            0,
                            0,
                            0,
                            0,
                            0,
                            0,
                            0,
                            0,
                            high,
                            low
                        }
                        : new byte[] {10, network, high, low};
        try {
            return InetAddress.getByAddress(address);
        } catch (UnknownHostException e) {
            throw new IllegalStateException("4 or 16 bytes are always an address", e);
        }
    }

    static LoggingProcess[] of(LogStream stream, int count, Duration offsetMax, Dice dice) {
        check(count > 0, "Expected processes, but got %s", count);
        LoggingProcess[] processes = new LoggingProcess[count];
        double max = offsetMax.toNanos() / 1e3;
        for (int i = 0; i < count; i++) {
            processes[i] = new LoggingProcess(stream, i, (long) ((2 * dice.unit() - 1) * max));
        }
        return processes;
    }
}

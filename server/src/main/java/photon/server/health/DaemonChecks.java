package photon.server.health;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongConsumer;
import photon.core.loop.LoopProbe;

/**
 * What is looked at in a daemon that serves.
 *
 * @param asks called about once a second with the time, in the monitor's loop; quick
 * @param ready whether its work gets through
 * @param live whether it should go on
 */
public record DaemonChecks(List<LongConsumer> asks, List<Check> ready, List<Check> live) {
    public DaemonChecks {
        asks = List.copyOf(asks);
        ready = List.copyOf(ready);
        live = List.copyOf(live);
    }

    /** Of a daemon before it serves. */
    static final DaemonChecks NONE = new DaemonChecks(List.of(), List.of(), List.of());

    /**
     * Whether its work gets through, and whether its loops run.
     *
     * @param loops all that would end its work if they stood still
     */
    public static DaemonChecks of(List<Check> work, List<LoopProbe<?>> loops) {
        return of(List.of(), work, loops);
    }

    /**
     * The same, with loops that only wait for a disk: while they stand still nothing gets through,
     * but a start anew makes no disk quicker.
     */
    public DaemonChecks withReaders(List<? extends LoopProbe<?>> readers, String consequence) {
        List<LongConsumer> allAsks = new ArrayList<>(asks);
        List<Check> allReady = new ArrayList<>(ready);
        for (LoopProbe<?> reader : readers) {
            allAsks.add(reader::ask);
            allReady.add(Conditions.loopRuns(reader, Conditions.BUSY_MAX, consequence));
        }
        return new DaemonChecks(allAsks, allReady, live);
    }

    static DaemonChecks of(List<LongConsumer> asks, List<Check> work, List<LoopProbe<?>> loops) {
        List<LongConsumer> allAsks = new ArrayList<>(asks);
        List<Check> ready = new ArrayList<>(work);
        List<Check> live = new ArrayList<>();
        for (LoopProbe<?> loop : loops) {
            allAsks.add(loop::ask);
            ready.add(runs(loop, Conditions.BUSY_MAX));
            live.add(runs(loop, Conditions.STUCK_AFTER));
        }
        return new DaemonChecks(allAsks, ready, live);
    }

    private static Check runs(LoopProbe<?> loop, Duration max) {
        return Conditions.loopRuns(loop, max, "what this loop owns stands still");
    }
}

package photon.demo.chaos;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/**
 * What happens when, from a seed: at first each fault once, then again and again as often as its
 * weight says, each time in another order. One may begin before another is undone. Pure: the same
 * seed gives the same schedule.
 */
final class FaultSchedule {
    private static final int PAUSE_MILLIS_MIN = 2_000;
    private static final int PAUSE_MILLIS_MAX = 8_000;

    /** Each fault happens in a short run, too, if it leaves this much for each. */
    private static final int PAUSE_MILLIS_LEAST = 200;

    private FaultSchedule() {}

    /**
     * One thing that is to happen.
     *
     * @param atMillis since the load began
     * @param pick from 0 on: chooses among the datacenters and processes that there are then
     * @param hold until it is undone
     */
    record Planned(long atMillis, PipelineFault fault, int pick, Duration hold) {}

    /**
     * @param firstMillis nothing happens before
     * @param endMillis everything is undone by then
     * @param faults of which it consists; at least one
     * @return in order of time
     */
    static List<Planned> of(
            long seed, long firstMillis, long endMillis, List<PipelineFault> faults) {
        Random random = new Random(seed);
        List<PipelineFault> due = new ArrayList<>(faults);
        Collections.shuffle(due, random);
        // In a short run each still happens once.
        long most = Math.min(PAUSE_MILLIS_MAX, (endMillis - firstMillis) / (faults.size() + 1));
        long least = Math.max(PAUSE_MILLIS_LEAST, Math.min(PAUSE_MILLIS_MIN, most / 2));
        List<Planned> planned = new ArrayList<>();
        long at = firstMillis;
        while (true) {
            if (due.isEmpty()) {
                faults.forEach(fault -> due.addAll(Collections.nCopies(fault.weight(), fault)));
                Collections.shuffle(due, random);
            }
            at += between(random, least, Math.max(most, least + 1));
            if (at >= endMillis) {
                return planned;
            }
            PipelineFault fault = due.remove(0);
            long hold = between(random, fault.holdMin().toMillis(), fault.holdMax().toMillis());
            planned.add(
                    new Planned(
                            at,
                            fault,
                            random.nextInt(1 << 20),
                            Duration.ofMillis(Math.min(hold, endMillis - at))));
        }
    }

    private static long between(Random random, long from, long to) {
        return from + (long) (random.nextDouble() * (to - from));
    }
}

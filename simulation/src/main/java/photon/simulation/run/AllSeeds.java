package photon.simulation.run;

import static photon.core.error.Checks.check;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Runs many seeds side by side, each world on one thread, and sums them up. The only place of this
 * module that starts threads.
 */
public final class AllSeeds {
    /** The last seed that may be asked for: counting beyond the end cannot overflow. */
    public static final long SEED_MAX = Long.MAX_VALUE / 2;

    /** Tasks that block are nested in each other, so a world needs more stack than most. */
    private static final long STACK_BYTES = 64L << 20;

    private static final long LOOK_EVERY_NANOS = 1_000_000_000L;

    private final SeedRun seedRun;
    private final LongSupplier nanoTime;
    private final Watcher watcher;

    /**
     * @param from the first seed
     * @param count how many, from there on
     * @param threads worlds side by side
     * @param failuresMax after so many failing seeds no new one is begun
     * @param faultKinds every kind of fault that a long run must have had
     */
    public record Settings(
            long from, long count, int threads, long failuresMax, List<String> faultKinds) {
        public Settings {
            check(from >= 0, "Expected a first seed of 0 or more, but got %s", from);
            check(count > 0, "Expected at least one seed, but got %s", count);
            check(from <= SEED_MAX - count, "Expected seeds up to %s, but got %s", SEED_MAX, from);
            check(threads > 0, "Expected at least one thread, but got %s", threads);
            check(failuresMax > 0, "Expected to stop at 1 failure or more, not %s", failuresMax);
            faultKinds = List.copyOf(faultKinds);
        }
    }

    /** Told how the run goes, on the thread that runs it; shows it to somebody. */
    public interface Watcher {
        Watcher NONE = new Watcher() {};

        /** Called about once a second and at each seed's end. */
        default void goesOn(long seedsRun, long seedsFailed) {}

        /** A seed has failed: it is shown at once, as a run may be long. */
        default void failed(SeedResult seed) {}

        /** A world has not ended for long, and may never; called each time it has doubled. */
        default void slow(long seed, Duration wallTime) {}
    }

    /**
     * @param nanoTime wall time, for rates
     */
    public AllSeeds(SeedRun seedRun, LongSupplier nanoTime, Watcher watcher) {
        this.seedRun = new SafeSeedRun(seedRun);
        this.nanoTime = nanoTime;
        this.watcher = watcher;
    }

    /** The same, but whatever a world throws is a violation in the result. */
    public static SeedRun safe(SeedRun seedRun) {
        return new SafeSeedRun(seedRun);
    }

    /**
     * Returns when all seeds have ended, or those under way when too many had failed.
     *
     * @throws InterruptedException the worlds under way are left to end by themselves
     */
    public RunSummary run(Settings settings) throws InterruptedException {
        long start = nanoTime.getAsLong();
        Workers workers = new Workers(settings);
        RunTotals totals = new RunTotals(settings);
        try {
            for (int running = workers.start(); running > 0; ) {
                Ended ended = workers.ended.poll(LOOK_EVERY_NANOS, TimeUnit.NANOSECONDS);
                if (ended != null && ended.result == null) {
                    running--;
                } else if (ended != null && ended.result != null) {
                    totals.add(ended.result, ended.twice);
                    if (!ended.result.passed()) {
                        watcher.failed(ended.result);
                    }
                    if (totals.failed() >= settings.failuresMax) {
                        workers.beginNoMore();
                    }
                }
                watcher.goesOn(totals.run(), totals.failed());
                workers.tellSlow();
            }
        } finally {
            workers.beginNoMore();
        }
        return totals.summary(nanoTime.getAsLong() - start);
    }

    /**
     * @param result null: this worker has ended
     */
    private record Ended(@Nullable SeedResult result, boolean twice) {}

    private final class Workers {
        private final Settings settings;
        private final SecondRun secondRun;
        private final SeedRun safe;
        private final AtomicLong next;
        private final BlockingQueue<Ended> ended;
        private final List<SlowSeeds> underWay = new ArrayList<>();

        Workers(Settings settings) {
            this.settings = settings;
            this.secondRun = new SecondRun(seedRun, settings.from(), settings.count());
            this.safe = new SafeSeedRun(secondRun);
            this.next = new AtomicLong(settings.from());
            this.ended = new ArrayBlockingQueue<>(2 * settings.threads());
        }

        int start() {
            int count = (int) Math.min(settings.threads(), settings.count());
            for (int i = 0; i < count; i++) {
                SlowSeeds mine = new SlowSeeds(nanoTime);
                underWay.add(mine);
                Thread thread = new Thread(null, () -> work(mine), "simulation-" + i, STACK_BYTES);
                thread.setDaemon(true);
                thread.start();
            }
            return count;
        }

        private void work(SlowSeeds mine) {
            try {
                long end = settings.from() + settings.count();
                for (long seed = next.getAndIncrement();
                        seed < end;
                        seed = next.getAndIncrement()) {
                    mine.begins(seed);
                    SeedResult result = safe.run(seed, false);
                    mine.ends();
                    ended.put(new Ended(result, secondRun.chosen(seed)));
                }
                ended.put(new Ended(null, false));
            } catch (InterruptedException e) {
                throw new IllegalStateException("Nobody interrupts a worker", e);
            }
        }

        /** Those under way end. */
        void beginNoMore() {
            next.set(settings.from() + settings.count());
        }

        void tellSlow() {
            underWay.forEach(worker -> worker.tell(watcher));
        }
    }
}

package photon.bench.registry;

import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import photon.core.id.CommitToken;
import photon.registry.api.IdBatch;
import photon.registry.api.IdRegistry;
import photon.registry.api.LookupAnswers;
import photon.registry.api.RegistryClient.Found;

/**
 * Local lookups over one connection, until stopped. Every answer is judged, so nobody may commit
 * meanwhile. Thread-safe.
 */
final class LookupLoad {
    /** In a closed loop. */
    private static final int CALLS_OUTSTANDING = 4;

    private static final int CALLS_OUTSTANDING_MAX = 64;
    private static final long PACE_MICROS = 1_000;
    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    private final IdRegistry registry;
    private final Questions questions;
    private final Referee referee;
    private final OptionalLong rate;
    private final LongAdder answered = new LongAdder();
    private final CompletableFuture<Boolean> ended = new CompletableFuture<>();
    private @Nullable ScheduledExecutorService pacer;
    private @Nullable Latencies latencies;
    private boolean stopping;
    private int callsOutstanding;
    private long beganNanos;
    private long callsDue;

    /**
     * What is asked: half of the ids are held, and half of these are old, if there are any; those
     * that are not held are as old.
     *
     * @param batch ids a lookup
     * @param oldEnd numbers below this are old
     * @param end numbers below this, which were not left, are held
     */
    record Questions(BenchIds ids, int batch, long oldEnd, long end, RandomGenerator random) {
        long[] numbers() {
            long[] numbers = new long[batch];
            for (int i = 0; i < batch; i++) {
                numbers[i] = number(i / 2);
            }
            return numbers;
        }

        private long number(int turn) {
            boolean anyRecent = end > oldEnd;
            boolean old = oldEnd > 0 && (!anyRecent || (turn & 1) == 1);
            while (true) {
                long number = old ? random.nextLong(oldEnd) : random.nextLong(oldEnd, end);
                if (ids.isUsed(number)) {
                    return number;
                }
            }
        }

        IdBatch ask(long[] numbers) {
            IdBatch.Builder asked = IdBatch.builder(numbers.length);
            for (int i = 0; i < numbers.length; i++) {
                ids.addId(numbers[i], isHeld(i), asked);
            }
            return asked.build();
        }

        /** Odd places are held. */
        static boolean isHeld(int place) {
            return (place & 1) == 1;
        }

        void judge(long[] numbers, LookupAnswers answers, Referee referee) {
            for (int i = 0; i < numbers.length; i++) {
                Found.State state = answers.state(i);
                CommitToken holder = answers.holder(i);
                boolean right =
                        isHeld(i)
                                ? state == Found.State.HELD
                                        && holder != null
                                        && ids.mayHold(holder, numbers[i])
                                : state == Found.State.ABSENT;
                if (!right) {
                    referee.wrong(
                            "%s is %s, but a lookup found %s %s"
                                    .formatted(
                                            isHeld(i) ? ids.id(numbers[i]) : ids.absent(numbers[i]),
                                            isHeld(i) ? "held" : "not held",
                                            state,
                                            holder));
                }
            }
        }
    }

    /**
     * @param rate ids a second; empty: closed loop
     */
    LookupLoad(IdRegistry registry, Questions questions, Referee referee, OptionalLong rate) {
        this.registry = registry;
        this.questions = questions;
        this.referee = referee;
        this.rate = rate;
    }

    synchronized void start() {
        beganNanos = System.nanoTime();
        if (rate.isPresent()) {
            pacer =
                    Executors.newSingleThreadScheduledExecutor(
                            task -> {
                                Thread thread = new Thread(task, "lookup-pace");
                                thread.setDaemon(true);
                                return thread;
                            });
            pacer.scheduleAtFixedRate(this::pace, 0, PACE_MICROS, TimeUnit.MICROSECONDS);
        } else {
            for (int i = 0; i < CALLS_OUTSTANDING; i++) {
                call(beganNanos);
            }
        }
    }

    /** From now on, how long calls take is recorded here. */
    synchronized void measure(Latencies into) {
        latencies = into;
    }

    /** Ids that were answered so far. */
    long answered() {
        return answered.sum();
    }

    synchronized void stop() {
        stopping = true;
        if (pacer != null) {
            pacer.shutdown();
        }
        endIfDone();
    }

    /** Completed when it was stopped and every answer has come. */
    CompletableFuture<Boolean> ended() {
        return ended;
    }

    private void endIfDone() {
        if (stopping && callsOutstanding == 0) {
            ended.complete(true);
        }
    }

    private synchronized void pace() {
        long now = System.nanoTime();
        while (!stopping && callsOutstanding < CALLS_OUTSTANDING_MAX) {
            double lookupsASecond = (double) rate.orElseThrow() / questions.batch();
            long due = beganNanos + (long) (callsDue / lookupsASecond * 1e9);
            if (due - now > 0) {
                return;
            }
            callsDue++;
            call(due);
        }
    }

    private void call(long startNanos) {
        long[] numbers = questions.numbers();
        callsOutstanding++;
        registry.lookup(questions.ask(numbers), IdRegistry.Freshness.LOCAL, TIMEOUT)
                .whenComplete((found, failure) -> answered(startNanos, numbers, found, failure));
    }

    private synchronized void answered(
            long startNanos,
            long[] numbers,
            @Nullable LookupAnswers found,
            @Nullable Throwable failure) {
        callsOutstanding--;
        long now = System.nanoTime();
        if (found == null) {
            referee.wrong("a lookup failed: " + failure);
        } else {
            questions.judge(numbers, found, referee);
            answered.add(numbers.length);
            if (latencies != null) {
                latencies.record(startNanos, now);
            }
        }
        if (!stopping && rate.isEmpty()) {
            call(now);
        }
        endIfDone();
    }
}

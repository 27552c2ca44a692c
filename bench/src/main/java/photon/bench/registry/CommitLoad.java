package photon.bench.registry;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import photon.registry.api.CommitBatch;
import photon.registry.api.CommitOutcome;
import photon.registry.api.CommitOutcomes;
import photon.registry.api.IdRegistry;

/**
 * The callers of one connection, who commit until they are stopped. They live in the client's
 * thread, where answers come, and in an open loop in a thread that keeps the pace. Thread-safe.
 */
final class CommitLoad {
    /** In an open loop. What is due and does not fit waits, and its time runs. */
    private static final int IDS_OUTSTANDING_MAX = 1 << 20;

    private static final long PACE_MICROS = 1_000;
    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    private static final ThreadFactory DAEMONS =
            task -> {
                Thread thread = new Thread(task, "load-pace");
                thread.setDaemon(true);
                return thread;
            };

    private final IdRegistry registry;
    private final BenchIds ids;
    private final Referee referee;
    private final Shape shape;
    private final Attempts attempts;
    private final List<Attempts.Caller> callers = new ArrayList<>();
    private final CompletableFuture<Boolean> ended = new CompletableFuture<>();
    private @Nullable ScheduledExecutorService pacer;
    private @Nullable Latencies latencies;
    private boolean stopping;
    private int callsOutstanding;
    private long beganNanos;
    private long callsDue;
    private int turn;

    /**
     * What the callers of one connection do.
     *
     * @param rate ids a second of this connection, in an open loop; empty: closed loop
     */
    record Shape(int callers, int inFlight, int batch, OptionalLong rate) {}

    CommitLoad(IdRegistry registry, BenchIds ids, Referee referee, Shape shape, Attempts attempts) {
        this.registry = registry;
        this.ids = ids;
        this.referee = referee;
        this.shape = shape;
        this.attempts = attempts;
        for (int i = 0; i < shape.callers(); i++) {
            callers.add(new Attempts.Caller());
        }
    }

    synchronized void start() {
        beganNanos = System.nanoTime();
        if (shape.rate().isPresent()) {
            pacer = Executors.newSingleThreadScheduledExecutor(DAEMONS);
            pacer.scheduleAtFixedRate(this::pace, 0, PACE_MICROS, TimeUnit.MICROSECONDS);
        } else {
            for (int i = 0; i < shape.inFlight(); i++) {
                callers.forEach(caller -> call(caller, beganNanos));
            }
            endIfDone();
        }
    }

    /** From now on, how long calls take is recorded here. */
    synchronized void measure(Latencies into) {
        latencies = into;
    }

    /** No new ids. */
    synchronized void stop() {
        stopping = true;
        attempts.noNewIds();
        if (pacer != null) {
            pacer.shutdown();
        }
        endIfDone();
    }

    /** Completed when it was stopped, or has done all its ids, and every answer has come. */
    CompletableFuture<Boolean> ended() {
        return ended;
    }

    private synchronized void pace() {
        long now = System.nanoTime();
        while (!stopping && (long) callsOutstanding * shape.batch() < IDS_OUTSTANDING_MAX) {
            long due = dueNanos(callsDue);
            if (due - now > 0) {
                return;
            }
            callsDue++;
            call(callers.get(turn), due);
            turn = (turn + 1) % callers.size();
        }
    }

    /** From the start, and not from the call before: no rounding adds up. */
    private long dueNanos(long call) {
        double idsASecond = shape.rate().orElseThrow();
        return beganNanos + (long) (call * (double) shape.batch() / idsASecond * 1e9);
    }

    private void call(Attempts.Caller caller, long startNanos) {
        long[] batch = attempts.next(caller, shape.batch());
        if (batch.length == 0) {
            return;
        }
        callsOutstanding++;
        if (batch.length == 1) {
            registry.commit(ids.id(batch[0] >>> 1), ids.token(batch[0]), TIMEOUT)
                    .thenAccept(outcome -> answered(caller, startNanos, batch[0], outcome));
        } else {
            CommitBatch.Builder packed = CommitBatch.builder(batch.length);
            for (long attempt : batch) {
                ids.add(attempt, packed);
            }
            registry.commit(packed.build(), TIMEOUT)
                    .thenAccept(outcomes -> answered(caller, startNanos, batch, outcomes));
        }
    }

    private synchronized void answered(
            Attempts.Caller caller, long startNanos, long attempt, CommitOutcome outcome) {
        if (outcome.isAccepted()) {
            referee.accepted(1);
        }
        judge(attempt, outcome);
        answered(caller, startNanos);
    }

    private synchronized void answered(
            Attempts.Caller caller, long startNanos, long[] batch, CommitOutcomes outcomes) {
        referee.accepted(outcomes.accepted());
        for (int i = 0; i < batch.length; i++) {
            // Most are accepted and not contested: nothing is left to say of those.
            if (!outcomes.isAccepted(i) || ids.isContested(batch[i] >>> 1)) {
                judge(batch[i], outcomes.get(i));
            }
        }
        answered(caller, startNanos);
    }

    private void judge(long attempt, CommitOutcome outcome) {
        if (outcome instanceof CommitOutcome.Decided decided) {
            referee.judge(attempt, decided);
        } else {
            attempts.again(attempt);
        }
    }

    private void answered(Attempts.Caller caller, long startNanos) {
        long now = System.nanoTime();
        if (latencies != null) {
            latencies.record(startNanos, now);
        }
        callsOutstanding--;
        if (shape.rate().isEmpty()) {
            call(caller, now);
        }
        endIfDone();
    }

    private void endIfDone() {
        while (callsOutstanding == 0 && attempts.areLeft()) {
            // Whoever comes last takes what nobody else will: a rival's part, a doubtful one.
            call(new Attempts.Caller(), System.nanoTime());
        }
        if (callsOutstanding == 0 && attempts.areDone() && !ended.isDone()) {
            callers.forEach(attempts::leave);
            ended.complete(true);
        }
    }
}

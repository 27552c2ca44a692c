package photon.testbed.chaos;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Carries one category's schedule out, one thing after another, in a thread of its own. */
final class ScheduleRunner implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ScheduleRunner.class);
    private static final long ENDED_WITHIN_MILLIS = 5_000;

    private final Schedule schedule;
    private final Map<ActionKind, ChaosAction> actions;
    private final OptionalInt count;
    private final Consumer<ActionRecord> told;
    private final ExecutorService thread;
    private final long deadlineNanos;
    private volatile @Nullable Throwable failure;

    /**
     * @param deadlineNanos nothing begins after it
     * @param count so many things, at the most
     * @param told of all that has happened, in this category's thread
     */
    ScheduleRunner(
            String name,
            Schedule schedule,
            Map<ActionKind, ChaosAction> actions,
            long deadlineNanos,
            OptionalInt count,
            Consumer<ActionRecord> told) {
        this.schedule = schedule;
        this.actions = actions;
        this.deadlineNanos = deadlineNanos;
        this.count = count;
        this.told = told;
        this.thread =
                Executors.newSingleThreadExecutor(
                        task -> {
                            Thread made = new Thread(task, name);
                            made.setDaemon(true);
                            return made;
                        });
    }

    void start() {
        thread.execute(this::run);
        thread.shutdown();
    }

    boolean isDone() {
        return thread.isTerminated();
    }

    /** Why it has ended early; null: it has not. */
    @Nullable Throwable failure() {
        return failure;
    }

    private void run() {
        try {
            for (int i = 0; i < count.orElse(Integer.MAX_VALUE); i++) {
                Schedule.Planned planned = schedule.next();
                Thread.sleep(planned.pause().toMillis());
                if (System.nanoTime() - deadlineNanos >= 0) {
                    return;
                }
                carryOut(planned);
            }
        } catch (InterruptedException e) {
            // The run is over.
        } catch (IOException | RuntimeException e) {
            failure = e;
        }
    }

    private void carryOut(Schedule.Planned planned) throws IOException, InterruptedException {
        ChaosAction action = actions.get(planned.kind());
        if (action == null) {
            throw new IllegalStateException("Expected somebody to do " + planned.kind());
        }
        Clock clock = new Clock();
        String outcome = "failed";
        try {
            outcome = action.carryOut(planned, clock);
        } finally {
            told.accept(
                    new ActionRecord(
                            planned.kind(),
                            clock.start,
                            clock.undone == 0 ? System.nanoTime() : clock.undone,
                            System.nanoTime(),
                            outcome,
                            clock.what));
        }
    }

    private static final class Clock implements ChaosAction.Moment {
        private final long start = System.nanoTime();
        private long undone;
        private String what = "";

        @Override
        public void undone() {
            undone = System.nanoTime();
        }

        @Override
        public void tell(String text) {
            what = text;
        }
    }

    /** Whatever it is at is left as it is. */
    @Override
    public void close() {
        thread.shutdownNow();
        try {
            if (!thread.awaitTermination(ENDED_WITHIN_MILLIS, TimeUnit.MILLISECONDS)) {
                LOG.warn("A category does not end");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** The failures of runners. */
    static List<Throwable> failures(List<ScheduleRunner> runners) {
        return runners.stream().map(ScheduleRunner::failure).filter(Objects::nonNull).toList();
    }
}

package photon.joiner.output;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;
import photon.core.crash.CrashPoint;
import photon.core.crash.CrashPoints;
import photon.core.loop.EventLoop;
import photon.storage.output.WorkDirectory.WorkLog;
import photon.storage.output.WorkRecord;

/**
 * Appends one incarnation's accepted events to its open work log, flushes once for all that is
 * waiting, and publishes logs that are old or large enough.
 *
 * <p>Called in the main loop, works in the output loop, and tells its listener in the main loop. Of
 * a failure it tells once; after that, or after {@link #end}, it writes and publishes nothing: what
 * stands in the work directory is the repair's.
 */
public final class OutputWriter {
    private final EventLoop main;
    private final EventLoop output;
    private final JoinerWorkArea.Work work;
    private final Rolling rolling;
    private final DurableDelay delays;
    private final CrashPoints crashPoints;
    private final Listener listener;
    // Set in the main loop, read in the output loop: a fenced joiner stops at the next batch, not
    // behind all that is queued.
    private final AtomicBoolean ended = new AtomicBoolean();

    // Owned by the output loop.
    private final ArrayDeque<Batch> pending = new ArrayDeque<>();
    private boolean drainScheduled;
    private @Nullable WorkLog log;
    private EventLoop.@Nullable Cancellable rollTimer;

    public OutputWriter(
            EventLoop main,
            EventLoop output,
            JoinerWorkArea.Work work,
            Rolling rolling,
            DurableDelay delays,
            CrashPoints crashPoints,
            Listener listener) {
        this.main = main;
        this.output = output;
        this.work = work;
        this.rolling = rolling;
        this.delays = delays;
        this.crashPoints = crashPoints;
        this.listener = listener;
    }

    /**
     * @param publishEvery a log older than this is published
     * @param publishBytes a log larger than this is published
     */
    public record Rolling(Durability durability, Duration publishEvery, long publishBytes) {}

    /** Hears of the output, in the main loop. */
    public interface Listener {
        void published(int records);

        /** Something could not be written: the incarnation must end. The last call. */
        void failed(IOException why);
    }

    /**
     * Writes records, in order.
     *
     * @param flushed run in the main loop when they are flushed
     */
    public void write(List<WorkRecord> records, Runnable flushed) {
        Batch batch = new Batch(records, flushed);
        output.execute(
                () -> {
                    pending.add(batch);
                    if (!drainScheduled) {
                        // Behind all batches that wait in the loop already: one flush for them all.
                        drainScheduled = true;
                        output.execute(this::drain);
                    }
                });
    }

    /**
     * Publishes what is not yet published.
     *
     * @param done run in the main loop afterwards; not if that fails
     */
    public void publishAll(Runnable done) {
        output.execute(
                () ->
                        guarded(
                                () -> {
                                    writePending();
                                    roll();
                                    main.execute(done);
                                }));
    }

    /** Nothing is written or published from now on but what is being written at this moment. */
    public void end() {
        ended.set(true);
        output.execute(
                () -> {
                    giveUp();
                });
    }

    private void drain() {
        drainScheduled = false;
        guarded(
                () -> {
                    writePending();
                    WorkLog open = log;
                    if (open != null && open.bytes() >= rolling.publishBytes()) {
                        roll();
                    }
                });
    }

    private void writePending() throws IOException {
        if (pending.isEmpty()) {
            return;
        }
        crashPoints.passed(CrashPoint.COMMIT_ACCEPTED);
        WorkLog open = openLog();
        for (Batch batch : pending) {
            for (WorkRecord record : batch.records()) {
                open.append(record);
            }
        }
        crashPoints.passed(CrashPoint.WORK_LOG_WRITTEN);
        switch (rolling.durability()) {
            case SYNCED -> open.sync();
            case FLUSHED -> open.flush();
        }
        crashPoints.passed(CrashPoint.WORK_LOG_FLUSHED);
        List<Batch> flushed = List.copyOf(pending);
        pending.clear();
        long nowMicros = delays.nowMicros();
        flushed.forEach(batch -> delays.flushed(batch.records(), nowMicros));
        main.execute(() -> flushed.forEach(batch -> batch.flushed().run()));
    }

    private WorkLog openLog() throws IOException {
        WorkLog open = log;
        if (open == null) {
            WorkLog created = work.createLog();
            log = created;
            rollTimer = output.schedule(rolling.publishEvery(), () -> rollIfOpen(created));
            open = created;
        }
        return open;
    }

    private void rollIfOpen(WorkLog old) {
        guarded(
                () -> {
                    if (log == old) {
                        roll();
                    }
                });
    }

    private void roll() throws IOException {
        cancelRollTimer();
        WorkLog finished = log;
        if (finished == null) {
            return;
        }
        finished.finish();
        log = null;
        int records = finished.records();
        work.publish(finished);
        main.execute(() -> listener.published(records));
    }

    private void giveUp() {
        cancelRollTimer();
        pending.clear();
        WorkLog left = log;
        log = null;
        if (left != null) {
            try {
                left.close();
            } catch (IOException e) {
                // Nothing more is expected of it: whole records in it are the sealer's to publish.
                LoggerFactory.getLogger(OutputWriter.class).debug("Work log not closed", e);
            }
        }
    }

    private void cancelRollTimer() {
        if (rollTimer != null) {
            rollTimer.cancel();
            rollTimer = null;
        }
    }

    private void guarded(FileWork step) {
        if (ended.get()) {
            return;
        }
        try {
            step.run();
        } catch (IOException e) {
            // Never tried again: what a failed flush has left on the disk is anyone's guess.
            if (ended.compareAndSet(false, true)) {
                giveUp();
                main.execute(() -> listener.failed(e));
            }
        }
    }

    private record Batch(List<WorkRecord> records, Runnable flushed) {}

    @FunctionalInterface
    private interface FileWork {
        void run() throws IOException;
    }
}

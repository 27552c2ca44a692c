package photon.dispatcher.flow;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import photon.core.event.LogEvent;
import photon.core.metrics.StageDelays;
import photon.core.trace.AttemptTracer;
import photon.core.trace.TracedAttempt;
import photon.dispatcher.rules.OffsetTracker;
import photon.dispatcher.rules.RetryPolicy;
import photon.dispatcher.state.DispatchStage;
import photon.storage.journal.JournalRow;
import photon.storage.journal.OpenJournal;
import photon.storage.tail.TailBatch;

/** An event on its way: read from a log, or taken from the retry journal. */
final class PendingEvent {
    final LogEvent event;

    /** Where it stands in its file; null if it comes from the journal. */
    final OffsetTracker.@Nullable ReadRange range;

    /** The row that it comes from; null if it comes from a log. */
    final OpenJournal.@Nullable Taken taken;

    final String path;
    final long offset;
    final long insertedMillis;
    final int attempts;
    boolean attemptOpen;
    int resends;

    /** The registry's replica says that it is joined without its primary event. */
    boolean joinedWithout;

    /** It was read of a file with a backlog, beside others that are read live. */
    boolean ofBacklog;

    /** When it came to which stage: these measure, and decide nothing. */
    private long readDelayMicros;

    private long readNanos;
    private long admittedNanos;
    private long lookedUpNanos;

    private PendingEvent(
            LogEvent event,
            OffsetTracker.@Nullable ReadRange range,
            OpenJournal.@Nullable Taken taken,
            String path,
            long offset,
            long insertedMillis,
            int attempts,
            boolean attemptOpen) {
        this.event = event;
        this.range = range;
        this.taken = taken;
        this.path = path;
        this.offset = offset;
        this.insertedMillis = insertedMillis;
        this.attempts = attempts;
        this.attemptOpen = attemptOpen;
    }

    static PendingEvent read(
            TailBatch.Item item, LogEvent event, OffsetTracker.ReadRange range, long nowMillis) {
        return new PendingEvent(
                event, range, null, item.path(), item.offset(), nowMillis, 0, false);
    }

    static PendingEvent taken(OpenJournal.Taken taken) {
        JournalRow row = taken.row();
        return new PendingEvent(
                row.event(),
                null,
                taken,
                "",
                -1,
                row.insertedMillis(),
                row.attempts(),
                row.attemptOpen());
    }

    void read(long delayMicros, long nanoTime) {
        readDelayMicros = delayMicros;
        readNanos = nanoTime;
    }

    /** It comes from the journal, for another try. */
    void takenUp(long nanoTime) {
        readDelayMicros = -1;
        readNanos = nanoTime;
        admittedNanos = nanoTime;
    }

    /** How long after its time it was read from its log; below 0: it was not, now. */
    long readDelayMicros() {
        return readDelayMicros;
    }

    void admitted(long nanoTime) {
        admittedNanos = nanoTime;
    }

    void lookedUp(long nanoTime) {
        lookedUpNanos = nanoTime;
    }

    /** It is joined. Does nothing if it was tried before: it waited for its primary event then. */
    void joined(StageDelays<DispatchStage> delays, long nanoTime) {
        if (range != null && resends == 0) {
            delays.record(DispatchStage.READ, readDelayMicros);
            delays.record(DispatchStage.ADMIT, (admittedNanos - readNanos) / 1_000);
            delays.record(DispatchStage.LOOKUP, (lookedUpNanos - admittedNanos) / 1_000);
            delays.record(DispatchStage.JOIN, (nanoTime - lookedUpNanos) / 1_000);
        }
    }

    /** For traces, of an attempt that began when it was read or taken. */
    AttemptTracer.Attempt traced() {
        return new AttemptTracer.Attempt(
                TracedAttempt.Part.DISPATCH,
                event.id(),
                insertedMillis,
                0,
                taken != null || resends > 0,
                isRepair(),
                readNanos);
    }

    /** What it has passed until now, for traces. */
    List<TracedAttempt.Stage> stages(long nanoTime) {
        List<TracedAttempt.Stage> stages = new ArrayList<>(3);
        if (range != null) {
            stages.add(stage(DispatchStage.ADMIT, admittedNanos - readNanos));
        }
        if (lookedUpNanos == 0) {
            stages.add(stage(DispatchStage.LOOKUP, nanoTime - admittedNanos));
        } else {
            stages.add(stage(DispatchStage.LOOKUP, lookedUpNanos - admittedNanos));
            stages.add(stage(DispatchStage.JOIN, nanoTime - lookedUpNanos));
        }
        return stages;
    }

    private static TracedAttempt.Stage stage(DispatchStage stage, long nanos) {
        return new TracedAttempt.Stage(stage.name().toLowerCase(Locale.ROOT), nanos / 1_000);
    }

    /** It has a lost token: its id is held, and its output was lost. */
    boolean isRepair() {
        return rowKey().lostToken() != null;
    }

    /** It was joined without its primary event: all that is left is to see whether that comes. */
    boolean isWatched() {
        return taken != null && taken.row().isWatched();
    }

    /** At its last try, its primary event had not come, or had not been read. */
    boolean waitedForPrimary() {
        return taken != null
                && (taken.row().reason().equals(RetryPolicy.WAITING)
                        || taken.row().reason().equals(RetryPolicy.EVENT_STORE_BEHIND));
    }

    /** Of its row in the journal, once it has one. */
    JournalRow.Key rowKey() {
        return taken != null ? taken.row().key() : new JournalRow.Key(event.id(), null);
    }

    RetryPolicy.State state() {
        return new RetryPolicy.State(
                event.id(),
                rowKey().lostToken(),
                attemptOpen,
                isWatched(),
                attempts,
                resends,
                insertedMillis);
    }
}

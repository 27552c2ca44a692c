package photon.joiner.incarnation;

import java.time.Duration;
import photon.core.id.Incarnation;
import photon.joiner.task.JoinTask;
import photon.joiner.task.TaskEnd;

/** An incarnation that joins or drains, from when it serves until it is closed or ends. */
final class LiveIncarnation {
    private final String slotName;
    private final JoinTask task;
    private final Renewals renewals;
    private final long sinceNanos;
    private long publishedFiles;

    /**
     * @param sinceNanos when it began to serve, by the main loop's clock
     */
    LiveIncarnation(String slotName, JoinTask task, Renewals renewals, long sinceNanos) {
        this.slotName = slotName;
        this.task = task;
        this.renewals = renewals;
        this.sinceNanos = sinceNanos;
    }

    Incarnation incarnation() {
        return task.incarnation();
    }

    /** Which of the joiner's two slots it has. */
    String slotName() {
        return slotName;
    }

    JoinTask task() {
        return task;
    }

    Duration served(long nowNanos) {
        return Duration.ofNanos(nowNanos - sinceNanos);
    }

    long publishedFiles() {
        return publishedFiles;
    }

    void published() {
        publishedFiles++;
    }

    /** Everything is answered, nothing more is written; whoever owns the task hears of it. */
    void end(TaskEnd end, String reason) {
        task.end(end, reason);
    }

    /** It is closed, or has ended. */
    void stopRenewals() {
        renewals.stop();
    }
}

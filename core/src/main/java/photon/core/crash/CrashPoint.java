package photon.core.crash;

/**
 * Steps between which a crash must lose and double nothing. Each is passed once a batch or file,
 * not once an event.
 */
public enum CrashPoint {
    /** A batch of ids was handed to the registry; no answer yet. */
    COMMIT_SENT,
    /** Accepted by the registry; nothing written yet. */
    COMMIT_ACCEPTED,
    /** Records are in the work log, not flushed. */
    WORK_LOG_WRITTEN,
    /** Records are flushed; the dispatcher has not been answered. */
    WORK_LOG_FLUSHED,
    /** The dispatcher was answered. */
    ANSWERED,
    /** Rows are durable in the retry journal. */
    JOURNAL_WRITTEN,
    /** The dispatcher's checkpoint is durable. */
    CHECKPOINT_WRITTEN,
    /** The published file is written aside and its manifest stands; it has not got its name. */
    PUBLISHING,
    /** An incarnation is fenced and sealed; its repair rows are not all durable. */
    REPAIRING,
    /** A joiner's next incarnation serves; the one before has not drained. */
    ROLLED,
    /** All that an incarnation had is answered and published; it is not closed clean. */
    DRAINED;

    /** The name used in configuration: {@code after-commit-sent} is {@code commit-sent}. */
    public String label() {
        return name().toLowerCase(java.util.Locale.ROOT).replace('_', '-');
    }
}

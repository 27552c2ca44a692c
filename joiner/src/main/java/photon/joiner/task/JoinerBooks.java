package photon.joiner.task;

import photon.joiner.rules.AdmissionControl;
import photon.proto.v1.JoinResult.Status;

/** What a joiner counts, over all its incarnations. Owned by the main loop. */
public final class JoinerBooks {
    private final AdmissionControl admission;
    private final Runnable onChange;
    private long joined;
    private long joinedElsewhere;
    private long wastedAttempts;
    private long unpublishedRecords;

    /**
     * @param onChange run after every change
     */
    public JoinerBooks(AdmissionControl admission, Runnable onChange) {
        this.admission = admission;
        this.onChange = onChange;
    }

    public void changed() {
        onChange.run();
    }

    public AdmissionControl admission() {
        return admission;
    }

    void answered(Status status, int weight) {
        admission.release(weight);
        if (status == Status.JOINED) {
            joined++;
        } else if (status == Status.JOINED_ELSEWHERE) {
            joinedElsewhere++;
        }
        changed();
    }

    void attemptWasted() {
        wastedAttempts++;
    }

    /** Counted from acceptance on, so that nothing is answered that is not counted here. */
    void recordsAccepted(int records) {
        unpublishedRecords += records;
        changed();
    }

    void recordsPublished(int records) {
        unpublishedRecords -= records;
        changed();
    }

    /** What the incarnation has left unpublished is its repair's from now on. */
    void incarnationEnded() {
        unpublishedRecords = 0;
        changed();
    }

    /** Events answered JOINED. */
    public long joined() {
        return joined;
    }

    public long joinedElsewhere() {
        return joinedElsewhere;
    }

    /** Commits that met another incarnation's token. */
    public long wastedAttempts() {
        return wastedAttempts;
    }

    /** Accepted by the registry, not in a published file yet. */
    public long unpublishedRecords() {
        return unpublishedRecords;
    }
}

package photon.joiner.task;

import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import photon.core.loop.UnansweredCalls;
import photon.core.metrics.StageDelays;
import photon.joiner.rules.AdapterBrake;
import photon.joiner.rules.AdmissionControl;
import photon.joiner.rules.Attempt;
import photon.joiner.rules.AttemptTimes;
import photon.joiner.rules.JoinStage;
import photon.proto.v1.JoinResult.Status;

/** What a joiner counts, over all its incarnations. Owned by the main loop. */
public final class JoinerBooks {
    private static final Logger log = LoggerFactory.getLogger(JoinerBooks.class);

    private final AdmissionControl admission;
    private final AdapterBrake brake;
    private final Runnable onChange;
    private final StageDelays<JoinStage> stages = new StageDelays<>(JoinStage.class);
    private final UnansweredCalls commits = new UnansweredCalls();
    private final UnansweredCalls renewals = new UnansweredCalls();
    private long joined;
    private long unmatched;
    private long upgraded;
    private long joinedElsewhere;
    private long wastedAttempts;
    private long lookupsMoved;
    private long unpublishedRecords;
    private long adapterFailures;

    /**
     * @param onChange run after every change
     */
    public JoinerBooks(AdmissionControl admission, AdapterBrake brake, Runnable onChange) {
        this.admission = admission;
        this.brake = brake;
        this.onChange = onChange;
    }

    public void changed() {
        onChange.run();
    }

    public AdmissionControl admission() {
        return admission;
    }

    /** Commits that the registry has not answered. */
    public UnansweredCalls commits() {
        return commits;
    }

    /** Renewals of its incarnations that the registry has not answered. */
    public UnansweredCalls renewals() {
        return renewals;
    }

    void answered(Status status, int weight) {
        admission.release(weight);
        if (status == Status.JOINED_ELSEWHERE) {
            joinedElsewhere++;
        }
        changed();
    }

    /**
     * The records of events are durable.
     *
     * @param events that were joined for the first time
     * @param unmatchedEvents how many of them were joined without their primary event
     * @param upgrades of events that had been joined without
     */
    void flushed(int events, int unmatchedEvents, int upgrades) {
        joined += events;
        unmatched += unmatchedEvents;
        upgraded += upgrades;
        changed();
    }

    /**
     * @param failure it threw, took too long, rejected, or wants another try
     * @return true if it fails for nearly all events, so that no single event is to blame
     */
    boolean adapterDecided(boolean failure) {
        boolean before = brake.isOn();
        boolean now = brake.decided(failure);
        if (failure) {
            adapterFailures++;
        }
        if (now && !before) {
            log.error(
                    "ALARM, the adapter fails for more than adapter.failuresMaxPercent of the"
                            + " events: they wait, and none is dead-lettered");
        } else if (before && !now) {
            log.info("The adapter works again");
        }
        if (now != before) {
            changed();
        }
        return now;
    }

    /** True: the adapter fails for most events, which wait. */
    public boolean adapterBraked() {
        return brake.isOn();
    }

    /** Events at which the adapter threw, took too long, which it rejected, or wants again. */
    public long adapterFailures() {
        return adapterFailures;
    }

    /** An attempt is through a stage. A repair's is not counted: its way is another. */
    void passed(JoinStage stage, Attempt attempt, long nanoTime) {
        if (!attempt.isRepair()) {
            stages.record(stage, attempt.stageMicros(nanoTime));
            attempt.nextStage(nanoTime);
        }
        AttemptTimes times = attempt.times();
        if (times != null) {
            times.passed(stage.name().toLowerCase(Locale.ROOT), nanoTime);
        }
    }

    /** As {@link StageDelays#counts}. Thread-safe. */
    public Map<String, SortedMap<Long, Long>> stages() {
        return stages.counts();
    }

    void attemptWasted() {
        wastedAttempts++;
    }

    /** A lookup goes on to another event store, since one has failed. */
    void lookupMoved() {
        lookupsMoved++;
    }

    /** Lookups that went on to another event store, since one had failed. */
    public long lookupsMoved() {
        return lookupsMoved;
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
    void incarnationEnded(long unpublished) {
        unpublishedRecords -= unpublished;
        changed();
    }

    /** Events whose joined events are durable; a repeat of one counts once. */
    public long joined() {
        return joined;
    }

    /** Those of them that were joined without their primary event. */
    public long unmatched() {
        return unmatched;
    }

    /** Events that were joined once more, since their primary event had come after all. */
    public long upgraded() {
        return upgraded;
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

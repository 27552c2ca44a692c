package photon.joiner.rules;

import java.util.ArrayList;
import java.util.List;
import photon.core.trace.TracedAttempt.Stage;

/** When an attempt came to which stage, for its trace: measures, and decides nothing. */
public final class AttemptTimes {
    private final long dispatcherSpan;
    private final boolean retried;
    private final long beganNanos;
    private final List<Stage> stages = new ArrayList<>(4);
    private long stageNanos;

    /**
     * @param dispatcherSpan of the dispatcher's attempt that it belongs to; 0: none
     * @param retried the event had been tried before
     * @param nanoTime now
     */
    public AttemptTimes(long dispatcherSpan, boolean retried, long nanoTime) {
        this.dispatcherSpan = dispatcherSpan;
        this.retried = retried;
        this.beganNanos = nanoTime;
        this.stageNanos = nanoTime;
    }

    public long dispatcherSpan() {
        return dispatcherSpan;
    }

    public boolean isRetried() {
        return retried;
    }

    public long beganNanos() {
        return beganNanos;
    }

    /** It is through a stage. */
    public void passed(String stage, long nanoTime) {
        stages.add(new Stage(stage, (nanoTime - stageNanos) / 1_000));
        stageNanos = nanoTime;
    }

    public List<Stage> stages() {
        return stages;
    }
}

package photon.core.trace;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import photon.core.id.EventId;
import photon.core.trace.TracedAttempt.Part;
import photon.core.trace.TracedAttempt.Stage;

/**
 * Where a part tells of its attempts, of which those go on that are traced. Used by one thread;
 * {@link #leftOut} by any.
 */
public final class AttemptTracer {
    /** Traces nothing. */
    public static final AttemptTracer OFF =
            new AttemptTracer("", new TraceRule(0, Duration.ofDays(1), 0), traced -> {}, false);

    private final String datacenter;
    private final TraceRule rule;
    private final Consumer<TracedAttempt> traced;
    private final boolean on;
    private volatile long leftOut;

    private AttemptTracer(
            String datacenter, TraceRule rule, Consumer<TracedAttempt> traced, boolean on) {
        this.datacenter = datacenter;
        this.rule = rule;
        this.traced = traced;
        this.on = on;
    }

    /**
     * @param datacenter whose attempts they are
     * @param traced hears of each that is traced, and returns at once
     */
    public AttemptTracer(String datacenter, TraceRule rule, Consumer<TracedAttempt> traced) {
        this(datacenter, rule, traced, true);
    }

    /**
     * An attempt.
     *
     * @param salt such as when its event was written down first: tells apart what began at the same
     *     reading of two clocks
     * @param parent the span of the attempt that it belongs to; 0: none
     * @param retried its event had been tried before
     * @param repair its output was lost
     * @param beganNanos by a clock that only measures
     */
    public record Attempt(
            Part part,
            EventId id,
            long salt,
            long parent,
            boolean retried,
            boolean repair,
            long beganNanos) {}

    /** Its name, for those that have a part in it. */
    public long span(Attempt attempt) {
        return TracedAttempt.span(
                attempt.part(), attempt.id(), datacenter, attempt.salt(), attempt.beganNanos());
    }

    /** False: nobody need measure for it. */
    public boolean isOn() {
        return on;
    }

    /**
     * An attempt has ended.
     *
     * @param settled it is not tried again
     * @param outcome a word
     * @param readDelayMicros how long after its time the event was read; below 0: not known
     * @param nanoTime now
     * @param stages what it passed; asked for only if it is traced
     */
    public void ended(
            Attempt attempt,
            boolean settled,
            String outcome,
            long readDelayMicros,
            long nanoTime,
            Supplier<List<Stage>> stages) {
        if (!on) {
            return;
        }
        Optional<TraceReason> reason =
                rule.reason(
                        attempt.id(),
                        nanoTime - attempt.beganNanos(),
                        settled && attempt.retried(),
                        settled && attempt.repair(),
                        nanoTime);
        leftOut = rule.leftOut();
        if (reason.isPresent()) {
            traced.accept(
                    new TracedAttempt(
                            attempt.part(),
                            attempt.id(),
                            span(attempt),
                            attempt.parent(),
                            datacenter,
                            outcome,
                            reason.get(),
                            (nanoTime - attempt.beganNanos()) / 1_000,
                            stages.get(),
                            readDelayMicros));
        }
    }

    /** {@link TraceRule#leftOut}, a moment ago. */
    public long leftOut() {
        return leftOut;
    }
}

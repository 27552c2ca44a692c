package photon.joiner.task;

import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;
import photon.core.loop.EventLoop;
import photon.core.trace.AttemptTracer;
import photon.core.trace.TracedAttempt;
import photon.joiner.rules.Attempt;
import photon.joiner.rules.AttemptTimes;
import photon.proto.v1.JoinResult.Status;

/** Tells of attempts at events as they are answered. Owned by the main loop. */
public final class JoinTraces {
    private static final Set<Status> SETTLED =
            EnumSet.of(
                    Status.JOINED,
                    Status.JOINED_ELSEWHERE,
                    Status.SKIPPED,
                    Status.REJECTED,
                    Status.ID_TOO_OLD,
                    Status.OUTCOME_LOST);

    private final AttemptTracer tracer;
    private final EventLoop main;

    public JoinTraces(AttemptTracer tracer, EventLoop main) {
        this.tracer = tracer;
        this.main = main;
    }

    /**
     * @param dispatcherSpan of the dispatcher's attempt; 0: it traces nothing
     */
    public void began(Attempt attempt, long dispatcherSpan, boolean retried) {
        if (tracer.isOn()) {
            attempt.measure(new AttemptTimes(dispatcherSpan, retried, main.nanoTime()));
        }
    }

    void ended(Attempt attempt, Status status) {
        AttemptTimes times = attempt.times();
        if (times != null) {
            tracer.ended(
                    new AttemptTracer.Attempt(
                            TracedAttempt.Part.JOIN,
                            attempt.id(),
                            times.dispatcherSpan(),
                            times.dispatcherSpan(),
                            times.isRetried(),
                            attempt.isRepair(),
                            times.beganNanos()),
                    SETTLED.contains(status),
                    status.name().toLowerCase(Locale.ROOT).replace('_', '-'),
                    -1,
                    main.nanoTime(),
                    times::stages);
        }
    }
}

package photon.dispatcher.flow;

import java.util.Locale;
import photon.core.loop.EventLoop;
import photon.core.trace.AttemptTracer;
import photon.dispatcher.rules.RetryPolicy;

/** Tells of attempts at events as they end. Main loop. */
final class DispatchTraces {
    private final AttemptTracer tracer;
    private final EventLoop loop;

    DispatchTraces(AttemptTracer tracer, EventLoop loop) {
        this.tracer = tracer;
        this.loop = loop;
    }

    /** A row of the journal is tried once more. */
    void takenUp(PendingEvent row) {
        if (tracer.isOn()) {
            row.takenUp(loop.nanoTime());
        }
    }

    void alreadyJoined(PendingEvent pending) {
        ended(pending, true, "already-joined");
    }

    void joined(PendingEvent pending) {
        ended(pending, true, "joined");
    }

    void entered(PendingEvent pending, RetryPolicy.Enter enter) {
        ended(pending, true, enter.kind().name().toLowerCase(Locale.ROOT).replace('_', '-'));
    }

    void waits(PendingEvent pending, RetryPolicy.Retry retry) {
        ended(pending, false, retry.forPrimary() ? "waits-for-primary" : "tried-again-later");
    }

    /** It was joined without its primary event, which was looked for since. */
    void watchEnded(PendingEvent pending, boolean primaryCame) {
        ended(pending, true, primaryCame ? "primary-came-late" : "watch-ended");
    }

    private void ended(PendingEvent pending, boolean settled, String outcome) {
        if (tracer.isOn()) {
            long nanoTime = loop.nanoTime();
            tracer.ended(
                    pending.traced(),
                    settled,
                    outcome,
                    pending.readDelayMicros(),
                    nanoTime,
                    () -> pending.stages(nanoTime));
        }
    }
}

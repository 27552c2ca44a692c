package photon.server.trace;

import io.opentelemetry.api.trace.SpanId;
import io.opentelemetry.api.trace.TraceId;
import io.opentelemetry.sdk.trace.IdGenerator;

/**
 * Gives the span that is made next the ids that it is to have. Of the thread that makes spans, one
 * at a time.
 */
final class GivenIds implements IdGenerator {
    private long traceHigh;
    private long traceLow;
    private long span;

    /** Of the next span, and the trace if it has no parent. */
    void next(long newTraceHigh, long newTraceLow, long newSpan) {
        traceHigh = newTraceHigh;
        traceLow = newTraceLow;
        span = newSpan;
    }

    @Override
    public String generateSpanId() {
        return SpanId.fromLong(span);
    }

    @Override
    public String generateTraceId() {
        return TraceId.fromLongs(traceHigh, traceLow);
    }
}

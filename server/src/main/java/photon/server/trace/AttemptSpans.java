package photon.server.trace;

import static java.util.Objects.requireNonNull;

import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanBuilder;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.SpanId;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.TraceId;
import io.opentelemetry.api.trace.TraceState;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntPredicate;
import java.util.stream.Collectors;
import photon.core.id.EventId;
import photon.core.time.IntervalClock;
import photon.core.trace.TraceReason;
import photon.core.trace.TracedAttempt;

/**
 * Makes spans of attempts: one of the attempt, and below it one of each stage. All attempts at an
 * event, in all datacenters, are one trace, whose id comes from the event's. Thread-safe.
 */
final class AttemptSpans {
    private static final AttributeKey<String> EVENT = AttributeKey.stringKey("photon.event.id");
    private static final AttributeKey<String> PIPELINE = AttributeKey.stringKey("photon.pipeline");
    private static final AttributeKey<String> DATACENTER =
            AttributeKey.stringKey("photon.datacenter");
    private static final AttributeKey<String> OUTCOME = AttributeKey.stringKey("photon.outcome");
    private static final AttributeKey<String> REASON =
            AttributeKey.stringKey("photon.trace.reason");
    private static final AttributeKey<Long> READ_DELAY =
            AttributeKey.longKey("photon.read_delay_ms");

    private final Tracer tracer;
    private final GivenIds ids;
    private final String pipeline;
    private final IntervalClock clock;
    private final IntPredicate hasRoom;
    private final Map<TraceReason, AtomicLong> traced =
            Arrays.stream(TraceReason.values())
                    .collect(Collectors.toUnmodifiableMap(r -> r, r -> new AtomicLong()));

    /**
     * @param tracer takes the ids of new spans from {@code ids}
     * @param hasRoom told how many spans there are: false if they are lost
     */
    AttemptSpans(
            Tracer tracer,
            GivenIds ids,
            String pipeline,
            IntervalClock clock,
            IntPredicate hasRoom) {
        this.tracer = tracer;
        this.ids = ids;
        this.pipeline = pipeline;
        this.clock = clock;
        this.hasRoom = hasRoom;
    }

    /** Of an attempt that has just ended. */
    void add(TracedAttempt attempt) {
        requireNonNull(traced.get(attempt.reason())).incrementAndGet();
        if (hasRoom.test(1 + attempt.stages().size())) {
            make(attempt);
        }
    }

    /** How many attempts were traced for this reason. */
    long traced(TraceReason reason) {
        return requireNonNull(traced.get(reason)).get();
    }

    private synchronized void make(TracedAttempt attempt) {
        IntervalClock.Interval now = clock.now();
        long endMicros = now.earliestMicros() + (now.latestMicros() - now.earliestMicros()) / 2;
        long startMicros = endMicros - attempt.micros();
        Context parent =
                attempt.parent() == 0 ? Context.root() : context(attempt, attempt.parent());
        boolean join = attempt.part() == TracedAttempt.Part.JOIN;
        ids.next(
                TracedAttempt.traceHigh(attempt.id()),
                TracedAttempt.traceLow(attempt.id()),
                attempt.span());
        SpanBuilder builder =
                tracer.spanBuilder(attempt.part().toString())
                        .setParent(parent)
                        .setSpanKind(join ? SpanKind.SERVER : SpanKind.CONSUMER)
                        .setStartTimestamp(startMicros, TimeUnit.MICROSECONDS)
                        .setAttribute(EVENT, attempt.id().toString())
                        .setAttribute(PIPELINE, pipeline)
                        .setAttribute(DATACENTER, attempt.datacenter())
                        .setAttribute(OUTCOME, attempt.outcome())
                        .setAttribute(REASON, attempt.reason().name().toLowerCase(Locale.ROOT));
        if (attempt.readDelayMicros() >= 0) {
            builder.setAttribute(READ_DELAY, attempt.readDelayMicros() / 1_000);
        }
        builder.startSpan().end(endMicros, TimeUnit.MICROSECONDS);
        Context own = context(attempt, attempt.span());
        long sinceMicros = startMicros;
        for (int i = 0; i < attempt.stages().size(); i++) {
            TracedAttempt.Stage stage = attempt.stages().get(i);
            ids.next(0, 0, EventId.stableHash(attempt.span(), i, 0, 0) | 1);
            tracer.spanBuilder(stage.name())
                    .setParent(own)
                    .setStartTimestamp(sinceMicros, TimeUnit.MICROSECONDS)
                    .startSpan()
                    .end(sinceMicros + stage.micros(), TimeUnit.MICROSECONDS);
            sinceMicros += stage.micros();
        }
    }

    private static Context context(TracedAttempt attempt, long span) {
        return Context.root()
                .with(
                        Span.wrap(
                                SpanContext.createFromRemoteParent(
                                        TraceId.fromLongs(
                                                TracedAttempt.traceHigh(attempt.id()),
                                                TracedAttempt.traceLow(attempt.id())),
                                        SpanId.fromLong(span),
                                        TraceFlags.getSampled(),
                                        TraceState.getDefault())));
    }
}

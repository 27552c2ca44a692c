package photon.core.trace;

import java.util.List;
import java.util.Locale;
import photon.core.id.EventId;

/**
 * What is told of an attempt that has just ended.
 *
 * @param part what it was an attempt of
 * @param id its event's
 * @param span names it among all attempts at the event; never 0
 * @param parent the attempt that it belongs to; 0: none
 * @param datacenter in which it was made
 * @param outcome a word
 * @param micros how long it took
 * @param stages what it passed, in this order, from its beginning on
 * @param readDelayMicros how long after its time the event was read; below 0: not told
 */
public record TracedAttempt(
        Part part,
        EventId id,
        long span,
        long parent,
        String datacenter,
        String outcome,
        TraceReason reason,
        long micros,
        List<Stage> stages,
        long readDelayMicros) {

    /** What makes attempts. */
    public enum Part {
        DISPATCH,
        JOIN;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /**
     * One step of it.
     *
     * @param name a word
     * @param micros how long it took
     */
    public record Stage(String name, long micros) {}

    public TracedAttempt {
        stages = List.copyOf(stages);
    }

    /**
     * The trace of an event, in every process and datacenter: upper half.
     *
     * @see #traceLow
     */
    public static long traceHigh(EventId id) {
        return id.stableHash();
    }

    /** Lower half; never 0. */
    public static long traceLow(EventId id) {
        return EventId.stableHash(id.process(), id.serverLow(), id.micros(), 1) | 1;
    }

    /**
     * Names an attempt, and no other one at its event.
     *
     * @param salt sets it apart from attempts of other processes that began at the same reading of
     *     their clocks
     * @param beganNanos by a clock that only measures
     * @return never 0
     */
    static long span(Part part, EventId id, String datacenter, long salt, long beganNanos) {
        long where =
                EventId.stableHash(datacenter.hashCode(), salt, beganNanos, part.name().hashCode());
        return EventId.stableHash(id.stableHash(), where, 0, 0) | 1;
    }
}

package photon.joiner.rules;

import static photon.core.error.Checks.check;

import photon.proto.v1.Event;

/** The bound on all that a joiner holds: events and their bytes, from arrival to answer. */
public final class AdmissionControl {
    private final int eventsMax;
    private final long bytesMax;
    private int events;
    private long bytes;

    public AdmissionControl(int eventsMax, long bytesMax) {
        check(eventsMax > 0, "Expected an events bound above 0, but got %s", eventsMax);
        check(bytesMax > 0, "Expected a bytes bound above 0, but got %s", bytesMax);
        this.eventsMax = eventsMax;
        this.bytesMax = bytesMax;
    }

    /**
     * Rough size in memory of an event, bytes, with a joined form of about its own size: that of
     * the primary event, which may be far larger, is known when it is joined ({@link #grow}).
     */
    public static int weight(Event event) {
        return 512 + 2 * event.getSerializedSize();
    }

    /**
     * Counts an event in, if it fits. One that is larger than the whole bound fits when nothing
     * else is there: else it could never be joined.
     */
    public boolean admit(int weight) {
        if (events >= eventsMax || (events > 0 && bytes + weight > bytesMax)) {
            return false;
        }
        events++;
        bytes += weight;
        return true;
    }

    /**
     * Counts in what an event that is admitted takes besides, if it fits. It fits in any case where
     * the event is alone.
     */
    public boolean grow(int more) {
        if (events > 1 && bytes + more > bytesMax) {
            return false;
        }
        bytes += more;
        return true;
    }

    /** Counts out some of that. */
    public void shrink(int less) {
        bytes -= less;
    }

    public void release(int weight) {
        events--;
        bytes -= weight;
        check(
                events >= 0 && bytes >= 0,
                "Expected no more releases than admissions, but got %s events, %s bytes",
                events,
                bytes);
    }

    public int events() {
        return events;
    }

    public long bytes() {
        return bytes;
    }
}

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

    /** Rough size in memory of an event with its joined form, bytes. */
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

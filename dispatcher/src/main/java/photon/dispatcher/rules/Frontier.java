package photon.dispatcher.rules;

/**
 * How far event stores have read. All times are in Unix microseconds.
 *
 * @param unreadMicros from which time on primary events are probably not read yet; {@link
 *     FrontierGate#OPEN}: all are
 * @param liveFromMicros fresh are events of this time and later: those are probably in logs that
 *     the event stores read live, beside others with a backlog; {@link #NO_BACKLOG}: none is told
 *     apart
 * @param liveUnreadMicros as {@code unreadMicros}, for fresh events
 */
public record Frontier(long unreadMicros, long liveFromMicros, long liveUnreadMicros) {
    public static final long NO_BACKLOG = Long.MAX_VALUE;

    /** No event is fresh. */
    public static Frontier unread(long micros) {
        return new Frontier(micros, NO_BACKLOG, micros);
    }

    boolean hasBacklog() {
        return liveFromMicros != NO_BACKLOG;
    }

    boolean isFresh(long micros) {
        return hasBacklog() && micros >= liveFromMicros;
    }
}

package photon.server.local;

import java.util.Map;
import java.util.TreeMap;
import photon.dispatcher.rules.RetryPolicy;

/** What waiting events wait for, in the words of a user. */
final class WaitingFor {
    static final String PRIMARY_EVENT = "no primary event yet";
    static final String CLOCK = "ahead of the clock";

    private WaitingFor() {}

    /**
     * @param byReason as the journals have it
     */
    static Map<String, Long> of(Map<String, Long> byReason) {
        Map<String, Long> waiting = new TreeMap<>();
        byReason.forEach((reason, count) -> waiting.merge(text(reason), count, Long::sum));
        return waiting;
    }

    private static String text(String reason) {
        return switch (reason) {
            case RetryPolicy.WAITING, RetryPolicy.EVENT_STORE_BEHIND -> PRIMARY_EVENT;
            case RetryPolicy.AHEAD -> CLOCK;
            default -> "to be tried again: " + reason;
        };
    }
}

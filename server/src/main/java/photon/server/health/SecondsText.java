package photon.server.health;

import java.time.Duration;

/** Lengths of time, for people. */
final class SecondsText {
    private SecondsText() {}

    static String text(Duration span) {
        return span.toSeconds() + " s";
    }

    static String text(long nanos) {
        return text(Duration.ofNanos(nanos));
    }
}

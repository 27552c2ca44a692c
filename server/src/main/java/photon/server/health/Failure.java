package photon.server.health;

import java.util.OptionalLong;

/**
 * Why a check fails.
 *
 * @param sinceNanos since when, by the monotonic clock; empty: since it was first seen
 * @param reason for people, one line
 */
public record Failure(OptionalLong sinceNanos, String reason) {
    static Failure since(long nanos, String reason) {
        return new Failure(OptionalLong.of(nanos), reason);
    }

    /** One that begins when it is first seen. */
    public static Failure seen(String reason) {
        return new Failure(OptionalLong.empty(), reason);
    }
}

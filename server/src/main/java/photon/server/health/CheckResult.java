package photon.server.health;

import java.time.Duration;

/**
 * What a check came to.
 *
 * @param name of the check
 * @param consequence of its failing
 * @param passes false: it fails
 * @param failing for how long; zero if it passes
 * @param reason why it fails; empty if it passes
 */
public record CheckResult(
        String name, String consequence, boolean passes, Duration failing, String reason) {
    static CheckResult passed(String name, String consequence) {
        return new CheckResult(name, consequence, true, Duration.ZERO, "");
    }
}

package photon.server.health;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Looks at checks again and again, and remembers since when each fails. Owned by one loop. */
final class CheckRun {
    private final Map<String, Long> seenNanos = new HashMap<>();

    /**
     * @param checks with different names
     */
    List<CheckResult> look(List<Check> checks, long nowNanos) {
        List<CheckResult> results = new ArrayList<>(checks.size());
        for (Check check : checks) {
            results.add(
                    check.condition()
                            .look(nowNanos)
                            .map(failure -> failed(check, failure, nowNanos))
                            .orElseGet(() -> passed(check)));
        }
        return results;
    }

    private CheckResult passed(Check check) {
        seenNanos.remove(check.name());
        return CheckResult.passed(check.name(), check.consequence());
    }

    private CheckResult failed(Check check, Failure failure, long nowNanos) {
        long seen = seenNanos.computeIfAbsent(check.name(), name -> nowNanos);
        long since = failure.sinceNanos().orElse(seen);
        return new CheckResult(
                check.name(),
                check.consequence(),
                false,
                Duration.ofNanos(Math.max(0, nowNanos - since)),
                failure.reason());
    }
}

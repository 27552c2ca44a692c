package photon.server.health;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Decides what the log says about failing checks: one warning a minute that names all of them, and
 * one line when some pass again. Owned by one loop.
 */
final class HealthLog {
    private static final Duration EVERY = Duration.ofMinutes(1);

    /** A restart of a peer is no news. */
    private static final Duration UNTOLD = Duration.ofSeconds(10);

    /** Of a process that was never ready: all may have been started at one moment. */
    private static final Duration UNTOLD_AT_START = Duration.ofSeconds(30);

    private boolean everReady;

    private OptionalLong warnedNanos = OptionalLong.empty();

    /** Checks that a warning has named and that have not passed since: how long each failed. */
    private final Map<String, Duration> named = new TreeMap<>();

    /**
     * A line.
     *
     * @param warning false: good news
     */
    record Line(boolean warning, String text) {}

    List<Line> look(List<CheckResult> results, long nowNanos) {
        everReady |= results.stream().allMatch(CheckResult::passes);
        List<Line> lines = new ArrayList<>();
        passAgain(results).ifPresent(lines::add);
        warning(results, nowNanos).ifPresent(lines::add);
        return lines;
    }

    private Optional<Line> passAgain(List<CheckResult> results) {
        List<String> back = new ArrayList<>();
        for (CheckResult result : results) {
            if (!result.passes()) {
                named.computeIfPresent(result.name(), (name, before) -> result.failing());
                continue;
            }
            Duration failed = named.remove(result.name());
            if (failed != null) {
                back.add(result.name() + ", after " + SecondsText.text(failed));
            }
        }
        return back.isEmpty()
                ? Optional.empty()
                : Optional.of(new Line(false, "Works again: " + String.join("; ", back)));
    }

    private Optional<Line> warning(List<CheckResult> results, long nowNanos) {
        Duration untold = everReady ? UNTOLD : UNTOLD_AT_START;
        List<CheckResult> failing =
                results.stream()
                        .filter(
                                result ->
                                        !result.passes()
                                                && !result.consequence().isEmpty()
                                                && result.failing().compareTo(untold) >= 0)
                        .toList();
        boolean soon =
                warnedNanos.isPresent() && nowNanos - warnedNanos.getAsLong() < EVERY.toNanos();
        if (failing.isEmpty() || soon) {
            return Optional.empty();
        }
        warnedNanos = OptionalLong.of(nowNanos);
        failing.forEach(result -> named.put(result.name(), result.failing()));
        return Optional.of(
                new Line(
                        true,
                        "Not ready. "
                                + failing.stream()
                                        .map(HealthLog::sentences)
                                        .collect(Collectors.joining(" "))));
    }

    private static String sentences(CheckResult result) {
        String reason = result.reason();
        return "%s%s. Meanwhile %s."
                .formatted(
                        Character.toUpperCase(reason.charAt(0)),
                        reason.substring(1),
                        result.consequence());
    }
}

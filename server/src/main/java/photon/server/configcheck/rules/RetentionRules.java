package photon.server.configcheck.rules;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import photon.core.config.DurationText;

/** Whether input logs are kept as long as ids are. */
public final class RetentionRules {
    private static final String AREA = "retention";

    /** What a log's writer and its removal by the hour or the day may differ. */
    private static final Duration SLACK = Duration.ofDays(1);

    private RetentionRules() {}

    /**
     * What a registry has.
     *
     * @param retention empty: without limit
     */
    public record Held(Optional<Duration> retention) {}

    /**
     * Logs of a stream.
     *
     * @param oldest when the oldest of them was last modified; empty: there is none
     * @param trouble why they could not be listed; empty: they were
     */
    public record Logs(Optional<Instant> oldest, String trouble) {}

    /**
     * @param held empty: no server has answered, or the pipeline is new
     * @param differs the sentence about a registry whose retention is another
     */
    public static CheckLine ofRegistry(
            Optional<Duration> configured, Optional<Held> held, Optional<String> differs) {
        String subject = "retention " + text(configured);
        if (held.isEmpty()) {
            return CheckLine.ok(AREA, subject, "the registry gets it with the pipeline");
        }
        return differs.map(
                        sentence ->
                                CheckLine.warn(
                                        AREA,
                                        subject,
                                        sentence,
                                        "the same in the registry and in every configuration"))
                .orElseGet(() -> CheckLine.ok(AREA, subject, "the registry has the same"));
    }

    /**
     * @param retention that holds: the registry's, if it is known
     */
    public static List<CheckLine> ofLogs(
            Optional<Duration> retention, Logs primary, Logs foreign, Instant now) {
        List<CheckLine> lines = new ArrayList<>();
        lines.add(
                unlisted("foreign logs", foreign)
                        .orElseGet(() -> foreign(retention, foreign.oldest(), now)));
        lines.add(
                unlisted("primary logs", primary)
                        .orElseGet(
                                () -> primary(retention, primary.oldest(), foreign.oldest(), now)));
        return lines;
    }

    private static Optional<CheckLine> unlisted(String subject, Logs logs) {
        return logs.trouble().isEmpty()
                ? Optional.empty()
                : Optional.of(
                        CheckLine.fail(
                                AREA,
                                subject,
                                "cannot be listed: " + logs.trouble(),
                                "logs that this machine reads: 'photon config test' says more"));
    }

    private static CheckLine foreign(
            Optional<Duration> retention, Optional<Instant> oldest, Instant now) {
        String subject = "foreign logs";
        if (oldest.isEmpty()) {
            return CheckLine.ok(AREA, subject, "none is there yet: " + keep(retention, 1));
        }
        String found = begins(oldest.get(), now);
        boolean outlive =
                retention.isPresent()
                        && oldest.get().isBefore(now.minus(retention.get()).minus(SLACK));
        return outlive
                ? CheckLine.warn(
                        AREA,
                        subject,
                        "%s, and ids are kept for %s".formatted(found, text(retention)),
                        "logs that go when their ids do, or a longer retention: events of older logs that are read again, after the loss of a dispatcher's state or a reset of its offsets, count as too old")
                : CheckLine.ok(AREA, subject, found + ": " + keep(retention, 1));
    }

    private static CheckLine primary(
            Optional<Duration> retention,
            Optional<Instant> oldest,
            Optional<Instant> oldestForeign,
            Instant now) {
        String subject = "primary logs";
        if (oldest.isEmpty()) {
            return CheckLine.ok(AREA, subject, "none is there yet: " + keep(retention, 2));
        }
        String found = begins(oldest.get(), now);
        // What is older than the retention is not joined any more, whatever its log says.
        Optional<Instant> needed =
                oldestForeign.map(
                        foreign ->
                                retention
                                        .map(kept -> later(foreign, now.minus(kept)))
                                        .orElse(foreign));
        boolean tooShort = needed.isPresent() && oldest.get().isAfter(needed.get().plus(SLACK));
        return tooShort
                ? CheckLine.warn(
                        AREA,
                        subject,
                        found + ", later than the foreign logs that are still joined",
                        keep(retention, 2)
                                + ": an event store that loses its disk reads them again")
                : CheckLine.ok(AREA, subject, found + ": " + keep(retention, 2));
    }

    private static Instant later(Instant a, Instant b) {
        return a.isAfter(b) ? a : b;
    }

    private static String begins(Instant oldest, Instant now) {
        Duration age = Duration.between(oldest, now);
        return "the oldest was last written %s ago"
                .formatted(
                        age.compareTo(Duration.ofSeconds(1)) < 0
                                ? "a moment"
                                : age.toDays() > 1
                                        ? age.toDays() + "d"
                                        : DurationText.of(Duration.ofSeconds(age.toSeconds())));
    }

    private static String keep(Optional<Duration> retention, int times) {
        return "keep them "
                + retention
                        .map(
                                kept ->
                                        "for "
                                                + DurationText.of(kept.multipliedBy(times))
                                                + " at least")
                        .orElse("forever");
    }

    private static String text(Optional<Duration> retention) {
        return retention.map(DurationText::of).orElse("unlimited");
    }
}

package photon.server.health;

import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Supplier;
import photon.core.loop.LoopProbe;

/** What several daemons look at. The age of what waits decides: one that has no work is ready. */
public final class Conditions {
    /** Longer than an election, and than any call of a registry that is well. */
    static final Duration ANSWER_MAX = Duration.ofSeconds(10);

    /** Nothing that a loop does takes so long, unless a disk or a file system hangs. */
    static final Duration BUSY_MAX = Duration.ofSeconds(30);

    /** Only a start anew helps. A file system may well hang for a minute and go on. */
    static final Duration STUCK_AFTER = Duration.ofMinutes(2);

    private Conditions() {}

    /**
     * Fails if something has waited for its answer for long.
     *
     * @param what such as {@code the oldest commit}
     * @param sinceNanos since when it waits; empty: nothing waits
     * @param whom it waits for
     */
    public static Optional<Failure> answered(
            String what, OptionalLong sinceNanos, String whom, long nowNanos) {
        return late(sinceNanos, ANSWER_MAX, nowNanos)
                .map(
                        age ->
                                new Failure(
                                        sinceNanos,
                                        "%s has waited %s for the answer of %s"
                                                .formatted(what, SecondsText.text(age), whom)));
    }

    /**
     * Fails if logs could not be read for long.
     *
     * @param which such as {@code foreign}
     * @param sinceNanos since when a read has not come to its end; empty: none is under way
     * @param trouble why; empty: not known
     */
    public static Optional<Failure> logsRead(
            String which, OptionalLong sinceNanos, String trouble, long nowNanos) {
        return late(sinceNanos, ANSWER_MAX, nowNanos)
                .map(
                        age ->
                                new Failure(
                                        sinceNanos,
                                        "the %s logs could not be read for %s%s"
                                                .formatted(
                                                        which,
                                                        SecondsText.text(age),
                                                        trouble.isEmpty() ? "" : ": " + trouble)));
    }

    /** A loop that runs what it is handed. */
    static Check loopRuns(LoopProbe<?> loop, Duration max, String consequence) {
        return new Check(
                "loop-" + loop.name(),
                consequence,
                now ->
                        late(loop.owedSinceNanos(), max, now)
                                .map(
                                        age ->
                                                new Failure(
                                                        loop.owedSinceNanos(),
                                                        "loop "
                                                                + loop.name()
                                                                + " has been busy with one thing for "
                                                                + SecondsText.text(age))));
    }

    /** Something that answers itself; one that does not for long is stuck. */
    static Check unstuck(String name, String who, Supplier<OptionalLong> sinceNanos) {
        return new Check(
                name,
                "",
                now ->
                        late(sinceNanos.get(), STUCK_AFTER, now)
                                .map(
                                        age ->
                                                new Failure(
                                                        sinceNanos.get(),
                                                        who
                                                                + " has not answered itself for "
                                                                + SecondsText.text(age))));
    }

    private static Optional<Duration> late(OptionalLong since, Duration max, long nowNanos) {
        return since.isPresent() && nowNanos - since.getAsLong() >= max.toNanos()
                ? Optional.of(Duration.ofNanos(nowNanos - since.getAsLong()))
                : Optional.empty();
    }
}

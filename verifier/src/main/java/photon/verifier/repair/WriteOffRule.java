package photon.verifier.repair;

import static photon.core.error.Checks.check;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import photon.storage.tail.FilePosition;
import photon.storage.tail.GoneFiles;

/**
 * Decides when lost ids that were looked for and not found are written off (docs/protocol.md
 * section 6): a look that finds nothing says nothing by itself, since a volume that is away looks
 * like an empty one. Told of each look in order; keeps nothing but since when all was well. Not
 * thread-safe.
 */
final class WriteOffRule {
    /** Enough to see what is wrong. */
    private static final int OBSTACLES_TOLD_MAX = 3;

    private final Terms terms;
    private final long stateLostMillis;
    private boolean well;
    private long wellSinceNanos;

    /**
     * @param stateLostMicros when the dispatcher lost its state last while the incarnation existed,
     *     in microseconds since 1970; 0: never
     */
    WriteOffRule(Terms terms, long stateLostMicros) {
        this.terms = terms;
        // Rounded up: 1 microsecond is a time, too.
        this.stateLostMillis = (stateLostMicros + 999) / 1_000;
    }

    /**
     * What a write-off takes.
     *
     * @param giveUpAfter from the end of the first of the looks that all met every condition to the
     *     beginning of the last
     * @param logsKept what is older need not be there any more; empty: everything is kept
     */
    record Terms(Duration giveUpAfter, Optional<Duration> logsKept) {
        /**
         * From when on things are kept, in microseconds since 1970.
         *
         * @param earliestMicros what the time is at least
         */
        long keptSinceMicros(long earliestMicros) {
            return logsKept.map(
                            kept ->
                                    earliestMicros
                                            - TimeUnit.MILLISECONDS.toMicros(kept.toMillis()))
                    .orElse(Long.MIN_VALUE);
        }

        Terms {
            check(
                    !giveUpAfter.isNegative() && !giveUpAfter.isZero(),
                    "Expected giveUpAfter above 0, but got %s",
                    giveUpAfter);
        }
    }

    /**
     * One look at all of the foreign logs.
     *
     * @param missingDirectories which globs name, and which were not there at its start or end
     * @param unseenState of the dispatcher: it is registered, and its checkpoint is not there
     * @param named the files that the dispatcher's checkpoint names, as it stood before the look
     * @param gone files that the dispatcher has read and that the checkpoint only counts
     * @param unreadable what is there and could not be read as far as the dispatcher has read it,
     *     or nobody knows how far that is
     * @param earliestMillis what the time is at least, in milliseconds since 1970
     */
    record Look(
            List<String> missingDirectories,
            Optional<UUID> unseenState,
            List<Named> named,
            GoneFiles gone,
            List<String> unreadable,
            long earliestMillis) {
        Look {
            missingDirectories = List.copyOf(missingDirectories);
            named = List.copyOf(named);
            unreadable = List.copyOf(unreadable);
        }
    }

    /**
     * A file of the checkpoint.
     *
     * @param readTo how far it was read; {@link #NOT_MET}: no file was it
     */
    record Named(FilePosition position, long readTo) {
        static final long NOT_MET = -1;
    }

    /**
     * What a look has come to.
     *
     * @param writeOff what was not found is given up now
     * @param obstacle what is in the way; empty: only the time
     * @param left until it is written off if nothing comes in the way; where something is, from
     *     then on
     */
    record Verdict(boolean writeOff, String obstacle, Duration left) {}

    /**
     * @param beginNanos monotonic: what was there then counts, however long the look took
     * @param endNanos monotonic
     */
    Verdict judge(Look look, long beginNanos, long endNanos) {
        List<String> obstacles = obstacles(look);
        if (!obstacles.isEmpty()) {
            well = false;
            return new Verdict(false, text(obstacles), terms.giveUpAfter);
        }
        if (!well) {
            well = true;
            wellSinceNanos = endNanos;
            return new Verdict(false, "", terms.giveUpAfter);
        }
        Duration left = terms.giveUpAfter.minusNanos(beginNanos - wellSinceNanos);
        boolean over = left.isNegative() || left.isZero();
        return new Verdict(over, "", over ? Duration.ZERO : left);
    }

    private List<String> obstacles(Look look) {
        List<String> found = new ArrayList<>();
        for (String directory : look.missingDirectories()) {
            found.add("the directory %s is not there".formatted(directory));
        }
        look.unseenState()
                .ifPresent(
                        state ->
                                found.add(
                                        "the checkpoint of the dispatcher's state %s is not there"
                                                .formatted(state)));
        for (Named file : look.named()) {
            if (file.readTo() < file.position().offset()
                    && !isOlderThanKept(file.position().modifiedMillis(), look.earliestMillis())) {
                found.add(text(file));
            }
        }
        GoneFiles gone = look.gone();
        if (!gone.isEmpty() && !isOlderThanKept(gone.newestMillis(), look.earliestMillis())) {
            found.add(
                    "%s files that the dispatcher has read went away long ago, the last of them %s"
                            .formatted(gone.files(), gone.lastPath()));
        }
        if (stateLostMillis != 0 && !isOlderThanKept(stateLostMillis, look.earliestMillis())) {
            found.add(
                    "the dispatcher's state was lost at %s, and a file that it had read may be away"
                            .formatted(Instant.ofEpochMilli(stateLostMillis)));
        }
        found.addAll(look.unreadable());
        return found;
    }

    private boolean isOlderThanKept(long modified, long earliestMillis) {
        return modified > 0
                && terms.logsKept
                        .filter(kept -> modified + kept.toMillis() < earliestMillis)
                        .isPresent();
    }

    private static String text(Named file) {
        FilePosition position = file.position();
        return file.readTo() == Named.NOT_MET
                ? "the file %s is not there, of which the dispatcher has read %s bytes"
                        .formatted(position.path(), position.offset())
                : "the file %s ends at %s, but the dispatcher has read %s bytes of it"
                        .formatted(position.path(), file.readTo(), position.offset());
    }

    private static String text(List<String> obstacles) {
        int more = obstacles.size() - OBSTACLES_TOLD_MAX;
        String told = String.join("; ", obstacles.subList(0, obstacles.size() - Math.max(0, more)));
        return more > 0 ? told + "; and %s more".formatted(more) : told;
    }
}

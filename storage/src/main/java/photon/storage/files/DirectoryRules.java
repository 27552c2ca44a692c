package photon.storage.files;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which directories of a glob are listed in a look, and which are taken as they were listed before.
 * Pure: what a listing says comes from outside.
 *
 * <p>HDFS changes a directory's time when a name in it is made, renamed or deleted, and not when a
 * file in it grows. So a directory is listed when its time has moved, and while a file in it is
 * being written. It is also listed now and then in any case, since appending moves no time.
 */
final class DirectoryRules {
    /** No directory is left unlisted for longer, whatever its time says. */
    static final Duration UNLISTED_MAX = Duration.ofMinutes(1);

    /** Where its time is not known: unchanged for 80 s, it is listed every 10 s. */
    private static final int STILL_FOR_EACH_WAIT = 8;

    /** Those that changed last are listed in each look. */
    private static final int NEWEST = 2;

    /** Of the directories that are due by age alone, a look lists one in this many. */
    private static final int AGED_EACH = 20;

    private DirectoryRules() {}

    /**
     * What is known of a directory.
     *
     * @param millis its time of modification before the last listing; -1: not known
     * @param settled it was listed with that time known already: what came in the millisecond of
     *     the first such listing is in
     * @param listedNanos when it was listed last
     * @param changedNanos when a listing differed from the one before
     * @param writing a file in it is being written
     */
    record Known(
            long millis, boolean settled, long listedNanos, long changedNanos, boolean writing) {}

    /**
     * A directory in a look.
     *
     * @param millis its time of modification now; -1: not known
     * @param exact false: that is the time of another one, or of a while ago
     */
    record Candidate<P>(P path, long millis, boolean exact, @Nullable Known known) {}

    /** Which of the directories of one level to list. */
    static <P> Set<P> toList(List<Candidate<P>> candidates, long nanoTime) {
        Set<P> chosen = new HashSet<>();
        List<Candidate<P>> others = new ArrayList<>();
        for (Candidate<P> one : candidates) {
            if (isDue(one)) {
                chosen.add(one.path());
            } else {
                others.add(one);
            }
        }
        others.stream()
                .sorted(Comparator.<Candidate<P>>comparingLong(one -> -changed(one)))
                .limit(NEWEST)
                .forEach(one -> chosen.add(one.path()));
        others.stream()
                .filter(one -> isAged(one, nanoTime))
                .sorted(Comparator.<Candidate<P>>comparingLong(one -> listed(one)))
                .limit(1 + candidates.size() / AGED_EACH)
                .forEach(one -> chosen.add(one.path()));
        return chosen;
    }

    private static boolean isDue(Candidate<?> one) {
        Known known = one.known();
        return known == null
                || known.writing()
                || (one.millis() >= 0 && (one.millis() != known.millis() || !known.settled()));
    }

    private static boolean isAged(Candidate<?> one, long nanoTime) {
        Known known = requireNonNull(one.known());
        long still = nanoTime - known.changedNanos();
        // Where its time is known, names cannot change unseen.
        long wait =
                one.millis() >= 0 && one.exact()
                        ? UNLISTED_MAX.toNanos()
                        : Math.min(UNLISTED_MAX.toNanos(), still / STILL_FOR_EACH_WAIT);
        return nanoTime - known.listedNanos() >= wait;
    }

    private static long changed(Candidate<?> one) {
        return requireNonNull(one.known()).changedNanos();
    }

    private static long listed(Candidate<?> one) {
        return requireNonNull(one.known()).listedNanos();
    }
}

package photon.joiner.rules;

import static photon.core.error.Checks.check;

import java.time.Duration;

/**
 * Decides when a joiner rolls on to its next incarnation: what a repair or a verification of one
 * costs shall not grow with the age of the process (docs/protocol.md section 1).
 *
 * @param every an incarnation that has served for so long is followed by the next
 * @param files so is one that has published so many files
 * @param bookBytes so is one whose {@link TokenBook} has become so large
 */
public record RollRule(Duration every, int files, long bookBytes) {
    public RollRule {
        check(
                !every.isNegative() && !every.isZero() && files > 0 && bookBytes > 0,
                "Expected a roll after a time and a number of files and bytes above 0, but got %s, %s, %s",
                every,
                files,
                bookBytes);
    }

    public boolean isDue(Duration served, long publishedFiles, long bytesOfBook) {
        return served.compareTo(every) >= 0 || publishedFiles >= files || bytesOfBook >= bookBytes;
    }
}

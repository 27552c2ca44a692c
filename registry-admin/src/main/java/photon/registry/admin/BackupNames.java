package photon.registry.admin;

import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.time.format.ResolverStyle;
import java.time.temporal.ChronoUnit;
import java.util.Set;

/**
 * How backups in a folder are named: by the second at which they began, in UTC, so that names sort
 * as times do. One that is being written or deleted has an ending. Whatever has another name is not
 * ours.
 */
final class BackupNames {
    private static final String PREFIX = "photon-";
    private static final String PARTIAL = ".partial";
    private static final String DELETED = ".deleted";

    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("uuuuMMdd'T'HHmmss'Z'")
                    .withResolverStyle(ResolverStyle.STRICT);

    /** Behind it years have more than four digits, and do not sort any more. */
    private static final Instant LAST = Instant.parse("9999-12-31T23:59:59Z");

    private BackupNames() {}

    /**
     * Of a backup that begins now.
     *
     * @param taken names that are there
     */
    static String next(Instant now, Set<String> taken) {
        Instant second = now.truncatedTo(ChronoUnit.SECONDS);
        if (second.isBefore(Instant.EPOCH) || second.isAfter(LAST)) {
            throw new IllegalArgumentException(
                    "Expected a time from 1970 to 9999, but it is " + now);
        }
        while (taken.contains(name(second))) {
            second = second.plusSeconds(1);
        }
        return name(second);
    }

    private static String name(Instant second) {
        return PREFIX + TIME.format(second.atOffset(ZoneOffset.UTC));
    }

    /** While it is being written. */
    static String partial(String name) {
        return name + PARTIAL;
    }

    /** While it is being deleted. */
    static String deleted(String name) {
        return name + DELETED;
    }

    /** True if it is the name of a whole backup. */
    static boolean isBackup(String name) {
        if (!name.startsWith(PREFIX)) {
            return false;
        }
        try {
            LocalDateTime.parse(name.substring(PREFIX.length()), TIME);
            return true;
        } catch (DateTimeParseException e) {
            return false;
        }
    }

    /** True if it is what a run has left that ended in the midst. */
    static boolean isRemnant(String name) {
        return hasEnding(name, PARTIAL) || hasEnding(name, DELETED);
    }

    private static boolean hasEnding(String name, String ending) {
        return name.endsWith(ending)
                && isBackup(name.substring(0, name.length() - ending.length()));
    }
}

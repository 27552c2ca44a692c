package photon.registry.admin;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;

/**
 * Which backups of a folder stay when a new one is complete. Decides; does none of it.
 *
 * <p>What is not surely an older, whole backup is neither counted nor deleted. A damaged one would
 * push out a good one. One whose name is of a later time than the new one's tells that this clock
 * is behind, or that it was ahead once: nobody knows which, so it may be the best there is.
 *
 * @param kept newest first, the new one included
 * @param deleted oldest first, so that a run that is interrupted has kept the newer ones
 * @param later left alone: the clock was ahead when they were made, or is behind now
 * @param damaged left alone: not whole any more
 */
public record BackupRetention(
        List<String> kept, List<String> deleted, List<String> later, List<String> damaged) {

    public BackupRetention {
        kept = List.copyOf(kept);
        deleted = List.copyOf(deleted);
        later = List.copyOf(later);
        damaged = List.copyOf(damaged);
    }

    /**
     * A folder that has the name of a backup.
     *
     * @param whole its manifest and files are there
     */
    record Found(String name, boolean whole) {}

    /**
     * @param made the new one's name
     * @param found all names of backups, the new one's among them or not
     * @param keep how many, the new one included
     */
    static BackupRetention of(String made, Collection<Found> found, int keep) {
        if (keep < 1) {
            throw new IllegalArgumentException("Expected to keep one at least, but got " + keep);
        }
        List<String> kept = new ArrayList<>(List.of(made));
        List<String> deleted = new ArrayList<>();
        List<String> later = new ArrayList<>();
        List<String> damaged = new ArrayList<>();
        for (Found one :
                found.stream().sorted(Comparator.comparing(Found::name).reversed()).toList()) {
            if (one.name().equals(made)) {
                continue;
            }
            if (!one.whole()) {
                damaged.add(one.name());
            } else if (one.name().compareTo(made) > 0) {
                later.add(one.name());
            } else if (kept.size() < keep) {
                kept.add(one.name());
            } else {
                deleted.add(0, one.name());
            }
        }
        return new BackupRetention(kept, deleted, later, damaged);
    }
}

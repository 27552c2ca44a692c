package photon.server.configcheck.rules;

import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/** Whether a daemon can work with a place that the configuration names. */
public final class PathRules {
    private static final String AREA = "path";

    /** As the alerts PhotonDiskFillsUp and PhotonDiskNearlyFull have it. */
    private static final double FREE_WARN = 0.15;

    private static final double FREE_FAIL = 0.05;

    private static final double BYTES_PER_GIB = 1L << 30;

    /** Types that Linux gives to what lies on other machines. */
    private static final Pattern NETWORK =
            Pattern.compile(
                    "nfs\\d?|cifs|smb\\d?|smbfs|afs|ceph|9p|lustre|gfs2|ocfs2|gpfs|beegfs.*|glusterfs"
                            + "|fuse\\.(sshfs|glusterfs|ceph.*|s3fs|gcsfuse|rclone|juicefs|goofys|mount-s3).*");

    private static final Pattern MEMORY = Pattern.compile("tmpfs|ramfs");

    private PathRules() {}

    /** Who uses a place. */
    public enum Use {
        /** This machine alone: Raft's log, the log index, locks. */
        OWN,
        /** All machines of the datacenter. */
        SHARED,
        /** Readers of the output, wherever they are. */
        OUTPUT
    }

    /**
     * A directory of this machine.
     *
     * @param exists false: the daemon makes it
     * @param directory where it exists or will be made: what is there is a directory
     * @param writable and this user may write there
     * @param at the directory that was looked at: this one, or the nearest one above it that exists
     * @param type of its file system, as Linux says it
     */
    public record Directory(
            boolean exists,
            boolean directory,
            boolean writable,
            String at,
            String type,
            long freeBytes,
            long sizeBytes) {}

    /**
     * @param key of the configuration
     */
    public static CheckLine of(String key, String path, Directory found, Use use) {
        String subject = key + " " + path;
        if (!found.directory()) {
            return CheckLine.fail(
                    AREA, subject, found.at() + " is no directory", "a directory to write in");
        }
        if (!found.writable()) {
            return CheckLine.fail(
                    AREA,
                    subject,
                    "this user may not write in " + found.at(),
                    "a directory that belongs to the user of the daemon: make it, or 'chown' it, or run the check as that user");
        }
        String free =
                "%s, on %s with %.1f of %.1f GiB free"
                        .formatted(
                                found.exists() ? "writable" : "will be made",
                                found.type(),
                                found.freeBytes() / BYTES_PER_GIB,
                                found.sizeBytes() / BYTES_PER_GIB);
        CheckLine space = space(subject, found, free);
        return wrongPlace(subject, found, use, free)
                .filter(place -> place.level().compareTo(space.level()) >= 0)
                .orElse(space);
    }

    private static CheckLine space(String subject, Directory found, String free) {
        // A file system without a size, such as an overlay of a quota, says nothing of its rest.
        double share = found.sizeBytes() <= 0 ? 1 : (double) found.freeBytes() / found.sizeBytes();
        if (share >= FREE_WARN) {
            return CheckLine.ok(AREA, subject, free);
        }
        String expected =
                "%.0f %% free at least: docs/sizing.md says how much a daemon needs"
                        .formatted(FREE_WARN * 100);
        return share < FREE_FAIL
                ? CheckLine.fail(AREA, subject, free, expected)
                : CheckLine.warn(AREA, subject, free, expected);
    }

    private static Optional<CheckLine> wrongPlace(
            String subject, Directory found, Use use, String free) {
        String type = found.type().toLowerCase(Locale.ROOT);
        boolean network = NETWORK.matcher(type).matches();
        if (use == Use.OWN && network) {
            return Optional.of(
                    CheckLine.fail(
                            AREA,
                            subject,
                            free,
                            "a disk of this machine: what is there is locked, mapped and synced, which a network file system does not keep; only deployment.shared and deployment.output may be on one"));
        }
        if (MEMORY.matcher(type).matches()) {
            return Optional.of(
                    CheckLine.warn(
                            AREA,
                            subject,
                            free,
                            "a disk: what is in memory is gone after a restart of the machine"));
        }
        if (use == Use.SHARED && !network) {
            return Optional.of(
                    CheckLine.warn(
                            AREA,
                            subject,
                            free,
                            "a directory that all machines of the datacenter share, unless all its daemons run on this machine"));
        }
        return Optional.empty();
    }

    /**
     * A place elsewhere.
     *
     * @param trouble why it cannot be reached; empty: it answers
     */
    public static CheckLine ofUri(String key, String uri, boolean exists, String trouble) {
        String subject = key + " " + uri;
        return trouble.isEmpty()
                ? CheckLine.ok(
                        AREA, subject, exists ? "answers" : "answers, and the daemon makes it")
                : CheckLine.fail(
                        AREA,
                        subject,
                        trouble,
                        "a file system that answers from this machine: see hadoop in the configuration, and HADOOP_CONF_DIR");
    }
}

package photon.server.roles;

import java.io.IOException;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import photon.core.config.PipelineConfig;
import photon.core.error.FailedException;
import photon.core.error.IoText;
import photon.server.datacenters.DatacenterPaths;
import photon.storage.files.FileStore;
import photon.storage.files.FileSystemAway;

/**
 * Waits, when a daemon starts, until the file systems that it uses answer, and until those that it
 * writes to can be written: they may be started later, or start again. A daemon that ended instead
 * would be started again and again, and take the processor from what it waits for. What a file
 * system refuses is no reason to wait: the daemon meets it when it begins.
 */
final class FilesAtStart {
    /** As for the registry. */
    static final Duration PATIENCE = Duration.ofMinutes(5);

    private static final Duration ASK_EVERY = Duration.ofSeconds(1);
    private static final String AUTHORITY = "://";
    private static final Logger LOG = LoggerFactory.getLogger(FilesAtStart.class);

    private final LongSupplier nanoTime;
    private final Predicate<Duration> pause;

    /**
     * @param nanoTime monotonic
     * @param pause for so long; true: the daemon was asked to end
     */
    FilesAtStart(LongSupplier nanoTime, Predicate<Duration> pause) {
        this.nanoTime = nanoTime;
        this.pause = pause;
    }

    /** Fails if the file system is away. */
    @FunctionalInterface
    interface Question {
        void ask() throws IOException;
    }

    /**
     * For all that a daemon of this role uses.
     *
     * @throws FailedException if a file system has not answered within {@link #PATIENCE}, or the
     *     daemon was asked to end
     */
    void await(DaemonRun.Role role, DatacenterPaths paths, PipelineConfig config, FileStore files) {
        List<String> foreign = config.foreign().paths();
        switch (role) {
            case REGISTRY -> {} // has its own disk
            case EVENTSTORE -> await(files, List.of(paths.shared()), config.primary().paths());
            case DISPATCHER -> await(files, List.of(paths.shared()), foreign);
            case JOINER -> await(files, List.of(paths.shared(), paths.output()), List.of());
            case VERIFIER -> await(files, List.of(paths.shared(), paths.output()), foreign);
        }
    }

    /**
     * @param written paths and URIs that the daemon writes below
     * @param read that it reads below; they may have wildcards
     */
    void await(FileStore files, Collection<String> written, Collection<String> read) {
        Set<String> writtenRoots = roots(written);
        Set<String> readRoots = roots(read);
        readRoots.removeAll(writtenRoots);
        // To make a directory that is there changes nothing, and is refused in safe mode.
        writtenRoots.forEach(root -> await(root, () -> files.createDirectories(root)));
        readRoots.forEach(root -> await(root, () -> files.stat(root)));
    }

    /** The roots of the file systems of these paths, without local ones. */
    static Set<String> roots(Collection<String> paths) {
        Set<String> roots = new LinkedHashSet<>();
        for (String path : paths) {
            int authority = path.indexOf(AUTHORITY);
            if (authority > 0 && !path.substring(0, authority).equalsIgnoreCase("file")) {
                int end = path.indexOf('/', authority + AUTHORITY.length());
                roots.add(end < 0 ? path + "/" : path.substring(0, end + 1));
            }
        }
        return roots;
    }

    void await(String root, Question question) {
        long began = nanoTime.getAsLong();
        boolean told = false;
        while (true) {
            try {
                question.ask();
                break;
            } catch (IOException e) {
                if (!FileSystemAway.is(e)) {
                    return;
                }
                String trouble = IoText.of(e);
                if (nanoTime.getAsLong() - began >= PATIENCE.toNanos()) {
                    throw new FailedException(
                            "%s has not answered within %d minutes: %s"
                                    .formatted(root, PATIENCE.toMinutes(), trouble));
                }
                if (!told) {
                    told = true;
                    LOG.warn(
                            "{} does not answer yet, and is asked again for {} minutes: {}",
                            root,
                            PATIENCE.toMinutes(),
                            trouble);
                }
                if (pause.test(ASK_EVERY)) {
                    throw new FailedException(
                            "Asked to end while it waited for %s".formatted(root));
                }
            }
        }
        if (told) {
            LOG.info(
                    "{} answers, after {} s",
                    root,
                    Duration.ofNanos(nanoTime.getAsLong() - began).toSeconds());
        }
    }
}

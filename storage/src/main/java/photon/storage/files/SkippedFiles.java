package photon.storage.files;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Warns once of each name that globs match and that is no regular file. Thread-safe. */
final class SkippedFiles {
    private static final Logger log = LoggerFactory.getLogger(SkippedFiles.class);

    /** Of so many names at most it is remembered that they were told. */
    private static final int TOLD_MAX = 1_000;

    private final Set<String> told = ConcurrentHashMap.newKeySet();

    void skip(String path, LocalKind kind) {
        tell(path, "is " + kind + ": it is skipped, since only regular files are read");
    }

    void skipUnreadable(String path) {
        tell(
                path,
                "has a name that the locale of this process cannot read: it is skipped. Start with LANG=C.UTF-8");
    }

    private void tell(String path, String what) {
        if (told.size() >= TOLD_MAX || !told.add(path)) {
            return;
        }
        log.warn("{} {}", path, what);
        if (told.size() == TOLD_MAX) {
            log.warn("Further names that are not read are skipped without a warning");
        }
    }
}

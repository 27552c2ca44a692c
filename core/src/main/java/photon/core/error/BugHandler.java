package photon.core.error;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where every unexpected throwable ends. In a process it stops the process at once, without
 * shutdown hooks: a wrong output becomes a pause.
 */
@FunctionalInterface
public interface BugHandler {
    /**
     * Exit status of a process that a bug, or a disk that cannot be trusted, has stopped: "failed".
     */
    int EXIT_STATUS = 1;

    /** May return: callers then give up what they were doing. */
    void onBug(String where, Throwable bug);

    static BugHandler stopProcess() {
        Logger log = LoggerFactory.getLogger(BugHandler.class);
        return (where, bug) -> {
            if (bug instanceof FailedException) {
                log.error("Stopping the process: {}: {}", where, bug.getMessage());
            } else {
                log.error("Stopping the process: {} met what must not happen", where, bug);
            }
            System.err.println(lastWords(where, bug));
            Runtime.getRuntime().halt(EXIT_STATUS);
        };
    }

    /** One line, with what is at the bottom of it: a full disk hides behind what it led to. */
    static String lastWords(String where, Throwable bug) {
        if (bug instanceof FailedException) {
            return "photon: stopping, " + where + ": " + bug.getMessage();
        }
        Throwable root = bug;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        return "photon: stopping, "
                + where
                + ": "
                + bug
                + (root == bug ? "" : ", because of " + root);
    }
}

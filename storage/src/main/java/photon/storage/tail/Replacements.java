package photon.storage.tail;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Warns, by name, of files that were truncated or replaced: what was joined of their former content
 * stays joined, and without a warning nothing would say why the books find it in no log.
 */
final class Replacements {
    private static final Logger log = LoggerFactory.getLogger(Replacements.class);

    private Replacements() {}

    /**
     * The file's key goes on with other content. If the name has changed, too, it is a new file
     * that has got the key of a deleted one.
     */
    static void tell(TailedFile file) {
        if (file.offset > 0 && file.path.equals(file.readAs)) {
            log.warn(
                    "{} was truncated or replaced: it was read up to its byte {}, and is shorter now, or begins with other bytes. It is read from its start",
                    file.path,
                    file.offset);
        }
    }

    /**
     * No position of an earlier life fits what stands there. Under another name that is as a rule a
     * new file with the key of one that was deleted.
     */
    static void tellAtStart(TailedFile file) {
        for (FilePosition position : file.candidates) {
            if (position.path().equals(file.path) && position.offset() > 0) {
                log.warn(
                        "{} was truncated or replaced since it was read up to its byte {}. It is read from its start",
                        file.path,
                        position.offset());
                return;
            }
        }
    }

    /** A file that was not there before has this one's name, and no glob shows this one. */
    static void tellOfAnotherFile(TailedFile file) {
        if (file.offset > 0) {
            log.warn(
                    "{} is another file now. The one that was read under this name up to its byte {} has no name any more that a glob matches",
                    file.path,
                    file.offset);
        }
    }
}

package photon.eventstore.index;

import java.io.IOException;

/** The disk does not give back what a file of the index holds. */
final class UnreadableFileException extends IOException {
    UnreadableFileException(String path, IOException cause) {
        super(
                ("Cannot read %s: %s. If the disk has failed there, %s may be moved away while the"
                                + " store is down: the index is then built anew from the primary"
                                + " logs, as far as they reach back")
                        .formatted(path, cause.getMessage(), IndexNames.directoryOf(path)),
                cause);
    }
}

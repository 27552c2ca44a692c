package photon.eventstore.index;

import java.io.IOException;

/** A file of the index does not hold what was written to it. */
final class DamagedIndexException extends IOException {
    private final String file;

    DamagedIndexException(String file, long offset, String what) {
        super("Expected %s to be whole, but at offset %d %s".formatted(file, offset, what));
        this.file = file;
    }

    /** Of what was read, wherever it stands. */
    DamagedIndexException(String what) {
        super(what);
        this.file = "";
    }

    /** Its path; empty where the reader does not know it. */
    String file() {
        return file;
    }
}

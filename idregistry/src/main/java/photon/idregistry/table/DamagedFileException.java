package photon.idregistry.table;

import java.io.IOException;

/** A sealed file does not hold what was written to it: this replica must stop. */
public final class DamagedFileException extends IOException {
    DamagedFileException(String file, long offset, String what) {
        super(
                "Expected sealed file "
                        + file
                        + " to be whole, but at offset "
                        + offset
                        + " "
                        + what);
    }

    /** It came from a snapshot, where it has this name. */
    DamagedFileException(String inSnapshot, DamagedFileException found) {
        super(found.getMessage() + "; it is " + inSnapshot + " of the snapshot", found);
    }
}

package photon.eventstore.index;

import java.io.IOException;

/** What is there cannot be used as it is, and is no damage: another format, or other settings. */
final class OtherIndexException extends IOException {
    OtherIndexException(String what) {
        super(what);
    }
}

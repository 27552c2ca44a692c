package photon.registry.admin.backup;

import java.io.IOException;

/** A backup is not whole, or not as it was written. */
public final class DamagedBackupException extends IOException {
    public DamagedBackupException(String message) {
        super(message);
    }
}

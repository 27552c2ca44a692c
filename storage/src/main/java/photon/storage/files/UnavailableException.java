package photon.storage.files;

import java.io.IOException;

/**
 * A file system, or the part of it that holds a file, does not answer now. Says nothing of the
 * files in it: what was asked may be asked again later.
 */
public final class UnavailableException extends IOException {
    /**
     * @param what such as {@code Cannot list hdfs://namenode/logs}
     */
    public UnavailableException(String what, IOException cause) {
        super(what, cause);
    }
}

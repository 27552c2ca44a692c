package photon.idregistry.replicated;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** A whole file that never changes again, on a file system or, in the simulator, in memory. */
public interface StoredFile {
    /** Its bytes from the start, not buffered. */
    InputStream open() throws IOException;

    /** In bytes. */
    long size() throws IOException;

    /** Where it lies, to be linked instead of copied; null if it lies on no file system. */
    @Nullable Path path();
}

package photon.idregistry.replicated;

import java.io.IOException;
import java.util.List;

/** One whole snapshot. What was {@linkplain SnapshotWriter#create created} has been verified. */
public interface SnapshotReader {
    /** In order. */
    List<String> names();

    /**
     * One file, there until a later snapshot replaces this one: link it to keep it.
     *
     * @throws IOException if there is none of that name
     */
    StoredFile file(String name) throws IOException;
}

package photon.demo.generate;

import java.io.IOException;
import java.nio.file.Path;
import photon.storage.files.FileStore;
import photon.storage.files.FileStore.AppendFile;

/** Where generated logs are written. Places are paths in the generator's own directory. */
public interface LogStore {
    AppendFile create(Path place) throws IOException;

    /** Its writer may go on. */
    void rename(Path from, Path to) throws IOException;

    /** All logs are closed: returns when readers see all of them. */
    default void finish() throws IOException {}

    /** They are where their places say. */
    static LogStore of(FileStore files) {
        return new LogStore() {
            @Override
            public AppendFile create(Path place) throws IOException {
                return files.create(place.toString());
            }

            @Override
            public void rename(Path from, Path to) throws IOException {
                files.rename(from.toString(), to.toString());
            }
        };
    }
}

package photon.storage.lease;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.Test;
import photon.storage.document.DocumentFolder;
import photon.storage.files.FileStore;
import photon.storage.files.MemoryFileStore;

/** Leases on the simulator's files, whose power may be cut. */
class MemoryLeaseTest extends LeaseContract {
    private final MemoryFileStore files = new MemoryFileStore();

    @Override
    protected FileStore files() {
        return files;
    }

    @Override
    protected String directory() {
        return "/leases";
    }

    /** Otherwise its number would be given twice. */
    @Test
    void aTakingThatWasToldOutlivesAPowerCut() throws IOException {
        LeaseDocument document = new LeaseDocument(new DocumentFolder(files, "/leases"), "a");
        for (int i = 1; i <= 5; i++) {
            Lease lease = document.take(document.read(), "a", 0).orElseThrow();
            files.crashLosingAllUnsynced();
            assertThat(document.read().lease()).contains(lease);
        }
    }

    /** At whatever operation: nothing, or the whole of it. */
    @Test
    void aTakingThatIsCutOffLeavesWhatWasOrWhatWasToBe() throws IOException {
        LeaseDocument document = new LeaseDocument(new DocumentFolder(files, "/leases"), "a");
        Lease first = document.take(document.read(), "a", 0).orElseThrow();
        int cut = 0;
        for (int n = 1; n <= 12; n++) {
            LeaseDocument.Standing seen = document.read();
            int[] left = {n};
            files.setHook(
                    (operation, path) -> {
                        if (--left[0] == 0) {
                            throw new IOException("cut off");
                        }
                    });
            try {
                document.take(seen, "b", 0);
            } catch (IOException e) {
                cut++;
            }
            files.setHook((operation, path) -> {});
            files.crash();
            assertThat(document.read().lease().orElseThrow().holder()).isIn("a", "b");
            assertThat(document.take(document.read(), "a", first.number())).isPresent();
        }
        assertThat(cut).isPositive();
    }
}

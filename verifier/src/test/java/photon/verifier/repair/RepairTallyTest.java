package photon.verifier.repair;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.Test;
import photon.core.id.Incarnation;
import photon.storage.files.FileStore.FileInfo;
import photon.storage.files.MemoryFileStore;

class RepairTallyTest {
    private static final String STATE = "/state";

    private final MemoryFileStore files = new MemoryFileStore();
    private final RepairTally tally = new RepairTally(files, STATE);

    private long bytes() throws IOException {
        return files.list(STATE).stream().mapToLong(FileInfo::length).sum();
    }

    @Test
    void aYearOfRepairsTakesAsMuchRoomAsThoseThatAreNotRetired() throws IOException {
        long most = 0;
        for (int n = 1; n <= 3_000; n++) {
            tally.raise(new Incarnation(1 + n % 3, n), 2);
            if (n > 20) {
                tally.retire(new Incarnation(1 + (n - 20) % 3, n - 20));
            }
            most = Math.max(most, bytes());
        }
        assertThat(tally.total()).isEqualTo(6_000);
        assertThat(most).isLessThan(2 * (21 * 10 + 100)); // the document and the one before it
    }

    @Test
    void whatIsRetiredAgainCountsOnce() throws IOException {
        tally.raise(new Incarnation(1, 1), 2);
        tally.raise(new Incarnation(1, 2), 3);
        tally.retire(new Incarnation(1, 1));
        tally.retire(new Incarnation(1, 1));
        assertThat(tally.total()).isEqualTo(5);
        tally.raise(new Incarnation(1, 2), 4);
        assertThat(tally.total()).isEqualTo(6);
    }

    @Test
    void whatHadNothingToHandOverLeavesNoFile() throws IOException {
        tally.retire(new Incarnation(1, 1));
        assertThat(files.stat(STATE)).isNull();
        assertThat(tally.total()).isZero();
    }
}

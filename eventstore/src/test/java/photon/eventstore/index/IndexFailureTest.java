package photon.eventstore.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import photon.storage.files.FileStore;
import photon.storage.files.MemoryFileStore.Operation;

/** A disk that fails, is full, or loses files, while the index is open or is being opened. */
class IndexFailureTest extends IndexOnMemoryFiles {
    IndexFailureTest() {
        // One file is open at a time, so that each is opened again and again.
        limits = new IndexLimits(1, 3, 1_500, 200, 3, 1_000_000, 1, 0);
    }

    @Test
    void aPartThatIsGoneStopsTheReadAndIsWrittenAnewByTheNextStart() throws IOException {
        FileLogIndex index = open(USER);
        fill(index, 0, 3_000);
        for (String part : parts()) {
            files.delete(part);
        }
        assertThatThrownBy(() -> assertAllFound(index, 0, 3_000))
                .isInstanceOf(LogIndexException.class)
                .hasMessageContaining("part-");
        index.close();
        assertAllIsThereAgain();
    }

    @Test
    void aPartThatGoesWhileTheIndexIsOpenedIsWrittenAnew() throws IOException {
        for (boolean cut : List.of(true, false)) {
            files.delete(STATE + "/index");
            try (FileLogIndex index = open(USER)) {
                fill(index, 0, 3_000);
            }
            String first = parts().get(0);
            files.setHook(
                    (operation, path) -> {
                        if (!path.equals(first)) {
                            return;
                        }
                        if (cut && operation == Operation.OPEN) {
                            files.setHook((o, p) -> {});
                            files.truncate(path, 100);
                        } else if (!cut && operation == Operation.STAT) {
                            files.setHook((o, p) -> {});
                            files.delete(path);
                        }
                    });
            assertAllIsThereAgain();
        }
    }

    private void assertAllIsThereAgain() throws IOException {
        assertThat(files.stat(STATE + "/index.is-corrupt")).isNull();
        try (FileLogIndex index = open(USER)) {
            assertThat(index.opened().primaryEvents()).isEqualTo(3_000);
            assertAllFound(index, 0, 3_000);
        }
        assertThat(files.stat(STATE + "/index.corrupt")).isNull();
    }

    private List<String> parts() {
        return files.peek(STATE + "/index").stream()
                .map(FileStore.FileInfo::path)
                .filter(path -> path.contains("/part-"))
                .toList();
    }
}

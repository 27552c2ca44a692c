package photon.storage.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import photon.storage.document.VersionedDocument;
import photon.storage.files.MemoryFileStore;

class StatePartitionsTest {
    private static final String STATE = "/state/one";
    private final MemoryFileStore files = new MemoryFileStore();

    @BeforeEach
    void makeTheStatesDirectory() throws IOException {
        files.createDirectories(STATE);
    }

    @Test
    void aStateThatDoesNotSaySoIsNotDivided() throws IOException {
        StatePartitions read = StatePartitions.read(files, STATE);
        assertThat(read.directories()).containsExactly(STATE);
        assertThat(StatePartitions.read(files, "/state/none").count()).isEqualTo(1);
    }

    @Test
    void whatWasSaidWhenItWasMadeStands() throws IOException {
        StatePartitions made = new StatePartitions(STATE, 3);
        made.make(files);
        assertThat(StatePartitions.read(files, STATE)).isEqualTo(made);
        assertThat(made.directories())
                .containsExactly(
                        STATE + "/partition-0", STATE + "/partition-1", STATE + "/partition-2");
        assertThatThrownBy(() -> new StatePartitions(STATE, 4).make(files))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("somebody has divided it");
    }

    @Test
    void aNumberThatCannotBeIsRefused() throws IOException {
        new VersionedDocument(files, STATE, "partitions")
                .write(0, new byte[] {0x6d, 0x61, 0x6e, 0x79});
        assertThatThrownBy(() -> StatePartitions.read(files, STATE))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("got 'many'");
    }
}

package photon.registry.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import photon.core.id.CommitToken;
import photon.core.id.EventId;

final class VoidsFileTest {
    @TempDir Path root;

    @Test
    void theListIsThereOnceItIsSynced() throws IOException {
        Path path = root.resolve("voids");
        EventId id = new EventId(5, 1, 2, 3);
        CommitToken token = new CommitToken(1, 2, 3);
        try (VoidsFile list = VoidsFile.create(path)) {
            list.add(id, token, false);
            list.add(id, token, true);
            list.sync();
            assertThat(Files.readAllLines(path))
                    .containsExactly(
                            id + "\t" + token + "\ttaken", id + "\t" + token + "\tforgotten");
        }
        assertThatThrownBy(() -> VoidsFile.create(path))
                .isInstanceOf(FileAlreadyExistsException.class);
        assertThat(Files.readAllLines(path)).hasSize(2);
    }

    @Test
    void whereNothingIsVoidThereIsNoFile() throws IOException {
        Path path = root.resolve("voids");
        try (VoidsFile list = VoidsFile.create(path)) {
            list.sync();
        }
        assertThat(path).doesNotExist();
        try (VoidsFile none = VoidsFile.create(null)) {
            none.add(new EventId(5, 1, 2, 3), new CommitToken(1, 2, 3), false);
            none.sync();
        }
    }
}

package photon.storage.tail;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import photon.storage.document.VersionedDocument;
import photon.storage.files.MemoryFileStore;
import photon.storage.tail.ResetNotes.Note;

class ResetNotesTest {
    private static final String DIRECTORY = "/state/checkpoint";
    private static final Note FIRST = new Note(1_000, "ops", "earliest", "", 1, 0);

    private final MemoryFileStore files = new MemoryFileStore();

    @BeforeEach
    void make() throws IOException {
        files.createDirectories(DIRECTORY);
    }

    private static FilePosition position(int file, long offset) {
        return new FilePosition("/logs/" + file, "1:" + file, 5, "aa", offset, 7);
    }

    private ResetNotes read() throws IOException {
        return ResetNotes.read(files, DIRECTORY);
    }

    private List<FilePosition> everRead(FilePosition... positions) throws IOException {
        return read().withReadBefore(new Checkpoint(1, List.of(positions))).positions();
    }

    @Test
    void whereNobodyHasResetAnythingTheCheckpointSaysAll() throws IOException {
        assertThat(read()).isEqualTo(ResetNotes.NONE);
        assertThat(everRead(position(1, 9))).containsExactly(position(1, 9));
    }

    @Test
    void whatWasReadBeforeCountsUntilItIsPassedAgain() throws IOException {
        List<FilePosition> before = List.of(position(1, 100), position(2, 50));
        ResetNotes.add(files, DIRECTORY, FIRST, before, before);
        assertThat(read().notes()).containsExactly(FIRST);
        assertThat(everRead(position(1, 0), position(2, 50)))
                .containsExactly(position(1, 0), position(2, 50), position(1, 100));
        assertThat(everRead(position(1, 101))).containsExactly(position(1, 101), position(2, 50));
    }

    @Test
    void aSecondResetKeepsWhatTheFirstHasNotedAndWasNotPassed() throws IOException {
        List<FilePosition> before = List.of(position(1, 100), position(2, 50));
        ResetNotes.add(files, DIRECTORY, FIRST, before, before);
        List<FilePosition> now = List.of(position(1, 30), position(2, 60));
        Note second = new Note(2_000, "ops", "earliest", "", 1, 0);
        ResetNotes.add(files, DIRECTORY, second, now, now);
        assertThat(read().notes()).containsExactly(FIRST, second);
        assertThat(read().readBefore())
                .containsExactly(position(1, 100), position(1, 30), position(2, 60));
    }

    @Test
    void theNewestHundredAreKept() {
        ResetNotes notes = ResetNotes.NONE;
        for (int i = 0; i < 150; i++) {
            notes = notes.with(new Note(i, "ops", "latest", "", 0, 1), List.of(), List.of());
        }
        assertThat(notes.notes()).hasSize(100);
        assertThat(notes.notes().get(99).atMillis()).isEqualTo(149);
    }

    @Test
    void whatCannotBeMadeOutIsNotTakenForNone() throws IOException {
        new VersionedDocument(files, DIRECTORY, "resets")
                .write(0, "no json".getBytes(StandardCharsets.UTF_8));
        assertThatThrownBy(this::read)
                .isInstanceOf(IOException.class)
                .hasMessageContaining(DIRECTORY);
    }
}

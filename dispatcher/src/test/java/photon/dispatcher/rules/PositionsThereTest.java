package photon.dispatcher.rules;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import photon.storage.files.FileStore.FileInfo;
import photon.storage.tail.FilePosition;

class PositionsThereTest {
    private final Map<String, FileInfo> there = new LinkedHashMap<>();

    private void there(String key) {
        there.put(key, new FileInfo("/logs/" + key, key, 9_999, false, 7));
    }

    private static FilePosition position(String key, long offset, String beginning) {
        return new FilePosition("/logs/x", key, 5, beginning, offset, 7);
    }

    /** Every file there begins with "aa". */
    private List<FilePosition> here(FilePosition... positions) {
        return PositionsThere.of(
                there, List.of(positions), (file, position) -> position.prefixHash().equals("aa"));
    }

    /** As on NFS, where another machine, or the next start, sees the file under another key. */
    @Test
    void ofSeveralKeysOfAFileTheFurthestPositionCountsUnderTheKeyThatItHas() {
        there("1:5");
        assertThat(here(position("7:5", 50, "aa"))).containsExactly(position("1:5", 50, "aa"));
        assertThat(here(position("7:5", 50, "aa"), position("1:5", 20, "aa")))
                .containsExactly(position("1:5", 50, "aa"));
        assertThat(here(position("7:5", 50, "aa"), position("8:5", 90, "aa")))
                .containsExactly(position("1:5", 90, "aa"));
    }

    /** Two volumes that were made alike number their files alike. */
    @Test
    void theNumberAloneTellsNothing() {
        there("1:5");
        FilePosition away = position("7:5", 50, "bb");
        FilePosition own = position("1:5", 20, "aa");
        assertThat(here(away, own)).containsExactly(away, own);
        assertThat(here(away)).containsExactly(away);
        FilePosition unread = new FilePosition("/logs/x", "7:5", 0, "aa", 0, 7);
        assertThat(here(unread)).containsExactly(unread);
    }

    @Test
    void aPositionThatMayBeOfTwoFilesIsLeftAsItIs() {
        there("1:5");
        there("2:5");
        FilePosition unclear = position("7:5", 50, "aa");
        assertThat(here(unclear)).containsExactly(unclear);
    }
}

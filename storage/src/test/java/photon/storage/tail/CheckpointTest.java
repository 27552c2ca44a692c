package photon.storage.tail;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** What the checkpoints of two partitions say together. */
class CheckpointTest {
    private static final FilePosition ONE = new FilePosition("/logs/1", "1:1", 5, "aa", 7);
    private static final FilePosition TWO = new FilePosition("/logs/2", "1:2", 5, "bb", 9);
    private static final GoneFiles OLD = new GoneFiles(2, "/logs/old", 1_000);
    private static final GoneFiles YOUNG = new GoneFiles(3, "/logs/young", 2_000);

    private static Checkpoint of(long owner, FilePosition position, GoneFiles gone) {
        return new Checkpoint(owner, List.of(position), gone);
    }

    @Test
    void theFilesOfBothAreNamedAndThoseThatAreGoneCounted() {
        Checkpoint both = of(3, ONE, OLD).plus(of(2, TWO, YOUNG));
        assertThat(both.positions()).containsExactly(ONE, TWO);
        assertThat(both.gone()).isEqualTo(new GoneFiles(5, "/logs/young", 2_000));
        assertThat(both.owner()).isEqualTo(3);
    }

    @Test
    void theYoungestFileThatIsGoneIsToldWhoeverHadIt() {
        GoneFiles both = new GoneFiles(5, "/logs/young", 2_000);
        assertThat(YOUNG.plus(OLD)).isEqualTo(both);
        assertThat(OLD.plus(YOUNG)).isEqualTo(both);
        assertThat(YOUNG.plus(GoneFiles.NONE)).isEqualTo(YOUNG);
        assertThat(GoneFiles.NONE.plus(YOUNG)).isEqualTo(YOUNG);
        assertThat(GoneFiles.NONE.plus(GoneFiles.NONE)).isEqualTo(GoneFiles.NONE);
        GoneFiles beforeTimeBegan = new GoneFiles(1, "/logs/ancient", -5);
        assertThat(beforeTimeBegan.plus(GoneFiles.NONE)).isEqualTo(beforeTimeBegan);
    }
}

package photon.eventstore.index;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import photon.eventstore.index.MergeChoice.Choice;
import photon.eventstore.index.MergeChoice.Part;

class MergeChoiceTest {
    private static final int ROWS = IndexLimits.DEFAULTS.recentRows();
    private final MergeChoice choice = new MergeChoice(IndexLimits.DEFAULTS);

    @Test
    void eightNeighboursOfOneSizeBecomeOne() {
        assertThat(choice.choose(parts(1, 1, 1, 1, 1, 1, 1))).isEqualTo(Choice.NONE);
        assertThat(choice.choose(parts(8, 1, 1, 1, 1, 1, 1, 1, 1))).isEqualTo(new Choice(1, 8));
    }

    @Test
    void aSmallPartBetweenLargeOnesGoesWithThem() {
        assertThat(choice.choose(parts(8, 8, 8, 1, 8, 8, 8, 8, 8))).isEqualTo(new Choice(0, 9));
        assertThat(choice.choose(parts(64, 8, 8, 8, 1, 8, 8, 8))).isEqualTo(Choice.NONE);
    }

    @Test
    void aMergeMakesNoPartThatIsTooLarge() {
        long half = IndexLimits.DEFAULTS.partRowsMax() / 2 / ROWS + 1;
        assertThat(choice.choose(parts(half, half, half, half, half, half, half, half)))
                .isEqualTo(Choice.NONE);
    }

    @Test
    void aPartThatIsMostlyDroppedIsWrittenAnewAlone() {
        List<Part> parts = new ArrayList<>(parts(1, 1, 1));
        parts.set(1, new Part(1_000, 499));
        assertThat(choice.choose(parts)).isEqualTo(new Choice(1, 1));
        parts.set(1, new Part(1_000, 500));
        assertThat(choice.choose(parts)).isEqualTo(Choice.NONE);
    }

    /** What 100 million events come to: each row is written four times at most. */
    @Test
    void manyTablesLieInFewParts() {
        List<Long> rows = new ArrayList<>();
        long written = 0;
        int most = 0;
        for (int table = 0; table < 100_000_000 / ROWS; table++) {
            rows.add((long) ROWS);
            written += ROWS;
            while (true) {
                Choice next = choice.choose(rows.stream().map(r -> new Part(r, r)).toList());
                if (next.count() == 0) {
                    break;
                }
                List<Long> merged = rows.subList(next.from(), next.from() + next.count());
                long sum = merged.stream().mapToLong(Long::longValue).sum();
                written += sum;
                merged.clear();
                rows.add(next.from(), sum);
            }
            most = Math.max(most, rows.size());
        }
        assertThat(most).isLessThanOrEqualTo(22);
        assertThat(written).isLessThan(4 * 100_000_000L);
    }

    private static List<Part> parts(long... tables) {
        return LongStream.of(tables).mapToObj(n -> new Part(n * ROWS, n * ROWS)).toList();
    }
}

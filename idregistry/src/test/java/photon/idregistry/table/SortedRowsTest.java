package photon.idregistry.table;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import photon.core.id.EventId;

class SortedRowsTest {
    private static final long CELL = 170_000_000L;

    @ParameterizedTest(name = "{0} rows of {1} different microseconds")
    @CsvSource({
        "0, 1",
        "1, 1",
        "7, 3",
        "1500, 10000000",
        "5000, 2000",
        "5000, 40",
        "9000, 2",
        "3000, 1",
        // More of one microsecond than are brought together.
        "70000, 1",
        "210000, 3",
    })
    void rowsComeInIdOrderEachOnce(int count, int differentMicros) {
        Random random = new Random(count);
        Cell cell = new Cell(CELL, 0);
        List<EventId> ids = new ArrayList<>();
        IdRow row = new IdRow();
        for (int i = 0; i < count; i++) {
            long micros =
                    CELL * Cell.MICROS
                            + random.nextInt(differentMicros) * (Cell.MICROS / differentMicros);
            // Few servers, so that all parts of an id come to decide; signs too.
            EventId id =
                    new EventId(
                            micros,
                            random.nextInt(3) - 1L,
                            random.nextInt(3) - 1L,
                            random.nextInt());
            row.set(id);
            row.setToken(IdRow.owner(1, 1), i);
            if (cell.ids.putIfAbsent(row, 0)) {
                ids.add(id);
            }
        }
        ids.sort(null);

        SortedRows sorted = new SortedRows(cell.freeze());

        for (EventId id : ids) {
            assertThat(sorted.next(row)).isTrue();
            assertThat(new EventId(row.micros, row.serverHigh, row.serverLow, row.process))
                    .isEqualTo(id);
            assertThat(row.hash).isEqualTo(id.stableHash());
        }
        assertThat(sorted.next(row)).isFalse();
    }
}

package photon.demo;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import photon.core.id.EventId;

class IdentityTableTest {
    private final IdentityTable table = new IdentityTable();

    @Test
    void everyPartOfAnIdCounts() {
        assertThat(table.add(new EventId(1, 2, 3, 4), 0)).isTrue();
        assertThat(table.add(new EventId(9, 2, 3, 4), 1)).isTrue();
        assertThat(table.add(new EventId(1, 9, 3, 4), 2)).isTrue();
        assertThat(table.add(new EventId(1, 2, 9, 4), 3)).isTrue();
        assertThat(table.add(new EventId(1, 2, 3, 9), 4)).isTrue();
        assertThat(table.size()).isEqualTo(5);
        assertThat(table.get(new EventId(1, 2, 9, 4))).isEqualTo(3);
        assertThat(table.get(new EventId(1, 2, 9, 9))).isNegative();
    }

    @Test
    void manyIdsKeepTheirFirstNumbers() {
        int ids = 100_000;
        for (int i = 0; i < ids; i++) {
            assertThat(table.add(id(i), i)).isTrue();
        }
        for (int i = 0; i < ids; i++) {
            assertThat(table.add(id(i), 7)).isFalse();
            assertThat(table.get(id(i))).isEqualTo(i);
        }
        assertThat(table.size()).isEqualTo(ids);
    }

    private static EventId id(int i) {
        return new EventId(i / 3, 0, 0xFFFF_0A00_0001L, i % 3);
    }
}

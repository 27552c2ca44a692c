package photon.eventstore.index;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RecentBlocksTest {
    private static final int BYTES_MAX = 40_000;

    private final RecentBlocks blocks = new RecentBlocks(BYTES_MAX);

    @Test
    void theNewestAreKeptWithinTheBound() {
        for (int i = 1; i <= 1_000; i++) {
            blocks.put(i, new Block(new byte[i]));
            assertThat(blocks.bytes()).isBetween(1L, (long) BYTES_MAX);
        }
        int kept = 0;
        while (blocks.get(1_000 - kept) != null) {
            kept++;
        }
        // Of a thousand bytes and what is around them: no more would fit, and none is missing.
        assertThat(kept).isBetween(BYTES_MAX / 1_500, BYTES_MAX / 1_450);
        for (int i = 1; i <= 1_000 - kept; i++) {
            assertThat(blocks.get(i)).isNull();
        }
    }

    @Test
    void whatIsLargerThanAllIsNotKeptAndDrivesNothingOut() {
        Block small = new Block(new byte[10]);
        blocks.put(1, small);
        blocks.put(2, new Block(new byte[BYTES_MAX]));
        assertThat(blocks.get(1)).isSameAs(small);
        assertThat(blocks.get(2)).isNull();
    }

    @Test
    void withoutRoomNothingIsKept() {
        RecentBlocks none = new RecentBlocks(0);
        none.put(1, new Block(new byte[10]));
        assertThat(none.get(1)).isNull();
        assertThat(none.bytes()).isZero();
    }
}

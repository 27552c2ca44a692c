package photon.core.filter;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BlockedFilterTest {
    /** The low ends of one shard's hashes are alike. */
    private static long hash(Random random, int shards) {
        return random.nextLong() / shards * shards;
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 64})
    void letsAllThroughThatItHoldsAndFewOthers(int shards) {
        int rows = 200_000;
        Random random = new Random(1);
        BlockedFilter filter = BlockedFilter.of(rows);
        long[] hashes = new long[64];
        for (int added = 0; added < rows; added += hashes.length) {
            Arrays.setAll(hashes, i -> hash(random, shards));
            filter.addAll(hashes, hashes.length);
        }
        ByteBuffer bytes = ByteBuffer.allocate((int) filter.bytes());
        filter.write(bytes);
        BlockedFilter read = BlockedFilter.read(bytes.flip(), filter.longs());

        Random again = new Random(1);
        for (int i = 0; i < rows; i++) {
            assertThat(read.mayHold(hash(again, shards))).isTrue();
        }
        int others = 0;
        for (int i = 0; i < rows; i++) {
            others += read.mayHold(hash(again, shards)) ? 1 : 0;
        }
        assertThat(others).isBetween(1, rows / 50);
        assertThat(filter.bytes()).isLessThan(rows * 11 / 8);
    }

    @Test
    void anEmptyOneLetsNothingThrough() {
        assertThat(BlockedFilter.of(0).mayHold(7)).isFalse();
    }
}

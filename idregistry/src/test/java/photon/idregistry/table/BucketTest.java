package photon.idregistry.table;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class BucketTest {
    private final Bucket bucket = new Bucket(0, 0);
    private final IdRow row = new IdRow();

    private IdRow row(long n) {
        row.setId(n % Cell.MICROS, n * 31, -n, (int) n);
        row.setToken(IdRow.owner(1, 1), n);
        return row;
    }

    @Test
    void pagesSplitAndAllIdsStayFound() {
        int ids = 100_000;
        for (int n = 0; n < ids; n++) {
            assertThat(bucket.putIfAbsent(row(n), 0)).isTrue();
        }
        Page[] pages = distinct(bucket);
        assertThat(pages.length).isBetween(ids / Page.ROWS_MAX, 3 * ids / Page.ROWS_MAX);
        assertThat(pages).allMatch(page -> page.capacity() == Page.ROWS_MAX && !page.isFull());
        assertThat(bucket.size()).isEqualTo(ids);
        assertThat(Arrays.stream(pages).mapToInt(page -> page.size).sum()).isEqualTo(ids);
        assertThat(Arrays.stream(pages).mapToLong(Page::bytes).sum() + bucket.pages().length * 4L)
                .isEqualTo(bucket.bytes());
        for (int n = 0; n < ids; n++) {
            assertThat(bucket.find(row(n))).isTrue();
            assertThat(row.holderSequence).isEqualTo(n);
            assertThat(bucket.find(row(ids + n))).isFalse();
        }
        for (int n = 0; n < ids; n += 2) {
            bucket.remove(row(n), 0);
        }
        for (int n = 0; n < ids; n++) {
            assertThat(bucket.find(row(n))).isEqualTo(n % 2 == 1);
        }
    }

    @Test
    void whatWasFrozenStaysAsItWasWhateverComes() {
        Random random = new Random(3);
        Map<Long, Long> held = new HashMap<>();
        for (int epoch = 0; epoch < 12; epoch++) {
            Map<Long, Long> then = new HashMap<>(held);
            Page[] frozen = bucket.pages();
            int size = bucket.size();
            change(random, held, epoch + 1);
            assertThat(rowsOf(new Cell.Frozen(0, 0, 0, 0, size, frozen))).isEqualTo(then);
            assertThat(rowsOf(new Cell.Frozen(0, 0, 0, 0, bucket.size(), bucket.pages())))
                    .isEqualTo(held);
        }
    }

    private void change(Random random, Map<Long, Long> held, int epoch) {
        for (int i = 0; i < 3_000; i++) {
            long n = random.nextInt(20_000);
            switch (random.nextInt(4)) {
                case 0 -> {
                    bucket.remove(row(n), epoch);
                    held.remove(n);
                }
                case 1 -> {
                    bucket.put(row(n), IdRow.owner(2, 2), i, epoch);
                    held.put(n, (long) i);
                }
                default -> {
                    bucket.putIfAbsent(row(n), epoch);
                    held.putIfAbsent(n, n);
                }
            }
        }
    }

    private static Map<Long, Long> rowsOf(Cell.Frozen cell) {
        SortedRows rows = new SortedRows(cell);
        IdRow row = new IdRow();
        Map<Long, Long> found = new HashMap<>();
        while (rows.next(row)) {
            found.put(-row.serverLow, row.sequence);
        }
        return found;
    }

    private static Page[] distinct(Bucket bucket) {
        return new Cell.Frozen(0, 0, 0, 0, 0, bucket.pages()).distinctPages();
    }

    @Test
    void idsWhoseHashesAreAllTheSameAreAsRight() {
        int ids = 6_000;
        for (int n = 0; n < ids; n++) {
            assertThat(bucket.putIfAbsent(colliding(n), 0)).isTrue();
            assertThat(row.hash).isEqualTo(colliding(0).hash);
        }
        assertThat(bucket.pages()).hasSizeLessThan(ids);
        for (int n = 0; n < ids; n++) {
            assertThat(bucket.find(colliding(n))).isTrue();
            assertThat(row.holderSequence).isEqualTo(n);
        }
    }

    /** As one who knows the hash could choose them. */
    private IdRow colliding(long n) {
        row.setId(1_000_000, n, mix(mix(1_000_000 + 0x9E3779B97F4A7C15L) ^ n), 7);
        row.setToken(IdRow.owner(1, 1), n);
        return row;
    }

    private static long mix(long z) {
        long y = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
        y = (y ^ (y >>> 27)) * 0x94D049BB133111EBL;
        return y ^ (y >>> 31);
    }
}

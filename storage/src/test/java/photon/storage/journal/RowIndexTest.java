package photon.storage.journal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import photon.core.event.LogEvent;
import photon.core.id.CommitToken;
import photon.core.id.EventId;
import photon.storage.files.MemoryFileStore;

class RowIndexTest {
    private final SegmentState first = new SegmentState(new MemoryFileStore(), "/j", 1, "one");
    private final SegmentState second = new SegmentState(new MemoryFileStore(), "/j", 2, "two");

    /** A row as the index should have it. */
    private static final class Row {
        final long number;
        long version;
        long dueMillis;
        int priority;
        String reason = "";
        boolean processing;
        @Nullable SegmentState segment;

        Row(long number) {
            this.number = number;
        }
    }

    private final RowIndex index = new RowIndex();
    private final Map<JournalRow.Key, Row> model = new HashMap<>();
    private long numbers;

    static IntStream seeds() {
        return IntStream.range(0, 40);
    }

    private static JournalRow.Key key(SplittableRandom random) {
        EventId id = new EventId(random.nextInt(40), 1, random.nextInt(3), 7);
        int kind = random.nextInt(4);
        return new JournalRow.Key(id, kind < 2 ? null : new CommitToken(kind, 1, 1));
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void theIndexKnowsWhatAPlainMapKnows(int seed) {
        SplittableRandom random = new SplittableRandom(seed);
        for (int step = 0; step < 4_000; step++) {
            change(random);
            if (step % 50 == 0) {
                compare(random.nextInt(300));
            }
        }
        for (JournalRow.Key key : List.copyOf(model.keySet())) {
            delete(key, index.version(index.get(key)));
        }
        compare(300);
        assertThat(index.size()).isZero();
        assertThat(first.liveBytes).isZero();
        assertThat(second.liveBytes).isZero();
    }

    private void change(SplittableRandom random) {
        JournalRow.Key key = key(random);
        Row row = model.get(key);
        switch (random.nextInt(6)) {
            case 0, 1 -> put(key, random);
            case 2 -> {
                long version = row == null || random.nextInt(4) > 0 ? index.nextVersion() : 0;
                update(
                        key,
                        version,
                        random.nextInt(300),
                        random.nextInt(3) - 1,
                        "r" + random.nextInt(5));
            }
            case 3 -> delete(key, row == null ? 1 : row.version - random.nextInt(2));
            case 4 -> {
                if (row != null) {
                    index.setProcessing(index.get(key), !row.processing);
                    row.processing = !row.processing;
                }
            }
            default -> {
                if (row != null) {
                    row.dueMillis = random.nextInt(300);
                    index.setDue(index.get(key), row.dueMillis);
                }
            }
        }
    }

    private void put(JournalRow.Key key, SplittableRandom random) {
        Row row = model.computeIfAbsent(key, k -> new Row(numbers++));
        row.version = index.nextVersion();
        row.dueMillis = random.nextInt(300);
        row.priority = random.nextInt(3) - 1;
        row.reason = "p" + random.nextInt(4);
        row.segment = random.nextBoolean() ? first : second;
        LogEvent event = OpenJournalTest.event(1);
        JournalRow content =
                new JournalRow(key, event, 5, row.dueMillis, 2, row.priority, row.reason, true);
        index.apply(new JournalEntry.Put(content, row.version), row.segment, 12, 30);
    }

    private void update(JournalRow.Key key, long version, long due, int priority, String reason) {
        index.apply(new JournalEntry.Update(key, version, 4, due, 3, priority, false, reason));
        Row row = model.get(key);
        if (row != null && version >= row.version) {
            row.version = version;
            row.dueMillis = due;
            row.priority = priority;
            row.reason = reason;
        }
    }

    private void delete(JournalRow.Key key, long version) {
        index.apply(new JournalEntry.Delete(key, version));
        Row row = model.get(key);
        if (row != null && row.version == version) {
            model.remove(key);
        }
    }

    private void compare(long nowMillis) {
        assertThat(index.size()).isEqualTo(model.size());
        Map<String, Integer> reasons = new TreeMap<>();
        List<Row> waiting = new ArrayList<>();
        Map<SegmentState, Long> live = new HashMap<>();
        model.forEach(
                (key, row) -> {
                    int at = index.get(key);
                    assertThat(index.key(at)).isEqualTo(key);
                    assertThat(index.version(at)).isEqualTo(row.version);
                    assertThat(index.dueMillis(at)).isEqualTo(row.dueMillis);
                    assertThat(index.priority(at)).isEqualTo(row.priority);
                    assertThat(index.isProcessing(at)).isEqualTo(row.processing);
                    assertThat(index.segment(at)).isSameAs(row.segment);
                    reasons.merge(row.reason, 1, Integer::sum);
                    live.merge(index.segment(at), 30L, Long::sum);
                    if (!row.processing) {
                        waiting.add(row);
                    }
                });
        reasons.forEach((text, count) -> assertThat(index.ofReason(text)).isEqualTo(count));
        assertThat(index.waiting()).isEqualTo(waiting.size());
        assertThat(first.liveBytes).isEqualTo(live.getOrDefault(first, 0L));
        assertThat(second.liveBytes).isEqualTo(live.getOrDefault(second, 0L));
        compareOrder(waiting, nowMillis);
    }

    private void compareOrder(List<Row> waiting, long nowMillis) {
        assertThat(index.nextDueMillis())
                .isEqualTo(
                        waiting.stream().mapToLong(r -> r.dueMillis).min().orElse(Long.MAX_VALUE));
        waiting.removeIf(row -> row.dueMillis > nowMillis);
        waiting.sort(
                Comparator.<Row>comparingInt(row -> row.priority)
                        .thenComparingLong(row -> row.dueMillis)
                        .thenComparingLong(row -> row.number));
        List<Integer> taken = new ArrayList<>();
        for (Row expected : waiting) {
            int at = index.firstDue(nowMillis);
            assertThat(model.get(index.key(at))).isSameAs(expected);
            index.setProcessing(at, true);
            taken.add(at);
        }
        assertThat(index.firstDue(nowMillis)).isEqualTo(RowIndex.ABSENT);
        taken.forEach(at -> index.setProcessing(at, false));
    }

    private void fill(int rows, LogEvent event) {
        for (int i = 0; i < rows; i++) {
            EventId id = new EventId(i, 3, i * 31L, 7);
            JournalRow row =
                    new JournalRow(
                            new JournalRow.Key(id, null),
                            event,
                            i,
                            i ^ 0x5555,
                            1,
                            0,
                            "waiting",
                            false);
            index.apply(new JournalEntry.Put(row, index.nextVersion()), first, i, 30);
        }
    }

    /** By the sizes of its arrays; of five million rows the same comes to less than 512 MiB. */
    @Test
    void aRowTakesAHundredBytes() {
        fill(300_000, OpenJournalTest.event(1));
        assertThat(index.bytes() / 300_000).isLessThan(105);
    }

    @Test
    void whatABacklogTookIsGivenBack() {
        fill(100_000, OpenJournalTest.event(1));
        long full = index.bytes();
        for (int i = 0; i < 99_990; i++) {
            EventId id = new EventId(i, 3, i * 31L, 7);
            int row = index.get(new JournalRow.Key(id, null));
            index.apply(new JournalEntry.Delete(index.key(row), index.version(row)));
        }
        assertThat(index.size()).isEqualTo(10);
        assertThat(index.bytes()).isLessThan(full / 10);
    }
}

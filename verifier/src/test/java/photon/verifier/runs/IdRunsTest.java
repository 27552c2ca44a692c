package photon.verifier.runs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import photon.core.id.EventId;
import photon.storage.files.MemoryFileStore;

final class IdRunsTest {
    private static final String SCRATCH = "/state/scratch";

    private final MemoryFileStore files = new MemoryFileStore();

    private IdRuns runs(int inMemory, int runs) {
        return new IdRuns(files, SCRATCH, "1-1", new IdRuns.Limits(inMemory, runs));
    }

    private static EventId id(long n) {
        return new EventId(n, 3, 4, 5);
    }

    private static List<Long> read(SortedIds ids) throws IOException {
        List<Long> read = new ArrayList<>();
        while (ids.next()) {
            read.add(ids.id().micros());
        }
        return read;
    }

    private static void fill(IdRuns runs, int from, int to) throws IOException {
        for (int n = from; n < to; n++) {
            while (runs.crowded()) {
                runs.compact(3);
            }
            runs.add(id(n * 7_919L % 10_007), n);
        }
        while (runs.crowded()) {
            runs.compact(3);
        }
    }

    /** Against a sorted map, with ids that differ in any of their parts, or in none. */
    @Test
    void whateverIsAddedComesBackInIdOrder() throws IOException {
        for (int seed = 0; seed < 300; seed++) {
            Random random = new Random(seed);
            TreeMap<EventId, List<Long>> model = new TreeMap<>();
            int inMemory = 1 + random.nextInt(40);
            IdRuns runs = runs(inMemory, 2 + random.nextInt(4));
            int size = random.nextInt(400);
            boolean wide = random.nextBoolean();
            for (long n = 0; n < size; n++) {
                EventId id =
                        new EventId(
                                wide ? random.nextLong() >>> 1 : random.nextInt(20),
                                random.nextInt(3) - 1,
                                random.nextInt(3) - 1,
                                random.nextInt(3) - 1);
                model.computeIfAbsent(id, unknown -> new ArrayList<>()).add(n);
                while (runs.crowded()) {
                    runs.compact(1 + random.nextInt(50));
                }
                runs.add(id, n);
            }
            while (runs.crowded()) {
                runs.compact(7);
            }
            SortedIds sorted = runs.sorted();
            for (var entry : model.entrySet()) {
                List<Long> sequences = new ArrayList<>();
                for (int i = 0; i < entry.getValue().size(); i++) {
                    assertThat(sorted.next()).as("seed %s", seed).isTrue();
                    assertThat(sorted.id()).isEqualTo(entry.getKey());
                    assertThat(sorted.compareTo(entry.getKey())).isZero();
                    sequences.add(sorted.sequence());
                }
                assertThat(sequences).containsExactlyInAnyOrderElementsOf(entry.getValue());
            }
            assertThat(sorted.next()).isFalse();
            assertThat(runs.size()).isEqualTo(size);
            runs.close();
            assertThat(files.list(SCRATCH)).isEmpty();
        }
    }

    /** Counted, and the same for ten times the ids. */
    @Test
    void memoryIsBoundedWhateverTheNumberOfIds() throws IOException {
        for (int ids : new int[] {2_000, 20_000}) {
            try (IdRuns runs = runs(100, 8)) {
                fill(runs, 0, ids);
                SortedIds sorted = runs.sorted();
                assertThat(read(sorted)).hasSize(ids).isSorted();
                assertThat(runs.inMemoryMax()).isEqualTo(100);
                assertThat(runs.runsMax()).isLessThanOrEqualTo(8);
            }
        }
    }

    @Test
    void whatFitsIntoMemoryNeedsNoDisk() throws IOException {
        files.setCapacityBytes(0);
        try (IdRuns runs = runs(100, 2)) {
            fill(runs, 0, 99);
            assertThat(read(runs.sorted())).hasSize(99).isSorted();
        }
        assertThat(files.stat(SCRATCH)).isNull();
    }

    @Test
    void aFullDiskIsAnErrorAndLeavesNothingBehind() throws IOException {
        files.setCapacityBytes(2_000);
        IdRuns runs = runs(10, 100);
        assertThatThrownBy(
                        () -> {
                            fill(runs, 0, 10_000);
                            read(runs.sorted());
                        })
                .isInstanceOf(IOException.class);
        runs.close();
        runs.close();
        assertThat(files.list(SCRATCH)).isEmpty();
    }

    @Test
    void aBitThatTheDiskHasChangedIsAnErrorAndNoAbsence() throws IOException {
        for (int at = 0; at < 400; at += 13) {
            int from = at;
            try (IdRuns runs = runs(10, 100)) {
                fill(runs, 0, 25);
                SortedIds sorted = runs.sorted();
                // Read in blocks: what is read when the merge begins was read before.
                files.corrupt(SCRATCH + "/1-1.1", from);
                assertThatThrownBy(() -> read(runs.sorted()))
                        .as("byte %s", at)
                        .isInstanceOf(IOException.class)
                        .hasMessageContaining("scratch");
                assertThat(read(sorted)).hasSize(25);
            }
        }
    }

    @Test
    void whatACrashHasLeftIsDeletedAtTheStart() throws IOException {
        IdRuns crashed = runs(10, 100);
        fill(crashed, 0, 25);
        assertThat(files.list(SCRATCH)).hasSize(1);
        IdRuns.clear(files, SCRATCH);
        assertThat(files.list(SCRATCH)).isEmpty();
        IdRuns.clear(files, "/state/never-made");
    }

    @Test
    void twoRepairersDoNotWriteIntoOneFile() throws IOException {
        try (IdRuns one = runs(10, 100);
                IdRuns other = runs(10, 100)) {
            fill(one, 0, 30);
            fill(other, 100, 130);
            assertThat(read(one.sorted())).hasSize(30).isSorted();
            assertThat(read(other.sorted())).hasSize(30).isSorted();
        }
    }
}

package photon.storage.journal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import photon.core.id.CommitToken;
import photon.storage.files.MemoryFileStore;

/**
 * The journal against a plain map, with crashes at any operation on its files. What was committed
 * stands; what was under way when the crash came stands wholly or not at all.
 */
class JournalModelTest {
    private static final String DIRECTORY = "/state/journal";
    private static final int KEYS = 12;

    /** What of a row must survive. */
    private record Numbers(long dueMillis, int attempts, boolean attemptOpen) {}

    private final Map<JournalRow.Key, Numbers> model = new HashMap<>();
    private long owner;

    /** Keys that came again while their row was processing. */
    private final Map<JournalRow.Key, Boolean> arrivedAgainKeys = new HashMap<>();

    static IntStream seeds() {
        return IntStream.range(0, 150);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void whatWasCommittedStandsAndTheRestStandsWhollyOrNotAtAll(int seed) throws IOException {
        SplittableRandom random = new SplittableRandom(seed);
        MemoryFileStore files = new MemoryFileStore(seed);
        for (int life = 0; life < 6; life++) {
            int[] operationsLeft = {1 + random.nextInt(150)};
            files.setHook(
                    (operation, path) -> {
                        if (--operationsLeft[0] == 0) {
                            throw new IOException("the process dies here");
                        }
                    });
            Map<JournalRow.Key, Numbers> uncertain = live(files, random);
            files.setHook((operation, path) -> {});
            if (random.nextInt(3) == 0) {
                files.endHandles(); // a kill: what was flushed stays, synced or not
            } else {
                files.crash();
            }
            Map<JournalRow.Key, Numbers> read = read(files);
            assertThat(read).as("seed %d life %d", seed, life).isIn(model, uncertain);
            model.clear();
            model.putAll(read);
        }
    }

    private Map<JournalRow.Key, Numbers> read(MemoryFileStore files) throws IOException {
        Map<JournalRow.Key, Numbers> read = new HashMap<>();
        RetryJournal.forEachRow(
                files,
                DIRECTORY,
                row -> {
                    assertThat(row.event())
                            .isEqualTo(OpenJournalTest.event(row.key().id().micros()));
                    read.put(
                            row.key(),
                            new Numbers(row.dueMillis(), row.attempts(), row.attemptOpen()));
                });
        return read;
    }

    /**
     * Works until the crash.
     *
     * @return what stands if the commit that was under way came through
     */
    private Map<JournalRow.Key, Numbers> live(MemoryFileStore files, SplittableRandom random) {
        Map<JournalRow.Key, Numbers> staged = new HashMap<>(model);
        arrivedAgainKeys.clear();
        try (OpenJournal journal = OpenJournal.open(files, DIRECTORY, ++owner, 1_500)) {
            List<OpenJournal.Taken> processing = new ArrayList<>();
            while (true) {
                for (int change = random.nextInt(4); change >= 0; change--) {
                    change(journal, processing, staged, random);
                }
                journal.commit();
                model.clear();
                model.putAll(staged);
                if (random.nextInt(3) == 0) {
                    processing.addAll(journal.takeDue(random.nextLong(200), 3));
                }
            }
        } catch (IOException e) {
            return staged;
        }
    }

    private void change(
            OpenJournal journal,
            List<OpenJournal.Taken> processing,
            Map<JournalRow.Key, Numbers> staged,
            SplittableRandom random) {
        int kind = random.nextInt(3);
        if (kind == 0 || processing.isEmpty()) {
            @Nullable CommitToken lost = random.nextInt(3) == 0 ? new CommitToken(1, 1, 1) : null;
            JournalRow row =
                    OpenJournalTest.row(1 + random.nextInt(KEYS), random.nextLong(200), 1, lost);
            journal.put(row);
            staged.merge(
                    row.key(),
                    new Numbers(row.dueMillis(), 0, false),
                    (a, b) ->
                            new Numbers(
                                    Math.min(a.dueMillis(), b.dueMillis()),
                                    a.attempts(),
                                    a.attemptOpen()));
            arrived(processing, row.key());
            return;
        }
        OpenJournal.Taken taken = processing.remove(random.nextInt(processing.size()));
        JournalRow.Key key = taken.row().key();
        boolean arrivedAgain = arrivedAgainKeys.remove(key) != null;
        if (kind == 1) {
            journal.finish(taken);
            if (!arrivedAgain) {
                staged.remove(key);
            }
        } else {
            long due = random.nextLong(200);
            journal.again(taken, due, taken.row().attempts() + 1, "again", true);
            staged.computeIfPresent(
                    key,
                    (k, old) ->
                            new Numbers(
                                    arrivedAgain ? Math.min(due, old.dueMillis()) : due,
                                    Math.max(old.attempts(), taken.row().attempts() + 1),
                                    true));
        }
    }

    private void arrived(List<OpenJournal.Taken> processing, JournalRow.Key key) {
        if (processing.stream().anyMatch(taken -> taken.row().key().equals(key))) {
            arrivedAgainKeys.put(key, true);
        }
    }
}

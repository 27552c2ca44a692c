package photon.storage.journal;

import java.io.IOException;
import java.nio.file.Path;
import photon.core.id.EventId;
import photon.storage.files.HadoopFileStore;

/**
 * Measures the retry journal: {@code DIRECTORY ROWS put} makes a journal of so many waiting rows,
 * {@code DIRECTORY OWNER start} opens it anew, as a dispatcher does at its start. Run it with the
 * heap that is to be enough. See docs/benchmarks.md.
 */
public final class JournalLoad {
    private static final int ROWS_PER_COMMIT = 4_096;

    private JournalLoad() {}

    public static void main(String[] args) throws IOException {
        String directory = Path.of(args[0]).toAbsolutePath().toString();
        int number = Integer.parseInt(args[1]);
        boolean put = args[2].equals("put");
        long begin = System.nanoTime();
        try (OpenJournal journal =
                OpenJournal.open(new HadoopFileStore(), directory, put ? 1 : number)) {
            for (int i = 0; put && i < number; i++) {
                EventId id = new EventId(1_000_000L + i, 3, i * 31L, 7);
                journal.put(
                        new JournalRow(
                                new JournalRow.Key(id, null),
                                OpenJournalTest.event(id.micros()),
                                i,
                                i ^ 0x5555,
                                0,
                                1,
                                "waiting for its primary event",
                                false));
                if (i % ROWS_PER_COMMIT == ROWS_PER_COMMIT - 1) {
                    journal.commit();
                }
            }
            journal.commit();
            System.out.printf(
                    "rows %d, index %d MiB, %.1f s%n",
                    journal.waiting(),
                    journal.indexBytes() >> 20,
                    (System.nanoTime() - begin) / 1e9);
        }
    }
}

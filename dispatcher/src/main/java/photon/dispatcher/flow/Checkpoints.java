package photon.dispatcher.flow;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import photon.storage.tail.FilePosition;

/**
 * Stores how far the files are done. Only offsets that the main loop has seen pass go in, and these
 * pass an event only once what replaces it is durable. Main loop.
 */
final class Checkpoints {
    private final LogReader reader;
    private final JournalWriter journal;
    private final Map<String, Known> known = new LinkedHashMap<>();
    private boolean writing;

    /**
     * @param resume positions of an earlier life: kept for files that have not been met again yet
     */
    Checkpoints(LogReader reader, JournalWriter journal, List<FilePosition> resume) {
        this.reader = reader;
        this.journal = journal;
        resume.forEach(position -> known.put(position.key(), new Known(-1, position)));
    }

    /**
     * @param file the tail's number; a file that has replaced another under its key has a higher
     *     one
     */
    private record Known(int file, FilePosition position) {}

    boolean writing() {
        return writing;
    }

    /** Stores these; nothing may be being stored. */
    void store(Map<Integer, Long> movedOffsets, Runnable done) {
        writing = true;
        reader.positions(
                movedOffsets,
                positions -> {
                    positions.forEach(this::learn);
                    journal.checkpoint(
                            known.values().stream().map(Known::position).toList(),
                            () -> {
                                writing = false;
                                done.run();
                            });
                });
    }

    /** The end of a file that was replaced must not hide how far the one after it is done. */
    private void learn(int file, FilePosition position) {
        Known before = known.get(position.key());
        if (before == null || before.file() <= file) {
            known.put(position.key(), new Known(file, position));
        }
    }
}

package photon.verifier.source;

import java.io.IOException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import photon.core.config.StreamConfig;
import photon.core.time.IntervalClock;
import photon.storage.files.FileStore;
import photon.storage.files.Globs;
import photon.storage.tail.FilePosition;
import photon.storage.tail.FileRecognition;
import photon.storage.tail.LogTail;
import photon.storage.tail.TailBatch;
import photon.storage.tail.Unterminated;

/** The foreign logs of a datacenter, to be read from any position as often as need be. */
@FunctionalInterface
public interface ForeignLogs {
    /** With nothing to resume: every log from its start. */
    Reading open(List<FilePosition> resume) throws IOException;

    /** The logs that the configuration names. */
    static ForeignLogs of(FileStore files, StreamConfig foreign, IntervalClock clock) {
        return resume ->
                new TailReading(
                        files,
                        foreign.paths(),
                        new LogTail(files, foreign, resume, TailReading.RESCAN, clock));
    }

    /** One reading; see {@link LogTail} for what its methods say. */
    interface Reading extends AutoCloseable {
        /**
         * The next poll lists the logs, however soon it comes. Before each question whether all is
         * read: that it is ({@link TailBatch#caughtUp}) then is of all that is there now.
         */
        void listNext();

        TailBatch poll(int recordsMax, long nanoTime) throws IOException;

        FilePosition position(int file, long offset);

        /** How far each file was read that was met, by number, also those that are gone by now. */
        List<FilePosition> reached();

        /** Files that are there and cannot be read on, by number, each with the reason. */
        SortedMap<Integer, String> unreadable();

        /**
         * Which of these positions may be in this file, by its first bytes, with or without its
         * compression; empty: it cannot be told now.
         */
        Optional<List<FilePosition>> recognise(FilePosition file, Collection<FilePosition> wanted);

        /** The directories that globs name before any wildcard and that are not there now. */
        List<String> missingDirectories() throws IOException;

        /** What stands half-written at the ends of files. */
        List<Unterminated> unterminated();

        @Override
        void close();
    }

    /** A reading that is a tail. */
    record TailReading(FileStore files, List<String> globs, LogTail tail) implements Reading {
        /** While there is something to read. With thousands of logs a listing takes seconds. */
        static final Duration RESCAN = Duration.ofSeconds(1);

        @Override
        public void listNext() {
            tail.listNext();
        }

        @Override
        public TailBatch poll(int recordsMax, long nanoTime) throws IOException {
            TailBatch batch = tail.poll(recordsMax, nanoTime);
            if (batch.items().isEmpty() && batch.stall().isPresent()) {
                // The end does not come into sight by asking on at once.
                throw new IOException(batch.stall().get().reason());
            }
            if (batch.items().isEmpty() && !batch.more()) {
                tail.listNext(); // whether all is read is then known at once
            }
            return batch;
        }

        @Override
        public FilePosition position(int file, long offset) {
            return tail.position(file, offset);
        }

        @Override
        public List<FilePosition> reached() {
            return tail.reached();
        }

        @Override
        public SortedMap<Integer, String> unreadable() {
            return tail.unreadable();
        }

        @Override
        public Optional<List<FilePosition>> recognise(
                FilePosition file, Collection<FilePosition> wanted) {
            return FileRecognition.recognise(files, file, wanted);
        }

        @Override
        public List<String> missingDirectories() throws IOException {
            return Globs.missingDirectories(files, globs);
        }

        @Override
        public List<Unterminated> unterminated() {
            return tail.unterminated();
        }

        @Override
        public void close() {
            tail.close();
        }
    }
}

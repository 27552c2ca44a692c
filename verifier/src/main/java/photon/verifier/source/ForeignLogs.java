package photon.verifier.source;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import photon.core.config.StreamConfig;
import photon.storage.files.FileStore;
import photon.storage.tail.FilePosition;
import photon.storage.tail.LogTail;
import photon.storage.tail.TailBatch;

/** The foreign logs of a datacenter, to be read from any position as often as need be. */
@FunctionalInterface
public interface ForeignLogs {
    /** With nothing to resume: every log from its start. */
    Reading open(List<FilePosition> resume) throws IOException;

    /** The logs that the configuration names. */
    static ForeignLogs of(FileStore files, StreamConfig foreign) {
        // Every poll lists the globs anew: whether all is read is then known at once.
        return resume -> new TailReading(new LogTail(files, foreign, resume, Duration.ZERO));
    }

    /** One reading; see {@link LogTail} for what its methods say. */
    interface Reading extends AutoCloseable {
        TailBatch poll(int recordsMax, long nanoTime) throws IOException;

        FilePosition position(int file, long offset);

        /** What stands half-written at the ends of files. */
        List<LogTail.Unterminated> unterminated();

        @Override
        void close();
    }

    /** A reading that is a tail. */
    record TailReading(LogTail tail) implements Reading {
        @Override
        public TailBatch poll(int recordsMax, long nanoTime) throws IOException {
            return tail.poll(recordsMax, nanoTime);
        }

        @Override
        public FilePosition position(int file, long offset) {
            return tail.position(file, offset);
        }

        @Override
        public List<LogTail.Unterminated> unterminated() {
            return tail.unterminated();
        }

        @Override
        public void close() {
            tail.close();
        }
    }
}

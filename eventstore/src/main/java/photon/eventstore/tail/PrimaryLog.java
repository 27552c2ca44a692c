package photon.eventstore.tail;

import java.io.IOException;
import photon.storage.tail.FilePosition;
import photon.storage.tail.LogTail;
import photon.storage.tail.TailBatch;

/** The primary logs as the indexer reads them. One loop owns it. */
public interface PrimaryLog extends AutoCloseable {
    /** {@link LogTail#poll}. */
    TailBatch poll(int recordsMax, long nanoTime) throws IOException;

    /** {@link LogTail#position}. */
    FilePosition position(int file, long offset);

    /** {@link LogTail#lagBytes}. */
    long lagBytes();

    @Override
    void close();

    static PrimaryLog of(LogTail tail) {
        return new PrimaryLog() {
            @Override
            public TailBatch poll(int recordsMax, long nanoTime) throws IOException {
                return tail.poll(recordsMax, nanoTime);
            }

            @Override
            public FilePosition position(int file, long offset) {
                return tail.position(file, offset);
            }

            @Override
            public long lagBytes() {
                return tail.lagBytes();
            }

            @Override
            public void close() {
                tail.close();
            }
        };
    }
}

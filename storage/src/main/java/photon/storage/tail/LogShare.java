package photon.storage.tail;

import java.io.IOException;
import photon.core.config.StreamConfig;
import photon.storage.files.FileStore;
import photon.storage.files.StreamListing;

/**
 * Which of a stream's files one tail reads.
 *
 * @param listing of the stream, for all its parts that are read in one loop
 */
public record LogShare(StreamListing listing, LogPartition partition) {
    /** All of them. */
    public static LogShare whole(FileStore files, StreamConfig stream) {
        return new LogShare(new StreamListing(files, stream, 1), LogPartition.WHOLE);
    }

    /** What is there of it; as {@link StreamListing#look}. */
    StreamListing.Look look(long nanoTime) throws IOException {
        StreamListing.Look look = listing.look(nanoTime);
        return partition.count() == 1
                ? look
                : new StreamListing.Look(
                        look.found().stream().filter(partition::has).toList(), look.complete());
    }
}

package photon.storage.output;

import java.io.IOException;
import java.util.List;
import photon.core.id.CommitToken;
import photon.core.id.EventId;
import photon.core.id.Incarnation;

/**
 * What one published work log holds.
 *
 * @param sequence of the work log within its incarnation, from 1
 * @param published the published files (one an output), by path relative to the output directory; a
 *     log without records has its main file too, empty
 * @param entries one a foreign event
 */
public record Manifest(
        Incarnation incarnation,
        long sequence,
        List<PublishedFile> published,
        List<Entry> entries) {
    public Manifest {
        published = List.copyOf(published);
        entries = List.copyOf(entries);
    }

    /**
     * True if all its events are older: their ids' timestamps, which are microseconds since 1970,
     * are below this. One without events has no age, and is not.
     */
    public boolean isOlderThan(long micros) {
        return !entries.isEmpty()
                && entries.stream().allMatch(entry -> entry.id().micros() < micros);
    }

    /**
     * What a manifest says, without its entries.
     *
     * @param entries how many
     * @param lastMicros the highest timestamp of its entries' ids, in microseconds since 1970; -1
     *     without entries
     * @param modifiedMillis when the manifest's file was last modified, in milliseconds since 1970,
     *     as its file system says
     */
    public record Summary(
            Incarnation incarnation,
            long sequence,
            List<PublishedFile> published,
            long entries,
            long lastMicros,
            long modifiedMillis) {
        public Summary {
            published = List.copyOf(published);
        }

        /** As {@link Manifest#isOlderThan}. */
        public boolean isOlderThan(long micros) {
            return entries > 0 && lastMicros < micros;
        }
    }

    /** Takes a manifest's entries one after another. */
    @FunctionalInterface
    public interface Entries {
        void take(EventId id, CommitToken token) throws IOException;
    }

    /**
     * @param sha256 hex, of the whole file
     */
    public record PublishedFile(String output, String path, long length, String sha256) {}

    /**
     * @param joinedEvents how many joined events it gave
     */
    public record Entry(EventId id, CommitToken token, String contentHash, int joinedEvents) {}
}

package photon.storage.output;

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
     * @param sha256 hex, of the whole file
     */
    public record PublishedFile(String output, String path, long length, String sha256) {}

    /**
     * @param joinedEvents how many joined events it gave
     */
    public record Entry(EventId id, CommitToken token, String contentHash, int joinedEvents) {}
}

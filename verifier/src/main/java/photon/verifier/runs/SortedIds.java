package photon.verifier.runs;

import java.io.IOException;
import photon.core.id.EventId;

/**
 * Reads identities with their tokens' sequences in id order, the same identity as often as it was
 * added. Stands on one at a time, which is no object. Not thread-safe.
 */
public interface SortedIds {
    /**
     * Moves on to the next.
     *
     * @return false: there is none, and all that were added have been read
     * @throws IOException also if what was written down is not what is read back: nothing that this
     *     has not handed out may be taken for absent then
     */
    boolean next() throws IOException;

    /** Where it stands, compared with this id as {@link EventId#compareTo} does. */
    int compareTo(EventId id);

    /** The identity where it stands. */
    EventId id();

    /** The token's sequence there. */
    long sequence();
}

package photon.idregistry.table;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import photon.core.id.CommitToken;
import photon.core.id.EventId;

/** Some ids and their holders, in id order. */
public final class IdPage {
    private final List<EventId> ids = new ArrayList<>();
    private final List<CommitToken> holders = new ArrayList<>();
    private @Nullable EventId resumeAfter;

    void add(EventId id, CommitToken holder) {
        ids.add(id);
        holders.add(holder);
    }

    void resumeAfter(EventId id) {
        resumeAfter = id;
    }

    public List<EventId> ids() {
        return ids;
    }

    /** One for each id. */
    public List<CommitToken> holders() {
        return holders;
    }

    /** True if there may be more, behind {@link #resumeAfter()}. */
    public boolean more() {
        return resumeAfter != null;
    }

    /**
     * Where the next page begins, behind this id: the last one, or, of a page that was ended
     * because it took long, one that need not exist. Only if there may be more.
     */
    public EventId resumeAfter() {
        return Objects.requireNonNull(resumeAfter);
    }
}

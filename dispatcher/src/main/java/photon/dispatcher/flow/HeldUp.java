package photon.dispatcher.flow;

import java.util.Set;
import photon.dispatcher.rules.RetryPolicy;
import photon.storage.journal.OpenJournal;

/**
 * Knows how old the rows are that something holds up: an adapter, a registry, a joiner. Rows that
 * wait for their primary event, or for their own time, are none of them. Owned by the journal's
 * loop; what it has found is thread-safe.
 */
public final class HeldUp {
    /** A look visits every row. */
    private static final long LOOK_EVERY_NANOS = 30_000_000_000L;

    /** Where the last one found none. */
    private static final long FIRST_LOOK_EVERY_NANOS = 1_000_000_000L;

    /**
     * An event store that is behind is behind for every row, also for those whose primary event
     * never comes, and the oldest of these is always near the boundary. The store's own lag says
     * how old the events are that it holds up.
     */
    private static final Set<String> IN_ORDER =
            Set.of(
                    RetryPolicy.WAITING,
                    RetryPolicy.EVENT_STORE_BEHIND,
                    RetryPolicy.AHEAD,
                    RetryPolicy.WATCHED);

    private volatile Rows found = Rows.NONE;
    private boolean looked;
    private long lookedNanos;

    /**
     * Rows that are held up.
     *
     * @param sinceMillis when the first of them came, since 1970; 0: there is none
     * @param eventMicros the oldest timestamp of their events; 0: there is none
     */
    public record Rows(long sinceMillis, long eventMicros) {
        static final Rows NONE = new Rows(0, 0);

        /** Together with those of another partition. */
        Rows and(Rows other) {
            return new Rows(
                    earlier(sinceMillis, other.sinceMillis),
                    earlier(eventMicros, other.eventMicros));
        }

        private static long earlier(long some, long others) {
            return some == 0 || others == 0 ? Math.max(some, others) : Math.min(some, others);
        }
    }

    HeldUp() {}

    void look(OpenJournal journal, int rows, long nowNanos) {
        if (rows == 0) {
            found = Rows.NONE;
            return;
        }
        long every = found.equals(Rows.NONE) ? FIRST_LOOK_EVERY_NANOS : LOOK_EVERY_NANOS;
        if (!looked || nowNanos - lookedNanos >= every) {
            looked = true;
            lookedNanos = nowNanos;
            OpenJournal.Oldest oldest = journal.oldestWithout(IN_ORDER);
            found =
                    oldest.equals(OpenJournal.Oldest.NONE)
                            ? Rows.NONE
                            : new Rows(oldest.insertedMillis(), oldest.eventMicros());
        }
    }

    /** As of the last look, at most half a minute ago. */
    Rows rows() {
        return found;
    }
}

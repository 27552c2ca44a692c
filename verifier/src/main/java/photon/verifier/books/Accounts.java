package photon.verifier.books;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import photon.core.id.EventId;
import photon.verifier.source.IdIndex;
import photon.verifier.source.IntColumn;
import photon.verifier.source.LongColumn;

/**
 * What is known of each identity, in about 65 bytes each: five million fit in 350 MB. Order of
 * filling: the foreign logs first, since the rest is judged by them; anything else in any order.
 * Not thread-safe.
 */
final class Accounts {
    private static final int IN_LOGS = 1;
    private static final int JOINED = 1 << 1;
    private static final int DEAD_LETTERED = 1 << 2;
    private static final int WAITING = 1 << 3;
    private static final int OUTCOME_LOST = 1 << 4;
    private static final int SKIPPED = 1 << 5;
    private static final int PASSED = 1 << 6;
    private static final int CONFLICTING = 1 << 7;
    private static final int EXPORTED = 1 << 8;
    // Above the marks: which datacenter joined it last, from 1, and why it waits or was skipped,
    // from 1.
    private static final int DATACENTER_SHIFT = 9;
    private static final int DATACENTER_MASK = 0xFF;
    static final int DATACENTERS_MAX = DATACENTER_MASK;
    private static final int REASON_SHIFT = 17;
    private static final int REASON_MASK = 0x3FFF;
    private static final int UNMATCHED = 1 << 31;
    // Reasons can come from an adapter: what is beyond so many counts as one.
    private static final int REASONS_MAX = 1_000;
    static final String OTHER_REASONS = "other reasons";

    private final IdIndex ids = new IdIndex();
    private final IntColumn marks = new IntColumn();
    private final LongColumn content = new LongColumn();
    private final IntColumn occurrences = new IntColumn();
    private final IntColumn joinedEventsMax = new IntColumn();
    private final List<String> reasons = new ArrayList<>();
    private final Map<String, Integer> reasonNumbers = new HashMap<>();
    private int foreignEvents;

    /**
     * A record in the foreign logs.
     *
     * @param contentHash of all that the record says
     */
    void read(EventId id, long contentHash) {
        int row = ids.add(id);
        if (!has(row, IN_LOGS)) {
            foreignEvents++;
            mark(row, IN_LOGS);
            content.set(row, contentHash);
        } else if (content.get(row) != contentHash) {
            mark(row, CONFLICTING);
        }
        occurrences.add(row, 1);
    }

    /**
     * An entry of a manifest whose published file is as it says.
     *
     * @param datacenter number of the datacenter, from 0
     */
    Joined joined(EventId id, int joinedEvents, int datacenter) {
        int row = ids.add(id);
        int events = Math.max(1, joinedEvents);
        int before = joinedEventsMax.get(row);
        joinedEventsMax.set(row, Math.max(before, events));
        boolean firstHere =
                ((marks.get(row) >>> DATACENTER_SHIFT) & DATACENTER_MASK) != datacenter + 1;
        boolean first = !has(row, JOINED);
        put(row, DATACENTER_SHIFT, DATACENTER_MASK, datacenter + 1);
        mark(row, JOINED);
        // Ordinals count from 0, so the smaller of both is how many there are twice.
        return new Joined(has(row, IN_LOGS), first, firstHere, Math.min(before, events));
    }

    /** An identity that {@link #joined} was told of is published without its primary event. */
    void joinedUnmatched(EventId id) {
        mark(ids.find(id), UNMATCHED);
    }

    /** It is published, and not without its primary event, as far as these were told. */
    boolean isJoinedMatched(EventId id) {
        int row = ids.find(id);
        return row != IdIndex.ABSENT && has(row, JOINED) && !has(row, UNMATCHED);
    }

    void deadLettered(EventId id) {
        markKnown(id, DEAD_LETTERED);
    }

    /** The first reason stands, and goes before that of a skip, as it does where it counts. */
    void waiting(EventId id, String reason) {
        int row = ids.find(id);
        if (row != IdIndex.ABSENT && !has(row, WAITING)) {
            mark(row, WAITING);
            put(row, REASON_SHIFT, REASON_MASK, numberOf(reason));
        }
    }

    void outcomeLost(EventId id) {
        markKnown(id, OUTCOME_LOST);
    }

    /** The first reason stands. */
    void skipped(EventId id, String reason) {
        int row = ids.find(id);
        if (row != IdIndex.ABSENT && !has(row, SKIPPED)) {
            mark(row, SKIPPED);
            if (!has(row, WAITING)) {
                put(row, REASON_SHIFT, REASON_MASK, numberOf(reason));
            }
        }
    }

    /**
     * What a datacenter's checkpoint has yet to pass.
     *
     * @param beyond per row, how many of its records lie beyond the checkpoint
     */
    void passed(IntColumn beyond) {
        for (int row = 0; row < ids.size(); row++) {
            if (beyond.get(row) < occurrences.get(row)) {
                mark(row, PASSED);
            }
        }
    }

    /** The row of an identity, or {@link IdIndex#ABSENT}. */
    int rowOf(EventId id) {
        return ids.find(id);
    }

    int rows() {
        return ids.size();
    }

    EventId id(int row) {
        return ids.get(row);
    }

    /** Foreign identities that were read with more than one content. */
    int conflictingRepeats() {
        int conflicting = 0;
        for (int row = 0; row < ids.size(); row++) {
            if (has(row, IN_LOGS) && has(row, CONFLICTING)) {
                conflicting++;
            }
        }
        return conflicting;
    }

    /** Distinct identities in the foreign logs. */
    int foreignEvents() {
        return foreignEvents;
    }

    /** False: it stands in an output alone. */
    boolean isForeign(int row) {
        return has(row, IN_LOGS);
    }

    /** Where it counts: it is foreign. */
    Account accountOf(int row) {
        int m = marks.get(row);
        if ((m & JOINED) != 0) {
            return Account.JOINED;
        }
        if ((m & DEAD_LETTERED) != 0) {
            return Account.DEAD_LETTERED;
        }
        if ((m & WAITING) != 0) {
            return Account.WAITING;
        }
        if ((m & OUTCOME_LOST) != 0) {
            return Account.OUTCOME_LOST;
        }
        if ((m & SKIPPED) != 0) {
            return Account.SKIPPED;
        }
        return (m & PASSED) != 0 ? Account.UNACCOUNTED : Account.UNREAD;
    }

    /** Why a skipped one was, or what a waiting one waits for. */
    String reasonOf(int row) {
        return reasons.get(((marks.get(row) >>> REASON_SHIFT) & REASON_MASK) - 1);
    }

    /** True if this foreign identity counts under the account and was not asked for before. */
    boolean export(EventId id, Account account) {
        int row = ids.find(id);
        if (row == IdIndex.ABSENT
                || has(row, EXPORTED)
                || !isForeign(row)
                || accountOf(row) != account) {
            return false;
        }
        mark(row, EXPORTED);
        return true;
    }

    private int numberOf(String reason) {
        Integer known = reasonNumbers.get(reason);
        if (known != null) {
            return known;
        }
        if (reasons.size() >= REASONS_MAX && !reason.equals(OTHER_REASONS)) {
            return numberOf(OTHER_REASONS);
        }
        reasons.add(reason);
        reasonNumbers.put(reason, reasons.size());
        return reasons.size();
    }

    /** What the logs do not hold is no foreign event to account for. */
    private void markKnown(EventId id, int mark) {
        int row = ids.find(id);
        if (row != IdIndex.ABSENT) {
            mark(row, mark);
        }
    }

    private boolean has(int row, int mark) {
        return (marks.get(row) & mark) != 0;
    }

    private void mark(int row, int mark) {
        marks.set(row, marks.get(row) | mark);
    }

    private void put(int row, int shift, int mask, int value) {
        marks.set(row, (marks.get(row) & ~(mask << shift)) | (value << shift));
    }

    /**
     * What an entry of a manifest came to.
     *
     * @param known it stands in the foreign logs
     * @param first no datacenter was seen to have joined it before
     * @param firstHere this datacenter was not, just before
     * @param twice how many of its joined events were there before
     */
    record Joined(boolean known, boolean first, boolean firstHere, int twice) {}
}

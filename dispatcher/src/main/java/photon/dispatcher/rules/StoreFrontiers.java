package photon.dispatcher.rules;

import java.util.Arrays;
import java.util.function.ToLongFunction;

/**
 * How far a datacenter's event stores have read, taken together (docs/protocol.md section 7). Each
 * primary event is kept by as many of them as there are copies, so one that is one fewer behind
 * keeps nothing waiting: another has what it has not read yet. A store that gives no answer is one
 * of those. Not thread-safe.
 */
public final class StoreFrontiers {
    private final int copies;

    /** Until a store is heard of, it has read nothing. */
    private final Frontier[] told;

    private final boolean[] silent;

    /**
     * @param copies how many stores keep each event
     */
    public StoreFrontiers(int stores, int copies) {
        this.copies = copies;
        this.told = new Frontier[stores];
        Arrays.fill(told, Frontier.unread(Long.MIN_VALUE));
        this.silent = new boolean[stores];
    }

    public void heard(int store, Frontier frontier) {
        told[store] = frontier;
        silent[store] = false;
    }

    /** It has not answered in time. */
    public void silent(int store) {
        silent[store] = true;
    }

    /**
     * Of all; where no store answers, nothing waits for one. Fresh is what is so for each store
     * with a backlog, and of one without any it is known as well as ever whether it has read it.
     */
    public Frontier all() {
        long liveFrom = Long.MIN_VALUE;
        boolean backlog = false;
        for (int store = 0; store < told.length; store++) {
            if (!silent[store] && told[store].hasBacklog()) {
                backlog = true;
                liveFrom = Math.max(liveFrom, told[store].liveFromMicros());
            }
        }
        long unread = readByEnough(Frontier::unreadMicros);
        return backlog
                ? new Frontier(unread, liveFrom, readByEnough(Frontier::liveUnreadMicros))
                : Frontier.unread(unread);
    }

    /** Up to here each event has been read by at least one store that keeps it. */
    private long readByEnough(ToLongFunction<Frontier> micros) {
        long[] answered = new long[told.length];
        int answering = 0;
        for (int store = 0; store < told.length; store++) {
            if (!silent[store]) {
                answered[answering++] = micros.applyAsLong(told[store]);
            }
        }
        if (answering == 0) {
            return FrontierGate.OPEN;
        }
        Arrays.sort(answered, 0, answering);
        int mayBeBehind = Math.max(0, copies - 1 - (told.length - answering));
        return answered[mayBeBehind];
    }
}

package photon.dispatcher.rules;

import java.util.Arrays;

/**
 * How far a datacenter's event stores have read, taken together (docs/protocol.md section 7). Each
 * primary event is kept by as many of them as there are copies, so one that is one fewer behind
 * keeps nothing waiting: another has what it has not read yet. A store that gives no answer is one
 * of those. Not thread-safe.
 */
public final class StoreFrontiers {
    private final int copies;

    /** Until a store is heard of, it has read nothing. */
    private final long[] unreadMicros;

    private final boolean[] silent;

    /**
     * @param copies how many stores keep each event
     */
    public StoreFrontiers(int stores, int copies) {
        this.copies = copies;
        this.unreadMicros = new long[stores];
        Arrays.fill(unreadMicros, Long.MIN_VALUE);
        this.silent = new boolean[stores];
    }

    /**
     * @param micros as {@link FrontierGate#unreadFrom} takes it
     */
    public void heard(int store, long micros) {
        unreadMicros[store] = micros;
        silent[store] = false;
    }

    /** It has not answered in time. */
    public void silent(int store) {
        silent[store] = true;
    }

    /** For {@link FrontierGate#unreadFrom}; where no store answers, nothing waits for one. */
    public long unreadFrom() {
        long[] told = new long[unreadMicros.length];
        int answering = 0;
        for (int store = 0; store < told.length; store++) {
            if (!silent[store]) {
                told[answering++] = unreadMicros[store];
            }
        }
        if (answering == 0) {
            return FrontierGate.OPEN;
        }
        Arrays.sort(told, 0, answering);
        int mayBeBehind = Math.max(0, copies - 1 - (told.length - answering));
        return told[mayBeBehind];
    }
}

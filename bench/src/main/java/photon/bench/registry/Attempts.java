package photon.bench.registry;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.function.LongSupplier;

/**
 * What the callers of one connection commit next: what got no definite answer, what another caller
 * tries at this moment, then new ids. An attempt is twice its number, and one more if it is the
 * rival's. Used under its load's lock.
 */
final class Attempts {
    private final BenchIds ids;
    private final Referee referee;
    private final LongSupplier blockTimes;
    private final ArrayDeque<Long> again = new ArrayDeque<>();
    private long idsLeft;

    /** One who commits, and has a block of numbers of its own. */
    static final class Caller {
        private long next;
        private int left;
    }

    /**
     * @param blockTimes the time of the next block's first id, in microseconds; thread-safe
     * @param idsMax new ids, at the most
     */
    Attempts(BenchIds ids, Referee referee, LongSupplier blockTimes, long idsMax) {
        this.ids = ids;
        this.referee = referee;
        this.blockTimes = blockTimes;
        this.idsLeft = idsMax;
    }

    /** The caller's next batch; empty if there is nothing more. */
    long[] next(Caller caller, int count) {
        long[] batch = new long[count];
        int filled = 0;
        while (filled < count && !again.isEmpty()) {
            batch[filled++] = again.remove();
        }
        Long challenged = filled < count ? referee.challenge(caller) : null;
        while (challenged != null) {
            batch[filled++] = 2 * challenged + 1;
            challenged = filled < count ? referee.challenge(caller) : null;
        }
        int from = filled;
        while (filled < count && idsLeft > 0) {
            batch[filled++] = 2 * newNumber(caller);
        }
        referee.offer(filled - from);
        return filled == count ? batch : Arrays.copyOf(batch, filled);
    }

    private long newNumber(Caller caller) {
        if (caller.left == 0) {
            caller.next = ids.takeBlock(blockTimes.getAsLong());
            caller.left = BenchIds.BLOCK;
        }
        long number = caller.next++;
        caller.left--;
        idsLeft--;
        if (ids.isContested(number)) {
            referee.challenge(number, caller);
        }
        return number;
    }

    /** It may be committed or not: to be asked again, with its token. */
    void again(long attempt) {
        again.add(attempt);
    }

    /** No new ids from now on. */
    void noNewIds() {
        idsLeft = 0;
    }

    /** Nothing new is to come, but something waits for somebody to try it. */
    boolean areLeft() {
        return idsLeft == 0 && !(again.isEmpty() && referee.allChallenged());
    }

    boolean areDone() {
        return idsLeft == 0 && !areLeft();
    }

    /** What is left of the caller's block is nobody's. */
    void leave(Caller caller) {
        if (caller.left > 0) {
            ids.leave(caller.next);
            caller.left = 0;
        }
    }
}

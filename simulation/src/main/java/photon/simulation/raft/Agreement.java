package photon.simulation.raft;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.ToLongFunction;

/**
 * Whether all replicas of a group make the same of the same log: the results of every entry are
 * compared, the states at some indexes.
 */
final class Agreement<S> {
    /**
     * A hash looks at the whole state, and a state that differs once mostly goes on to differ: at
     * every 16th index it took a twelfth of a world's time.
     */
    private static final int STATE_EVERY = 64;

    private final String group;
    private final ToLongFunction<S> hash;
    private final Consumer<String> violation;
    private final Counts counts;

    /** Of the replica that was first, by index. */
    private final List<byte[]> results = new ArrayList<>();

    private final Map<Integer, Long> hashes = new TreeMap<>();

    Agreement(String group, ToLongFunction<S> hash, Consumer<String> violation, Counts counts) {
        this.group = group;
        this.hash = hash;
        this.violation = violation;
        this.counts = counts;
    }

    /**
     * A replica has applied the entry at this index; no other replica has applied beyond results.
     */
    void applied(String who, int index, byte[] result, S state) {
        if (index > results.size()) {
            results.add(result);
        } else if (!Arrays.equals(results.get(index - 1), result)) {
            violation.accept(
                    "Expected the same result on all replicas of "
                            + group
                            + " at index "
                            + index
                            + ", but "
                            + who
                            + " has another");
        }
        if (index % STATE_EVERY == 0) {
            compare(who, index, state);
        }
    }

    /** Compares the state of a replica that has just applied this index, or stands there. */
    void compare(String who, int index, S state) {
        long here = hash.applyAsLong(state);
        Long first = hashes.putIfAbsent(index, here);
        if (first == null) {
            return;
        }
        counts.statesCompared++;
        if (first != here) {
            violation.accept(
                    "Expected the same state on all replicas of "
                            + group
                            + " at index "
                            + index
                            + ", but "
                            + who
                            + " has another");
        }
    }
}

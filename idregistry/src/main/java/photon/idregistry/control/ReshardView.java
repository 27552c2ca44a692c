package photon.idregistry.control;

import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import photon.proto.v1.ReshardAttempt;
import photon.proto.v1.ReshardState;

/**
 * What was decided on a pipeline's reshard attempts, as of some index of the control group. What is
 * settled in it stays so; what is open in it may be settled by now. Immutable.
 *
 * @param lastNumber the highest that was issued; 0 before the first
 * @param lowestOpen every attempt below is settled
 * @param states of the attempts that are remembered
 * @param openAttempts in order of their numbers
 */
public record ReshardView(
        long lastNumber,
        long lowestOpen,
        SortedMap<Long, ReshardState> states,
        List<ReshardAttempt> openAttempts) {
    public ReshardView {
        states = Collections.unmodifiableSortedMap(new TreeMap<>(states));
        openAttempts = List.copyOf(openAttempts);
    }

    /** True if no shard can be prepared for anything. */
    public boolean never() {
        return lastNumber == 0;
    }

    /** True only if it was surely decided so. */
    public boolean isAborted(long attempt) {
        return attempt >= 1
                && attempt <= lastNumber
                && states.getOrDefault(attempt, ReshardState.RESHARD_ABORTED)
                        == ReshardState.RESHARD_ABORTED;
    }

    /** In order. */
    public List<Long> open() {
        return openAttempts.stream().map(ReshardAttempt::getNumber).toList();
    }
}

package photon.testbed.history;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import photon.core.id.CommitToken;
import photon.core.id.Incarnation;

/**
 * What a shard's whole history says of when each incarnation was fenced: the calls that fence, and
 * the answers that tell whether it was, whatever id they were about.
 *
 * <p>A fence is one entry of the shard's log, so it happens to all ids at one moment; but ids are
 * checked one by one. What couples them is this alone: an answer about one id that was given live
 * (or fenced) says the same for every other id. An incarnation goes from live to fenced once and
 * never back, so of all answers only two count for the others: the one that was asked last of those
 * that were given live, since it was live at the start of that at the earliest that is still so
 * late; and the one that was answered first of those that were given fenced. Each id's search is
 * given both, as observations at that moment, besides the calls. That accepts every right history:
 * the moment at which the fence really happened satisfies all of it, for all ids.
 */
final class FenceEvidence {
    /** Of all calls with the same effect on an id: the first start and the first end. */
    record Span(long startNanos, long endNanos) {
        Span and(Span other) {
            return new Span(
                    Math.min(startNanos, other.startNanos), Math.min(endNanos, other.endNanos));
        }
    }

    private final Map<Integer, NavigableMap<Integer, Span>> calls = new HashMap<>();
    private final Map<Incarnation, Operation> lastLive = new HashMap<>();
    private final Map<Incarnation, Operation> firstFenced = new HashMap<>();

    FenceEvidence(List<FenceCall> fences, List<Operation> operations) {
        for (FenceCall fence : fences) {
            calls.computeIfAbsent(fence.slot(), s -> new TreeMap<>())
                    .merge(
                            fence.lowestLive(),
                            new Span(fence.startNanos(), fence.endNanos()),
                            Span::and);
        }
        operations.forEach(this::observe);
    }

    private void observe(Operation operation) {
        CommitToken token = operation.token();
        if (token == null) {
            return;
        }
        switch (operation.result()) {
            case ACCEPTED, TAKEN, NOT_FENCED ->
                    lastLive.merge(
                            token.incarnation(),
                            operation,
                            (a, b) -> a.startNanos() >= b.startNanos() ? a : b);
            case FENCED, REMOVED ->
                    firstFenced.merge(
                            token.incarnation(),
                            operation,
                            (a, b) -> a.endNanos() <= b.endNanos() ? a : b);
            default -> {
                // Says nothing of fences: for what is too old the groups of a dropped epoch are not
                // asked any more.
            }
        }
    }

    /**
     * All calls that fence generations below this one, and below no higher one of interest, as one:
     * they do the same to an id, and only the first to happen does anything. The first happens
     * between the first start and the first end.
     *
     * @param above of interest are generations from this one ...
     * @param upTo ... to below this one
     * @return null if there was no such call
     */
    @Nullable Span call(int slot, int above, int upTo) {
        NavigableMap<Integer, Span> ofSlot = calls.get(slot);
        return ofSlot == null
                ? null
                : ofSlot.subMap(above, false, upTo, true).values().stream()
                        .reduce(Span::and)
                        .orElse(null);
    }

    /** The answer that tells latest that it was live; null if none does. */
    @Nullable Operation lastLive(Incarnation incarnation) {
        return lastLive.get(incarnation);
    }

    /** The answer that tells first that it was fenced; null if none does. */
    @Nullable Operation firstFenced(Incarnation incarnation) {
        return firstFenced.get(incarnation);
    }
}

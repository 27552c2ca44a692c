package photon.testbed.history;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What a shard's whole history says of when its boundary passed which timestamp.
 *
 * <p>A boundary only ever goes up, and concerns all ids of the shard: an id that was answered "too
 * old" is proof that all that are as old or older were gone by the end of that answer, and one that
 * was answered otherwise, that all that are as young or younger were not at its start. Each id's
 * search is given the earliest of the one kind and the latest of the other, which the moment at
 * which the boundary really passed satisfies; so no right history is refused.
 */
final class BoundaryEvidence {
    /** By timestamp: the answer that ended first of those on it and on later ones. */
    private final TreeMap<Long, Operation> passed = new TreeMap<>();

    /** By timestamp: the answer that began last of those on it and on earlier ones. */
    private final TreeMap<Long, Operation> before = new TreeMap<>();

    BoundaryEvidence(List<Operation> operations) {
        for (Operation operation : operations) {
            long micros = operation.id().micros();
            if (operation.result() == Operation.Result.TOO_OLD) {
                passed.merge(micros, operation, BoundaryEvidence::firstToEnd);
            }
        }
        if (passed.isEmpty()) {
            // Nobody has seen it: then it explains nothing.
            return;
        }
        for (Operation operation : operations) {
            if (saysItIsThere(operation)) {
                before.merge(operation.id().micros(), operation, BoundaryEvidence::lastToBegin);
            }
        }
        Operation first = null;
        for (Map.Entry<Long, Operation> at : passed.descendingMap().entrySet()) {
            first = first == null ? at.getValue() : firstToEnd(first, at.getValue());
            at.setValue(first);
        }
        Operation last = null;
        for (Map.Entry<Long, Operation> at : before.entrySet()) {
            last = last == null ? at.getValue() : lastToBegin(last, at.getValue());
            at.setValue(last);
        }
    }

    /** A fence speaks before the boundary does, and a stale lookup of any earlier moment. */
    private static boolean saysItIsThere(Operation operation) {
        return switch (operation.result()) {
            case ACCEPTED, TAKEN, REMOVED, NOT_FENCED -> true;
            case ABSENT, HELD -> operation.kind() == Operation.Kind.LOOKUP;
            case FENCED, TOO_OLD, UNKNOWN -> false;
        };
    }

    private static Operation firstToEnd(Operation a, Operation b) {
        return a.endNanos() <= b.endNanos() ? a : b;
    }

    private static Operation lastToBegin(Operation a, Operation b) {
        return a.startNanos() >= b.startNanos() ? a : b;
    }

    /** The answer that tells first that the boundary is beyond the timestamp; null if none does. */
    @Nullable Operation firstPassed(long micros) {
        Map.Entry<Long, Operation> at = passed.ceilingEntry(micros);
        return at == null ? null : at.getValue();
    }

    /** The answer that tells latest that it is not; null if none does. */
    @Nullable Operation lastBefore(long micros) {
        Map.Entry<Long, Operation> at = before.floorEntry(micros);
        return at == null ? null : at.getValue();
    }
}

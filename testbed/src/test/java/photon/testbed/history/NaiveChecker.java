package photon.testbed.history;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import photon.core.id.CommitToken;
import photon.core.id.EventId;

/**
 * The same question asked without any thought: tries all orders of all operations and fences of all
 * ids together, with the boundary moving at any time between them, against a shard that is two
 * maps. For a handful of operations. It shares no code with {@link HistoryChecker}, whose judge it
 * is.
 */
final class NaiveChecker {
    private record Call(@Nullable Operation operation, @Nullable FenceCall fence) {
        long start() {
            if (fence != null) {
                return fence.startNanos();
            }
            Operation asked = Objects.requireNonNull(operation);
            return asked.kind() == Operation.Kind.STALE_LOOKUP
                    ? Long.MIN_VALUE
                    : asked.startNanos();
        }

        long end() {
            return fence != null ? fence.endNanos() : Objects.requireNonNull(operation).endNanos();
        }
    }

    private NaiveChecker() {}

    static boolean isRight(List<Operation> operations, List<FenceCall> fences) {
        List<Call> calls = new ArrayList<>();
        operations.forEach(operation -> calls.add(new Call(operation, null)));
        fences.forEach(fence -> calls.add(new Call(null, fence)));
        return canGoOn(calls, new HashMap<>(), new HashMap<>(), 0);
    }

    private static boolean canGoOn(
            List<Call> left,
            Map<EventId, CommitToken> held,
            Map<Integer, Integer> lowestLive,
            long boundary) {
        long firstEnd = left.stream().mapToLong(Call::end).min().orElse(Operation.NEVER);
        if (firstEnd == Operation.NEVER) {
            // Nothing that is left has to happen.
            return true;
        }
        for (Call call : left) {
            if (call.start() > firstEnd) {
                continue;
            }
            for (long then : boundaries(left, boundary)) {
                Map<EventId, CommitToken> heldThen = new HashMap<>(held);
                heldThen.keySet().removeIf(id -> id.micros() < then);
                Map<Integer, Integer> liveThen = new HashMap<>(lowestLive);
                if (happens(call, heldThen, liveThen, then)) {
                    List<Call> rest = new ArrayList<>(left);
                    rest.remove(call);
                    if (canGoOn(rest, heldThen, liveThen, then)) {
                        return true;
                    }
                }
            }
        }
        return false;
    }

    /** As it is, or so that it has passed an id more. */
    private static Set<Long> boundaries(List<Call> left, long boundary) {
        Set<Long> all = new TreeSet<>(Set.of(boundary));
        for (Call call : left) {
            if (call.operation() != null && call.operation().id().micros() >= boundary) {
                all.add(call.operation().id().micros() + 1);
            }
        }
        return all;
    }

    private static boolean happens(
            Call call,
            Map<EventId, CommitToken> held,
            Map<Integer, Integer> lowestLive,
            long boundary) {
        if (call.fence() != null) {
            lowestLive.merge(call.fence().slot(), call.fence().lowestLive(), Math::max);
            return true;
        }
        Operation asked = Objects.requireNonNull(call.operation());
        CommitToken holder = held.get(asked.id());
        Operation.Result answer;
        CommitToken told = null;
        CommitToken token = asked.token();
        boolean gone = asked.id().micros() < boundary;
        boolean fenced =
                token != null && token.generation() < lowestLive.getOrDefault(token.slot(), 0);
        if (gone) {
            answer = Operation.Result.TOO_OLD;
            if (fenced
                    && asked.kind() == Operation.Kind.COMMIT
                    && asked.result() == Operation.Result.FENCED) {
                return true;
            }
        } else if (token == null) {
            told = holder;
            answer = holder == null ? Operation.Result.ABSENT : Operation.Result.HELD;
        } else {
            if (asked.kind() == Operation.Kind.REMOVE) {
                answer = fenced ? Operation.Result.REMOVED : Operation.Result.NOT_FENCED;
                if (fenced && token.equals(holder)) {
                    held.remove(asked.id());
                }
            } else if (fenced) {
                answer = Operation.Result.FENCED;
            } else if (holder == null || holder.equals(token)) {
                answer = Operation.Result.ACCEPTED;
                held.put(asked.id(), token);
            } else {
                answer = Operation.Result.TAKEN;
                told = holder;
            }
        }
        return asked.result() == Operation.Result.UNKNOWN
                || (answer == asked.result() && Objects.equals(told, asked.holder()));
    }
}

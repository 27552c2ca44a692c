package photon.testbed.history;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import photon.core.id.CommitToken;
import photon.core.id.EventId;

/**
 * Right histories from seeds: a shard that decides at one moment within each call, and whose
 * boundary moves in between. Of so many ids each is a microsecond younger than the one before.
 */
final class RandomHistory {
    private static final int SPAN = 60;

    private final Random random;
    private final int ids;
    private final List<Operation> operations = new ArrayList<>();
    private final List<FenceCall> fences = new ArrayList<>();
    private final Map<EventId, CommitToken> held = new HashMap<>();
    private final Map<EventId, List<CommitToken>> everHeld = new HashMap<>();
    private final Map<Integer, Integer> lowestLive = new HashMap<>();
    private long boundary;
    private long boundaryMax;

    private RandomHistory(Random random, int ids) {
        this.random = random;
        this.ids = ids;
    }

    /**
     * @param steps operations and fences together
     */
    static WrittenHistory make(Random random, int ids, int steps) {
        RandomHistory history = new RandomHistory(random, ids);
        for (int i = 0; i < steps; i++) {
            // The boundary follows, so that in a long history too most ids are not too old.
            history.boundaryMax = (ids + 2) * (i + 1L) / steps;
            history.step(1_000L + i * 20L);
        }
        return new WrittenHistory(history.operations, history.fences);
    }

    /** Of a generation that is fenced, or lives, or will be made by the next fence. */
    private CommitToken token() {
        int slot = 1 + random.nextInt(2);
        int lowest = lowestLive.getOrDefault(slot, 1);
        return new CommitToken(
                slot, Math.max(1, lowest - 1 + random.nextInt(3)), 1 + random.nextInt(2));
    }

    private void step(long now) {
        long start = now - random.nextInt(SPAN);
        boolean lost = random.nextInt(6) == 0;
        long end = lost ? Operation.NEVER : now + random.nextInt(SPAN);
        // What got no answer may be carried out or not; later is as good as a later call's now.
        boolean carriedOut = !lost || random.nextBoolean();
        int kind = random.nextInt(10);
        if (kind == 0) {
            int slot = 1 + random.nextInt(2);
            int lowest = lowestLive.getOrDefault(slot, 1) + 1;
            fences.add(new FenceCall(slot, lowest, start, end));
            if (carriedOut) {
                lowestLive.merge(slot, lowest, Math::max);
            }
            return;
        }
        if (random.nextInt(12) == 0) {
            boundary = Math.max(boundary, random.nextLong(boundaryMax + 1));
            held.keySet().removeIf(this::isGone);
        }
        int number = random.nextInt(ids);
        EventId id = WrittenHistory.id("id" + number + "@" + number);
        if (kind <= 5) {
            commit(id, token(), start, end, carriedOut);
        } else if (kind <= 7) {
            remove(id, token(), start, end, carriedOut);
        } else if (!lost) {
            lookup(id, start, end);
        }
    }

    private boolean isGone(EventId id) {
        return id.micros() < boundary;
    }

    private boolean isFenced(CommitToken token) {
        return token.generation() < lowestLive.getOrDefault(token.slot(), 0);
    }

    private void commit(EventId id, CommitToken token, long start, long end, boolean carriedOut) {
        CommitToken holder = held.get(id);
        Operation.Result result;
        if (isFenced(token) && !(isGone(id) && random.nextBoolean())) {
            result = Operation.Result.FENCED;
            holder = null;
        } else if (isGone(id)) {
            result = Operation.Result.TOO_OLD;
        } else if (holder == null || holder.equals(token)) {
            result = Operation.Result.ACCEPTED;
            holder = null;
            if (carriedOut) {
                held.put(id, token);
                everHeld.computeIfAbsent(id, i -> new ArrayList<>()).add(token);
            }
        } else {
            result = Operation.Result.TAKEN;
        }
        add(id, Operation.Kind.COMMIT, token, result, holder, start, end);
    }

    private void remove(EventId id, CommitToken token, long start, long end, boolean carriedOut) {
        boolean fenced = isFenced(token);
        if (isGone(id)) {
            add(id, Operation.Kind.REMOVE, token, Operation.Result.TOO_OLD, null, start, end);
            return;
        }
        if (fenced && carriedOut) {
            held.remove(id, token);
        }
        add(
                id,
                Operation.Kind.REMOVE,
                token,
                fenced ? Operation.Result.REMOVED : Operation.Result.NOT_FENCED,
                null,
                start,
                end);
    }

    private void lookup(EventId id, long start, long end) {
        CommitToken holder = held.get(id);
        Operation.Kind kind = Operation.Kind.LOOKUP;
        if (random.nextInt(3) == 0) {
            kind = Operation.Kind.STALE_LOOKUP;
            List<CommitToken> ever = everHeld.getOrDefault(id, List.of());
            int which = random.nextInt(ever.size() + 1);
            holder = which == ever.size() ? null : ever.get(which);
        }
        boolean tooOld = isGone(id) && (kind == Operation.Kind.LOOKUP || random.nextBoolean());
        holder = tooOld ? null : holder;
        add(
                id,
                kind,
                null,
                tooOld
                        ? Operation.Result.TOO_OLD
                        : holder == null ? Operation.Result.ABSENT : Operation.Result.HELD,
                holder,
                start,
                end);
    }

    private void add(
            EventId id,
            Operation.Kind kind,
            @Nullable CommitToken token,
            Operation.Result result,
            @Nullable CommitToken holder,
            long start,
            long end) {
        boolean lost = end == Operation.NEVER;
        operations.add(
                new Operation(
                        id,
                        kind,
                        token,
                        lost ? Operation.Result.UNKNOWN : result,
                        lost ? null : holder,
                        start,
                        end));
    }

    /** The same with one answer, moment or operation that is another; mostly wrong then. */
    static WrittenHistory changed(WrittenHistory history, Random random) {
        List<Operation> changed = new ArrayList<>(history.operations());
        List<FenceCall> fences = new ArrayList<>(history.fences());
        int which = random.nextInt(changed.size() + fences.size());
        if (which >= changed.size()) {
            fences.remove(which - changed.size());
        } else if (random.nextInt(4) == 0) {
            changed.remove(which);
        } else {
            changed.set(which, answeredOtherwise(changed.get(which), random));
        }
        return new WrittenHistory(changed, fences);
    }

    private static Operation answeredOtherwise(Operation operation, Random random) {
        CommitToken any =
                new CommitToken(
                        1 + random.nextInt(2), 1 + random.nextInt(2), 1 + random.nextInt(2));
        if (operation.result() == Operation.Result.UNKNOWN) {
            // It never was sent, or with another token.
            return new Operation(
                    operation.id(),
                    operation.kind(),
                    any,
                    Operation.Result.UNKNOWN,
                    null,
                    operation.startNanos() + random.nextInt(SPAN),
                    Operation.NEVER);
        }
        return switch (operation.kind()) {
            case COMMIT ->
                    switch (random.nextInt(4)) {
                        case 0 -> operation.with(Operation.Result.ACCEPTED, null);
                        case 1 -> operation.with(Operation.Result.FENCED, null);
                        case 2 -> operation.with(Operation.Result.TOO_OLD, null);
                        default -> operation.with(Operation.Result.TAKEN, any);
                    };
            case REMOVE ->
                    operation.with(
                            operation.result() == Operation.Result.REMOVED
                                    ? Operation.Result.NOT_FENCED
                                    : Operation.Result.REMOVED,
                            null);
            case LOOKUP, STALE_LOOKUP ->
                    switch (random.nextInt(3)) {
                        case 0 -> operation.with(Operation.Result.ABSENT, null);
                        case 1 -> operation.with(Operation.Result.TOO_OLD, null);
                        default -> operation.with(Operation.Result.HELD, any);
                    };
        };
    }
}

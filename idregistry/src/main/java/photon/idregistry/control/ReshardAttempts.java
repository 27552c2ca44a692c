package photon.idregistry.control;

import static photon.core.error.Checks.check;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import photon.proto.v1.BeginReshardRequest;
import photon.proto.v1.ReshardState;
import photon.registry.api.ShardMap;

/**
 * One pipeline's numbered attempts at another shard map, and what was decided on each
 * (docs/protocol.md section 4). At most one attempt is committed on a map version, and all others
 * on it are aborted by the same step. A settled attempt never changes.
 */
final class ReshardAttempts {
    /** Each makes shards refuse ids, so that many at once are an error of somebody's. */
    static final int OPEN_MAX = 8;

    /** Older ones are forgotten, and said to be aborted: committed ones are kept. */
    static final int ABORTED_KEPT = 256;

    private final TreeMap<Long, Attempt> attempts = new TreeMap<>();
    private long lastNumber;

    /**
     * @param nonce hex
     */
    record Attempt(
            long number,
            String nonce,
            long baseVersion,
            int shards,
            long startMicros,
            ReshardState state) {

        boolean isOpen() {
            return state == ReshardState.RESHARD_OPEN;
        }

        private Attempt settled(ReshardState decided) {
            // Shards have acted on the first decision: another would leave some of them behind.
            check(isOpen(), "Expected attempt %s to be open: it is %s", number, state);
            return new Attempt(number, nonce, baseVersion, shards, startMicros, decided);
        }
    }

    long lastNumber() {
        return lastNumber;
    }

    /** In order of their numbers. */
    List<Attempt> attempts() {
        return new ArrayList<>(attempts.values());
    }

    List<Attempt> open() {
        return attempts.values().stream().filter(Attempt::isOpen).toList();
    }

    /** The lowest open attempt; above every number that was issued if none is open. */
    long lowestOpen() {
        List<Attempt> open = open();
        return open.isEmpty() ? lastNumber + 1 : open.get(0).number();
    }

    /** The attempt that was begun with this nonce; null if none was, or it is long settled. */
    @Nullable Attempt begunWith(String nonce) {
        return attempts.values().stream()
                .filter(attempt -> !nonce.isEmpty() && attempt.nonce().equals(nonce))
                .findFirst()
                .orElse(null);
    }

    Attempt begin(BeginReshardRequest request, String nonce) {
        Attempt begun =
                new Attempt(
                        ++lastNumber,
                        nonce,
                        request.getBaseVersion(),
                        request.getShards(),
                        request.getStartMicros(),
                        ReshardState.RESHARD_OPEN);
        attempts.put(begun.number(), begun);
        return begun;
    }

    /** Null unless it is open. */
    @Nullable Attempt openAttempt(long number) {
        Attempt attempt = attempts.get(number);
        return attempt == null || !attempt.isOpen() ? null : attempt;
    }

    /** Unspecified if it was never issued. */
    ReshardState state(long number) {
        Attempt attempt = attempts.get(number);
        if (attempt != null) {
            return attempt.state();
        }
        return number >= 1 && number <= lastNumber
                ? ReshardState.RESHARD_ABORTED
                : ReshardState.RESHARD_STATE_UNSPECIFIED;
    }

    void abort(Attempt attempt) {
        attempts.put(attempt.number(), attempt.settled(ReshardState.RESHARD_ABORTED));
        List<Attempt> aborted =
                attempts.values().stream()
                        .filter(a -> a.state() == ReshardState.RESHARD_ABORTED)
                        .toList();
        aborted.stream()
                .limit(Math.max(0, aborted.size() - ABORTED_KEPT))
                .forEach(old -> attempts.remove(old.number()));
    }

    /** Commits this one and aborts all other open ones: they are built on the map before. */
    ShardMap commit(Attempt attempt, ShardMap base) {
        attempts.put(attempt.number(), attempt.settled(ReshardState.RESHARD_COMMITTED));
        open().forEach(this::abort);
        return base.withEpoch(attempt.startMicros(), attempt.shards());
    }

    /** What was decided, without what only the control group needs. */
    ReshardView view() {
        TreeMap<Long, ReshardState> states = new TreeMap<>();
        attempts.forEach((number, attempt) -> states.put(number, attempt.state()));
        return new ReshardView(
                lastNumber,
                lowestOpen(),
                states,
                open().stream().map(ReshardRules::toProto).toList());
    }

    /** As read from a snapshot. */
    void restore(long last, List<Attempt> all) {
        lastNumber = last;
        attempts.clear();
        all.forEach(attempt -> attempts.put(attempt.number(), attempt));
    }
}

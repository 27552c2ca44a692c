package photon.testbed.history;

import org.jspecify.annotations.Nullable;
import photon.core.id.CommitToken;
import photon.core.id.EventId;

/**
 * What one caller asked of one id, once, and heard.
 *
 * @param token of a commit or remove; null for lookups
 * @param holder with TAKEN and HELD
 * @param startNanos when it was sent, by the caller's monotonic clock
 * @param endNanos when it was answered; {@link #NEVER} with UNKNOWN
 */
public record Operation(
        EventId id,
        Kind kind,
        @Nullable CommitToken token,
        Result result,
        @Nullable CommitToken holder,
        long startNanos,
        long endNanos) {
    /** It may be carried out at any later time, or never. */
    public static final long NEVER = Long.MAX_VALUE;

    /** What was asked. */
    public enum Kind {
        COMMIT,
        REMOVE,
        /** By a read barrier: linearizable. */
        LOOKUP,
        /** Of one replica's own state: right as of some earlier moment. */
        STALE_LOOKUP
    }

    /** What was answered. */
    public enum Result {
        ACCEPTED,
        TAKEN,
        FENCED,
        REMOVED,
        NOT_FENCED,
        ABSENT,
        HELD,
        /** The shard's boundary has passed it. */
        TOO_OLD,
        /** No answer, or one that says that nobody knows. */
        UNKNOWN
    }

    public Operation {
        if ((result == Result.UNKNOWN) != (endNanos == NEVER)
                || (kind == Kind.COMMIT || kind == Kind.REMOVE) != (token != null)
                || (result == Result.TAKEN || result == Result.HELD) != (holder != null)
                || endNanos < startNanos) {
            throw new IllegalArgumentException(
                    "Expected an operation, but got %s %s %s %s %s..%s"
                            .formatted(kind, token, result, holder, startNanos, endNanos));
        }
    }

    /** The same with another answer. */
    Operation with(Result other, @Nullable CommitToken otherHolder) {
        return new Operation(id, kind, token, other, otherHolder, startNanos, endNanos);
    }

    @Override
    public String toString() {
        return "%,d..%s %s%s -> %s%s"
                .formatted(
                        startNanos,
                        endNanos == NEVER ? "?" : "%,d".formatted(endNanos),
                        kind,
                        token == null ? "" : " " + token,
                        result,
                        holder == null ? "" : " " + holder);
    }
}

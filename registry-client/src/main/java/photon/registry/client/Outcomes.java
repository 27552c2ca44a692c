package photon.registry.client;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;
import photon.core.id.CommitToken;
import photon.proto.v1.Outcome;
import photon.registry.api.CommitOutcome;
import photon.registry.api.CommitOutcome.NotSubmitted.Why;
import photon.registry.api.RegistryClient.CommitResult;

/** What a byte says of a commit: an {@link Outcome} number, or one of ours. */
final class Outcomes {
    /** Not sent, or surely refused: it would end as not submitted. */
    static final byte WAITING = 0;

    /** Sent and not answered: it would end as unknown. */
    static final byte SENT = 32;

    static final byte UNKNOWN = 33;
    static final byte DEADLINE = 34;
    static final byte NO_ROOM = 35;
    static final byte CLOSED = 36;

    /** Added to a definite answer of a commit that was sent before. */
    static final byte ASKED_AGAIN = 64;

    private static final CommitOutcome UNKNOWN_OUTCOME = new CommitOutcome.Unknown();
    private static final CommitOutcome[] KNOWN = known();

    private Outcomes() {}

    private static CommitOutcome[] known() {
        CommitOutcome[] all = new CommitOutcome[2 * ASKED_AGAIN];
        for (byte code = 0; code < SENT; code++) {
            if (isDefinite(code)) {
                all[code] = new CommitOutcome.Decided(result(code), null, false);
                all[code + ASKED_AGAIN] = new CommitOutcome.Decided(result(code), null, true);
            }
        }
        all[UNKNOWN] = UNKNOWN_OUTCOME;
        all[DEADLINE] = new CommitOutcome.NotSubmitted(Why.DEADLINE);
        all[NO_ROOM] = new CommitOutcome.NotSubmitted(Why.NO_ROOM);
        all[CLOSED] = new CommitOutcome.NotSubmitted(Why.CLOSED);
        return all;
    }

    /**
     * True if the registry has decided; else, of its shard or epoch, the commit must be asked
     * again.
     */
    static boolean isDefinite(byte outcome) {
        return switch (outcome) {
            case Outcome.ACCEPTED_VALUE,
                    Outcome.TAKEN_VALUE,
                    Outcome.FENCED_VALUE,
                    Outcome.ID_TOO_OLD_VALUE,
                    Outcome.ID_IN_FUTURE_VALUE,
                    Outcome.CANCELLED_VALUE ->
                    true;
            default -> false;
        };
    }

    static boolean isAskedAgain(byte code) {
        return code >= ASKED_AGAIN;
    }

    /** Of a definite answer. */
    static CommitResult result(byte code) {
        return switch (code & ~ASKED_AGAIN) {
            case Outcome.ACCEPTED_VALUE -> CommitResult.ACCEPTED;
            case Outcome.TAKEN_VALUE -> CommitResult.TAKEN;
            case Outcome.FENCED_VALUE -> CommitResult.FENCED;
            case Outcome.ID_TOO_OLD_VALUE -> CommitResult.ID_TOO_OLD;
            case Outcome.ID_IN_FUTURE_VALUE -> CommitResult.ID_IN_FUTURE;
            case Outcome.CANCELLED_VALUE -> CommitResult.CANCELLED;
            default -> throw new IllegalArgumentException("Expected an answer, but got " + code);
        };
    }

    static boolean isTaken(byte code) {
        return (code & ~ASKED_AGAIN) == Outcome.TAKEN_VALUE;
    }

    static boolean isAccepted(byte code) {
        return (code & ~ASKED_AGAIN) == Outcome.ACCEPTED_VALUE;
    }

    static boolean isNotSubmitted(byte code) {
        return code == DEADLINE || code == NO_ROOM || code == CLOSED;
    }

    /** Of a commit that ends without an answer. */
    static byte unanswered(byte state, byte why) {
        return state == SENT ? UNKNOWN : why;
    }

    /**
     * @param holder with TAKEN only
     */
    static CommitOutcome of(byte code, @Nullable CommitToken holder) {
        return holder == null
                ? KNOWN[code]
                : new CommitOutcome.Decided(CommitResult.TAKEN, holder, isAskedAgain(code));
    }

    static CommitToken token(ByteBuffer packed, int at) {
        return new CommitToken(packed.getInt(at), packed.getInt(at + 4), packed.getLong(at + 8));
    }
}

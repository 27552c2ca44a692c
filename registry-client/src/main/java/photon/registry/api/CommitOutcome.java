package photon.registry.api;

import org.jspecify.annotations.Nullable;
import photon.core.id.CommitToken;
import photon.registry.api.RegistryClient.CommitResult;

/**
 * What a commit came to (docs/protocol.md section 3). Three types, since they call for three
 * things: act on a {@link Decided}; try a {@link NotSubmitted} again later; ask an {@link Unknown}
 * again with the same token, until it is decided.
 */
public sealed interface CommitOutcome {
    /** True if the id is this token's: do the work, once. */
    default boolean isAccepted() {
        return false;
    }

    /**
     * The registry's definite answer.
     *
     * @param holder with TAKEN: who holds the id; else null
     * @param askedAgain true if the call sent the commit more than once. An answer other than
     *     ACCEPTED then says nothing of the earlier copies: one may have been accepted, or may yet
     *     be. The same holds if an earlier call with this token ended as {@link Unknown}
     */
    record Decided(CommitResult result, @Nullable CommitToken holder, boolean askedAgain)
            implements CommitOutcome {
        @Override
        public boolean isAccepted() {
            return result == CommitResult.ACCEPTED;
        }
    }

    /**
     * This call has surely not committed the id, and never will. It says nothing of earlier calls
     * with the same token.
     */
    record NotSubmitted(Why why) implements CommitOutcome {
        /** What kept it. */
        public enum Why {
            /** The deadline passed before it was sent, or while only refusals had come back. */
            DEADLINE,
            /** As many ids are outstanding as may be. */
            NO_ROOM,
            /** The client was closed. */
            CLOSED
        }
    }

    /**
     * It was sent, and the deadline passed (or the client was closed) without a definite answer: it
     * may be committed, or may yet be. The token is the id's until an answer is definite: ask again
     * with it.
     */
    record Unknown() implements CommitOutcome {}
}

package photon.dispatcher.rules;

import photon.registry.api.RegistryClient.Found;

/**
 * What a local, perhaps stale lookup may settle (docs/protocol.md section 3). Acting on it is safe
 * only because repair re-sends by itself what was committed and lost.
 */
public final class LocalLookupRule {
    private LocalLookupRule() {}

    /** What follows from a lookup. */
    public enum Verdict {
        /** Nobody is known to hold it. */
        SEND,
        /** Somebody holds it: whoever holds it joins it, or repair does. */
        ALREADY_JOINED,
        /** Below the boundary, which never goes back. */
        TOO_OLD
    }

    /**
     * Whether the registry may be asked at all. Not for a repair row: the id is held, by the token
     * whose output was lost. Not for an event with an attempt that was never answered: the holder
     * may be that attempt, and nobody but its joiner can tell what came of it.
     */
    public static boolean mayAsk(boolean repair, boolean attemptOpen) {
        return !repair && !attemptOpen;
    }

    public static Verdict judge(Found.State state) {
        return switch (state) {
            case ABSENT -> Verdict.SEND;
            case HELD -> Verdict.ALREADY_JOINED;
            case TOO_OLD -> Verdict.TOO_OLD;
        };
    }
}

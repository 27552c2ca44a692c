package photon.server.health;

import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Whether a peer answers, judged by the oldest question that it has not answered: a peer that
 * nobody asks is not away. Owned by one loop.
 */
public final class PeerState {
    /** Longer than the restart of a process that is well, and than an election. */
    static final Duration TOLERATED = Duration.ofSeconds(10);

    private static final Duration ASK_EVERY = Duration.ofSeconds(5);

    /** It comes back soon, perhaps. */
    private static final Duration ASK_AGAIN = Duration.ofSeconds(1);

    private final String address;
    private OptionalLong unansweredNanos = OptionalLong.empty();
    private OptionalLong askedNanos = OptionalLong.empty();
    private boolean waiting;
    private String trouble = "no answer";

    PeerState(String address) {
        this.address = address;
    }

    public String address() {
        return address;
    }

    /** True: a question is due. */
    boolean isDue(long nowNanos) {
        Duration pause = unansweredNanos.isPresent() ? ASK_AGAIN : ASK_EVERY;
        return !waiting
                && (askedNanos.isEmpty() || nowNanos - askedNanos.getAsLong() >= pause.toNanos());
    }

    /** It is asked now. */
    void asked(long nowNanos) {
        waiting = true;
        askedNanos = OptionalLong.of(nowNanos);
        if (unansweredNanos.isEmpty()) {
            unansweredNanos = askedNanos;
        }
    }

    /** It has answered, and can do its work. */
    void answered() {
        waiting = false;
        unansweredNanos = OptionalLong.empty();
    }

    /** It has not answered, or cannot do its work. */
    void failed(String why) {
        waiting = false;
        trouble = why;
    }

    /** Why it counts as away; empty: it does not. */
    Optional<Failure> failure(long nowNanos) {
        return unansweredNanos.isPresent()
                        && nowNanos - unansweredNanos.getAsLong() >= TOLERATED.toNanos()
                ? Optional.of(new Failure(unansweredNanos, trouble))
                : Optional.empty();
    }
}

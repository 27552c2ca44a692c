package photon.server.roles;

import java.util.OptionalLong;
import java.util.function.LongSupplier;
import photon.core.rpc.Caller;

/**
 * Calls a peer to hand something over, and knows since when it has wanted to and got no answer.
 * Until then it tries again and again, so nothing is wanted without a call.
 *
 * @param <Q> request
 * @param <R> answer
 */
final class HandOver<Q, R> implements Caller<Q, R> {
    private final Caller<Q, R> peer;
    private final LongSupplier nanoTime;
    private OptionalLong unansweredNanos = OptionalLong.empty();

    /**
     * @param nanoTime monotonic
     */
    HandOver(Caller<Q, R> peer, LongSupplier nanoTime) {
        this.peer = peer;
        this.nanoTime = nanoTime;
    }

    /** When the first call was made since the last answer; empty: there was none. */
    OptionalLong unansweredNanos() {
        return unansweredNanos;
    }

    /** What was to be handed over was settled otherwise: no answer is awaited. */
    void nothingIsWanted() {
        unansweredNanos = OptionalLong.empty();
    }

    @Override
    public void call(Q request, Reply<R> reply) {
        if (unansweredNanos.isEmpty()) {
            unansweredNanos = OptionalLong.of(nanoTime.getAsLong());
        }
        peer.call(
                request,
                new Reply<>() {
                    @Override
                    public void answered(R answer) {
                        unansweredNanos = OptionalLong.empty();
                        reply.answered(answer);
                    }

                    @Override
                    public void broken(String why) {
                        reply.broken(why);
                    }
                });
    }

    @Override
    public void close() {
        peer.close();
    }
}

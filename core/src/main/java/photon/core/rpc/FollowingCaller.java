package photon.core.rpc;

import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Calls a peer that may move to another address: after a call without an answer the next one goes
 * to where the peer is by then.
 *
 * @param <Q> request
 * @param <R> answer
 */
public final class FollowingCaller<Q, R> implements Caller<Q, R> {
    private final Supplier<HostPort> where;
    private final Function<HostPort, Caller<Q, R>> connect;
    private @Nullable HostPort address;
    private @Nullable Caller<Q, R> peer;
    private boolean answers;

    /**
     * @param where asked before the first call, and before each that comes after one without an
     *     answer
     */
    public FollowingCaller(Supplier<HostPort> where, Function<HostPort, Caller<Q, R>> connect) {
        this.where = where;
        this.connect = connect;
    }

    @Override
    public void call(Q request, Reply<R> reply) {
        Caller<Q, R> to = peer;
        if (to == null || !answers) {
            to = connected(where.get());
        }
        answers = true; // until it does not
        to.call(
                request,
                new Reply<>() {
                    @Override
                    public void answered(R answer) {
                        reply.answered(answer);
                    }

                    @Override
                    public void broken(String why) {
                        answers = false;
                        reply.broken(why);
                    }
                });
    }

    private Caller<Q, R> connected(HostPort now) {
        Caller<Q, R> before = peer;
        if (before != null && now.equals(address)) {
            return before;
        }
        Caller<Q, R> made = connect.apply(now);
        address = now;
        peer = made;
        if (before != null) {
            before.close();
        }
        return made;
    }

    @Override
    public void close() {
        if (peer != null) {
            peer.close();
        }
    }
}

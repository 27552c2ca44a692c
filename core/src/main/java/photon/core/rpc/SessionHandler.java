package photon.core.rpc;

import java.util.function.Consumer;

/**
 * Serves sessions. Called in the owner's event loop.
 *
 * @param <Q> message in
 * @param <R> message out
 */
@FunctionalInterface
public interface SessionHandler<Q, R> {
    /**
     * A peer has opened a session. {@code out} may be used in the loop, also after the session has
     * ended (it drops).
     */
    Session<Q> opened(Consumer<R> out);

    /**
     * One peer's session.
     *
     * @param <Q> message in
     */
    interface Session<Q> {
        /**
         * @throws MalformedRequestException if the message cannot be one: the session ends
         */
        void received(Q message);

        /** The peer has gone or closed. */
        void closed();
    }
}

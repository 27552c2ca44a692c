package photon.core.rpc;

/**
 * A stream of messages to one peer and back, matched by what they hold. Used in the owner's event
 * loop, where everything arrives too.
 *
 * @param <Q> message there
 * @param <R> message back
 */
public interface SessionCaller<Q, R> {
    /** Opens a session: messages may be sent at once. Never calls the listener from within. */
    Session<Q> open(Listener<R> listener);

    void close();

    /**
     * The sending side.
     *
     * @param <Q> message there
     */
    interface Session<Q> {
        /** After the session has broken: does nothing. */
        void send(Q message);

        /** No listener call comes after this. Safe to call twice. */
        void close();
    }

    /**
     * The receiving side.
     *
     * @param <R> message back
     */
    interface Listener<R> {
        void received(R message);

        /**
         * The last call: nothing more comes, and what was sent may or may not have been carried
         * out.
         */
        void broken(String why);
    }
}

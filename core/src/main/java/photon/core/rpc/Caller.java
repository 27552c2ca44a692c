package photon.core.rpc;

/**
 * Sends requests to one peer, each with one answer. Used in the owner's event loop, where answers
 * arrive too.
 *
 * @param <Q> request
 * @param <R> answer
 */
public interface Caller<Q, R> {
    /**
     * Sends at once, never twice. Exactly one method of {@code reply} is called later, never from
     * within.
     */
    void call(Q request, Reply<R> reply);

    /** Waiting replies are {@link Reply#broken}. Safe to call twice. */
    void close();

    /**
     * What comes back.
     *
     * @param <R> answer
     */
    interface Reply<R> {
        void answered(R answer);

        /**
         * No answer: connection lost, deadline passed. The request may have been carried out, or
         * may yet be.
         */
        void broken(String why);
    }
}

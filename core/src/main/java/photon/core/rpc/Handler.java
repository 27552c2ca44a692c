package photon.core.rpc;

import java.util.function.Consumer;

/**
 * Serves requests that have one answer each. Called in the owner's event loop.
 *
 * @param <Q> request
 * @param <R> answer
 */
@FunctionalInterface
public interface Handler<Q, R> {
    /** Answers once, now or later, in the loop. Must refuse quickly when too much is waiting. */
    void handle(Q request, Consumer<R> respond);
}

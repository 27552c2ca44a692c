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
    /**
     * Answers once, now or later, in the loop. Must refuse quickly when too much is waiting.
     *
     * @throws MalformedRequestException if the request cannot be one; nothing has happened then
     */
    void handle(Q request, Consumer<R> respond);
}

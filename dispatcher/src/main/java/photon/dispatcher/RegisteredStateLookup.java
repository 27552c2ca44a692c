package photon.dispatcher;

import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/**
 * Tells which state the registry has registered for the datacenter's dispatchers. In the main loop.
 *
 * @param asked completes exceptionally if there is no answer
 */
public record RegisteredStateLookup(
        Supplier<CompletableFuture<Optional<UUID>>> asked, Runnable whenClosed)
        implements AutoCloseable {
    @Override
    public void close() {
        whenClosed.run();
    }
}

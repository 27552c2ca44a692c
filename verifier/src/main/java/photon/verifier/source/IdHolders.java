package photon.verifier.source;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import photon.core.id.EventId;
import photon.registry.api.RegistryClient;
import photon.registry.api.RegistryClient.Found;

/** Who holds ids, with all that was decided before the question. */
@FunctionalInterface
public interface IdHolders {
    /**
     * In order of the ids. Fails if the registry does not answer, perhaps for want of a majority.
     */
    CompletableFuture<List<Found>> ask(List<EventId> ids);

    /**
     * @param registry called for each question, in the loop of the client that it gives
     */
    static IdHolders of(Supplier<CompletableFuture<RegistryClient>> registry) {
        return ids -> registry.get().thenCompose(client -> client.lookupLinearizable(ids));
    }
}

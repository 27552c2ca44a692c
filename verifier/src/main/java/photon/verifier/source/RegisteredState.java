package photon.verifier.source;

import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import photon.registry.api.DispatcherStates;

/** Which state a datacenter's dispatcher works with, as the control group knows it. */
@FunctionalInterface
public interface RegisteredState {
    /** Empty: no dispatcher has ever had one. */
    CompletableFuture<Optional<UUID>> ask();

    static RegisteredState of(DispatcherStates states, UUID pipeline, String datacenter) {
        return () ->
                states.registered(pipeline, datacenter)
                        .thenApply(DispatcherStates.Registered::state);
    }
}

package photon.registry.api;

import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;

/**
 * Which state the dispatcher of each datacenter works with, as the control group knows it
 * (docs/protocol.md section 7). Used in the owner's event loop, where futures are completed. Every
 * command is asked again until the answer is definite; all of them may be repeated.
 */
public interface DispatcherStates {
    /** What stands. Changes nothing. */
    CompletableFuture<Registered> registered(UUID pipeline, String datacenter);

    /** Registers the datacenter's first state. */
    CompletableFuture<Registered> register(UUID pipeline, String datacenter, UUID state);

    /**
     * Declares the registered state lost for good and registers another one in its place. Every
     * incarnation whose repair rows were in it is open again.
     *
     * @param lost if it is not registered any more, nothing changes
     */
    CompletableFuture<Registered> replace(UUID pipeline, String datacenter, UUID lost, UUID state);

    /**
     * What the control group has answered.
     *
     * @param done the state that was asked for is registered; of a mere question always true
     * @param state the state that is registered; empty: none
     * @param reopened how many incarnations this command has opened again
     */
    record Registered(boolean done, Optional<UUID> state, int reopened) {}
}

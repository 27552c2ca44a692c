package photon.server.resets;

import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;
import photon.dispatcher.rules.ResetPlan;
import photon.dispatcher.state.StateDirectory;
import photon.storage.tail.Checkpoint;

/**
 * The plan for one partition of a dispatcher's state.
 *
 * @param checkpoint of which it was made
 * @param asOf with a time, when the noted checkpoint was written that positions go back to; empty:
 *     none is noted of that time
 * @param waiting rows in its journal, which stay; empty: a dispatcher works on it, or has just
 *     ended, and they cannot be counted
 */
public record PartitionPlan(
        int partition,
        StateDirectory state,
        Checkpoint checkpoint,
        ResetPlan plan,
        Optional<Instant> asOf,
        OptionalLong waiting) {}

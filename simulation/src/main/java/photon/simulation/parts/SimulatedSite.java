package photon.simulation.parts;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import photon.core.config.PipelineConfig;
import photon.core.rpc.HostPort;
import photon.core.share.EventStoreShares;
import photon.simulation.disk.DatacenterDisk;

/** What the processes of one datacenter share. */
final class SimulatedSite {
    final Layout layout;
    final Surroundings world;
    final PipelineConfig config;
    final DatacenterDisk disk;
    final List<HostPort> registryServers;

    /** What production keeps in {@code identity.json} of the state directory. */
    private @Nullable UUID pipeline;

    private Optional<UUID> stateDeclaredLost = Optional.empty();
    private EventStoreShares eventStores;

    /** Nothing can start a process of it. */
    boolean closed;

    /**
     * @param number of this datacenter: each has another registry server nearest
     */
    SimulatedSite(Layout layout, int number, Surroundings world) {
        this.layout = layout;
        this.world = world;
        this.config = layout.config(world.config());
        this.eventStores = world.eventStores().first();
        this.disk = new DatacenterDisk(world.timeline());
        List<HostPort> nearestFirst = new ArrayList<>(world.registryServers());
        Collections.rotate(nearestFirst, -number);
        this.registryServers = List.copyOf(nearestFirst);
    }

    String datacenter() {
        return layout.datacenter();
    }

    @Nullable UUID pipeline() {
        return pipeline;
    }

    /** As its configuration lists them now. */
    EventStoreShares eventStores() {
        return eventStores;
    }

    /** From now on each start reads the other list. */
    void changeEventStores() {
        eventStores = world.eventStores().then().orElse(eventStores);
    }

    /** What an operator has declared lost; each start is told. */
    Optional<UUID> stateDeclaredLost() {
        return stateDeclaredLost;
    }

    void declareStateLost(UUID lost) {
        stateDeclaredLost = Optional.of(lost);
    }

    /** The registry's pipeline must be the one that this datacenter has worked for so far. */
    void admitted(UUID held) {
        if (pipeline != null && !pipeline.equals(held)) {
            throw new IllegalStateException(
                    "Expected pipeline %s, but the registry holds %s".formatted(pipeline, held));
        }
        pipeline = held;
    }
}

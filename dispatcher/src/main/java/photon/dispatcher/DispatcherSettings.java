package photon.dispatcher;

import static photon.core.error.Checks.check;

import java.time.Duration;
import java.util.List;
import java.util.UUID;
import photon.core.config.PipelineConfig;
import photon.core.config.StreamConfig;
import photon.core.rpc.HostPort;
import photon.core.share.EventStoreShares;
import photon.storage.state.StatePartitions;

/**
 * Settings of one datacenter's dispatcher.
 *
 * @param listen where it takes repair rows
 * @param joiners where its datacenter's joiners listen; at least one
 * @param eventStores where its datacenter's event stores listen, each at its place in {@code
 *     shares}
 * @param shares which of them keeps what
 * @param datacenters all of them, in the same order everywhere: events choose among them by it
 * @param state that the registry has registered, see {@link StateEntrance}
 * @param partitions where it lies, and how it is divided; the caller holds a lock on one that is
 *     not shared
 * @param foreign the logs to read
 * @param stagger how long an event that prefers another datacenter waits for it
 */
public record DispatcherSettings(
        HostPort listen,
        List<HostPort> joiners,
        List<HostPort> eventStores,
        EventStoreShares shares,
        String datacenter,
        List<String> datacenters,
        UUID state,
        StatePartitions partitions,
        StreamConfig foreign,
        Duration stagger,
        PipelineConfig.Limits limits) {

    public DispatcherSettings {
        joiners = List.copyOf(joiners);
        eventStores = List.copyOf(eventStores);
        check(!joiners.isEmpty(), "Expected at least one joiner for %s", datacenter);
        datacenters = List.copyOf(datacenters);
    }
}

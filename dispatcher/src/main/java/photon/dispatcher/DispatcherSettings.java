package photon.dispatcher;

import java.time.Duration;
import java.util.List;
import photon.core.config.PipelineConfig;
import photon.core.config.StreamConfig;
import photon.core.rpc.HostPort;

/**
 * Settings of one datacenter's dispatcher.
 *
 * @param listen where it takes repair rows
 * @param joiner where its datacenter's joiner listens
 * @param datacenters all of them, in the same order everywhere: events choose among them by it
 * @param stateDirectory absolute; the caller holds a lock on it
 * @param foreign the logs to read
 * @param stagger how long an event that prefers another datacenter waits for it
 */
public record DispatcherSettings(
        HostPort listen,
        HostPort joiner,
        String datacenter,
        List<String> datacenters,
        String stateDirectory,
        StreamConfig foreign,
        Duration stagger,
        PipelineConfig.Limits limits) {

    public DispatcherSettings {
        datacenters = List.copyOf(datacenters);
    }
}

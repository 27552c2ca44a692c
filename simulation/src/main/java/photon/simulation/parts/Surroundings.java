package photon.simulation.parts;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;
import photon.core.config.PipelineConfig;
import photon.core.crash.CrashPoint;
import photon.core.loop.EventLoop;
import photon.core.rpc.HostPort;
import photon.registry.client.RegistryTransport;
import photon.simulation.kernel.Bugs;
import photon.simulation.kernel.Life;
import photon.simulation.kernel.Timeline;
import photon.simulation.network.Network;

/**
 * What the processes of all datacenters stand on.
 *
 * @param config of the pipeline; each datacenter puts its own paths in the place of its streams'
 * @param joiners of each datacenter
 * @param journalSegmentBytes of a dispatcher's retry journal, about
 * @param sharedWork how two dispatchers of each datacenter share its state; empty: there is one
 * @param eventStores of each datacenter
 * @param compression draws which logs are compressed after their rotation, and when; empty: none
 * @param registryServers in any order
 * @param logsKept foreign logs that are older may be gone; empty: none ever is for good
 * @param registry how a process reaches registry servers
 * @param crashPoints told of each crash point that a process passes
 * @param bugs told of what has stopped a process; the process ends by itself
 */
public record Surroundings(
        Timeline timeline,
        Network network,
        PipelineConfig config,
        Optional<Duration> logsKept,
        int joiners,
        long journalSegmentBytes,
        Optional<SharedWork> sharedWork,
        EventStoreLists eventStores,
        Optional<RandomGenerator> compression,
        List<HostPort> registryServers,
        RegistryAccess registry,
        Passing crashPoints,
        Bugs bugs) {
    public Surroundings {
        registryServers = List.copyOf(registryServers);
    }

    /** Makes a process's way to the registry servers. */
    @FunctionalInterface
    public interface RegistryAccess {
        RegistryTransport connect(Life life, String clientHost, EventLoop loop);
    }

    /** Hears of crash points. */
    @FunctionalInterface
    public interface Passing {
        /** May end the life. */
        void passed(Life life, CrashPoint point);
    }
}

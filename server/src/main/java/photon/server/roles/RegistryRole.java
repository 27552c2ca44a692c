package photon.server.roles;

import java.nio.file.Path;
import java.util.List;
import photon.core.config.DeploymentConfig;
import photon.core.error.ConfigException;
import photon.core.time.ChronyClock;
import photon.core.time.ChronycProcess;
import photon.core.time.IntervalClock;
import photon.core.time.SystemClock;
import photon.idregistry.raft.RaftTuning;
import photon.idregistry.server.config.RegistryServerConfig;

/** The settings of a registry server that has a process of its own. */
public final class RegistryRole {
    /** {@code photon chaos} sets it. */
    private static final String SNAPSHOT_LOG_BYTES_PROPERTY = "photon.registry.snapshotLogBytes";

    private static final long ENTRIES_KEPT_OF_SHORT_LOG = 200;

    private RegistryRole() {}

    /**
     * @param name of one of the deployment's replicas
     * @param state the datacenter's directory
     * @param heapBytes the process's
     * @throws ConfigException if it cannot serve with them, or its heap is too small
     */
    static RegistryServerConfig settings(
            DeploymentConfig deployment, String name, Path state, long heapBytes) {
        List<RegistryServerConfig.Peer> peers =
                deployment.registry().stream()
                        .map(
                                r ->
                                        new RegistryServerConfig.Peer(
                                                r.name(),
                                                r.raft(),
                                                r.raftListen(),
                                                r.service(),
                                                r.leaderWeight()))
                        .toList();
        return RegistryServerConfig.of(name, peers, state.resolve("registry").resolve(name))
                .with(
                        withLog(
                                switch (deployment.registryNetwork()) {
                                    case LAN -> RaftTuning.LAN;
                                    case WAN -> RaftTuning.WAN;
                                }))
                .withMemory(memoryBytes(deployment, heapBytes));
    }

    /** As tests want it: with logs so short that a minute has snapshots and purges. */
    private static RaftTuning withLog(RaftTuning tuning) {
        long bytes = Long.getLong(SNAPSHOT_LOG_BYTES_PROPERTY, 0);
        return bytes == 0 ? tuning : tuning.withLog(bytes, ENTRIES_KEPT_OF_SHORT_LOG, bytes);
    }

    /** This machine's clock, with what is known of its error. */
    public static IntervalClock clock(DeploymentConfig.Clock clock) {
        return clock.bound().isPresent()
                ? new SystemClock(clock.bound().get())
                : ChronyClock.start(new ChronycProcess(clock.chronyc()));
    }

    private static long memoryBytes(DeploymentConfig deployment, long heapBytes) {
        long asked =
                deployment
                        .registryMemoryBytes()
                        .orElse(RegistryServerConfig.memoryOfOwnProcess(heapBytes));
        // While a file and a snapshot are written it may be two and a half times as much.
        if (asked > heapBytes / 3) {
            throw new ConfigException(
                    "%s is %d bytes: expected at most a third of the process's heap of %d MiB, so %dMiB, or a larger PHOTON_HEAP"
                            .formatted(
                                    RegistryServerConfig.MEMORY_KEY,
                                    asked,
                                    heapBytes >> 20,
                                    (heapBytes / 3) >> 20));
        }
        return asked;
    }
}

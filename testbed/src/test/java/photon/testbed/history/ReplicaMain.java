package photon.testbed.history;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import photon.core.error.BugHandler;
import photon.core.rpc.HostPort;
import photon.core.time.SystemClock;
import photon.idregistry.raft.RaftTuning;
import photon.idregistry.server.RegistryServer;
import photon.idregistry.server.config.RegistryServerConfig;

/**
 * {@code photon run registry} with a log so short that a minute has snapshots, purges and
 * installations. Ends when its standard input does: with whoever started it.
 */
final class ReplicaMain {
    private static final long SEGMENT_BYTES = 128 << 10;
    private static final long ENTRIES_KEPT = 100;
    private static final String MEMORY_PROPERTY = "photon.test.memoryBytes";

    private ReplicaMain() {}

    /** What makes a Java VM's replica put ids into files as soon as they take so many bytes. */
    static String memoryArgument(long bytes) {
        return "-D" + MEMORY_PROPERTY + "=" + bytes;
    }

    private static RegistryServerConfig withMemory(RegistryServerConfig config) {
        return new RegistryServerConfig(
                config.name(),
                config.peers(),
                config.data(),
                config.tuning(),
                config.maxSkew(),
                config.limits(),
                config.reconcileEvery(),
                Long.getLong(MEMORY_PROPERTY, config.memoryBytes()),
                config.leaderBalancing());
    }

    /**
     * @param args name, data directory, bytes of log a snapshot, then {@code name=raft=service} of
     *     each replica
     */
    public static void main(String[] args) throws IOException {
        List<RegistryServerConfig.Peer> peers = new ArrayList<>();
        for (int i = 3; i < args.length; i++) {
            String[] parts = args[i].split("=");
            peers.add(
                    new RegistryServerConfig.Peer(
                            parts[0], HostPort.parse(parts[1]), HostPort.parse(parts[2])));
        }
        RegistryServer server;
        try {
            server =
                    RegistryServer.start(
                            withMemory(
                                    RegistryServerConfig.of(args[0], peers, Path.of(args[1]))
                                            .with(
                                                    RaftTuning.LAN.withLog(
                                                            SEGMENT_BYTES,
                                                            ENTRIES_KEPT,
                                                            Long.parseLong(args[2])))),
                            new SystemClock(Duration.ofMillis(250)),
                            BugHandler.stopProcess());
        } catch (RuntimeException e) {
            // Ratis' threads are no daemons.
            System.err.println("photon: " + e.getMessage());
            Runtime.getRuntime().halt(BugHandler.EXIT_STATUS);
            throw e;
        }
        System.out.println("photon registry serves on " + server.address());
        System.out.flush();
        while (System.in.read() >= 0) {
            // Holds.
        }
        Runtime.getRuntime().halt(0);
    }
}

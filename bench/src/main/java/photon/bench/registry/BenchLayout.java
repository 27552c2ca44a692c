package photon.bench.registry;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import photon.core.rpc.HostPort;
import photon.core.rpc.LoopbackPorts;
import photon.testbed.process.JavaCommand;
import photon.testbed.process.ProcessName;
import photon.testbed.process.RegistryAlone;

/** Where the replicas of a run listen on loopback, and where their files lie. Immutable. */
final class BenchLayout {
    private static final String PLACE = "bench";
    private static final int PORTS_EACH = 3;

    private final Path work;
    private final RegistryBenchOptions options;
    private final List<Integer> ports;

    /**
     * Chooses the ports.
     *
     * @param work the run's directory; must exist
     */
    BenchLayout(Path work, RegistryBenchOptions options, RandomGenerator random)
            throws IOException {
        this.work = work;
        this.options = options;
        this.ports = LoopbackPorts.choose(options.replicas() * PORTS_EACH, random);
    }

    List<ProcessName> replicas() {
        List<ProcessName> replicas = new ArrayList<>();
        for (int i = 0; i < options.replicas(); i++) {
            replicas.add(new ProcessName(PLACE, ProcessName.REGISTRY, "r" + i));
        }
        return replicas;
    }

    HostPort service(int replica) {
        return new HostPort("127.0.0.1", ports.get(replica * PORTS_EACH));
    }

    /** Where a replica's Raft port is. */
    HostPort raftListen(int replica) {
        return new HostPort("127.0.0.1", ports.get(replica * PORTS_EACH + 1));
    }

    /** Where the other replicas reach it: the port itself, or a link that delays. */
    HostPort raft(int replica) {
        return isDelayed()
                ? new HostPort("127.0.0.1", ports.get(replica * PORTS_EACH + 2))
                : raftListen(replica);
    }

    boolean isDelayed() {
        return !options.wanDelay().isZero();
    }

    /** All service addresses, this replica's first. */
    List<HostPort> services(int nearest) {
        List<HostPort> services = new ArrayList<>();
        for (int i = 0; i < options.replicas(); i++) {
            services.add(service((nearest + i) % options.replicas()));
        }
        return services;
    }

    /** Where the replicas' stderr goes. */
    Path logs() {
        return work.resolve("daemons");
    }

    /** A replica's Raft logs and snapshots. */
    Path data(ProcessName replica) {
        return work.resolve("state").resolve("registry").resolve(replica.name());
    }

    Path recordings() {
        return work.resolve("recordings");
    }

    private Path config() {
        return work.resolve("photon.yaml");
    }

    List<String> command(ProcessName replica) {
        List<String> vm = new ArrayList<>();
        long heapMiB = options.replicaHeapBytes() >> 20;
        vm.add("-XX:+UseG1GC");
        vm.add("-Xms" + heapMiB + "m");
        vm.add("-Xmx" + heapMiB + "m");
        vm.add("-XX:MaxDirectMemorySize=512m");
        vm.add("-XX:+AlwaysPreTouch");
        vm.addAll(JavaCommand.largePages());
        // One that ends would take its time along, out of the books.
        vm.add("-XX:-UseDynamicNumberOfCompilerThreads");
        vm.addAll(options.replicaOptions());
        return JavaCommand.with(
                vm, work.resolve("tmp"), RegistryAlone.arguments(config(), replica.name()));
    }

    /** Makes the directories and writes the configuration. */
    void write() throws IOException {
        for (Path directory : List.of(logs(), recordings(), work.resolve("tmp"))) {
            Files.createDirectories(directory);
        }
        List<String> replicas = new ArrayList<>();
        for (int i = 0; i < options.replicas(); i++) {
            replicas.add(
                    "name: r%d, raft: \"%s\", service: \"%s\"%s"
                            .formatted(
                                    i,
                                    raft(i),
                                    service(i),
                                    isDelayed() ? ", raftListen: \"" + raftListen(i) + "\"" : ""));
        }
        Files.writeString(config(), RegistryAlone.config("bench", List.of(), replicas));
    }
}

package photon.testbed.chaos;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import photon.core.rpc.HostPort;
import photon.core.rpc.LoopbackPorts;
import photon.testbed.process.JavaCommand;
import photon.testbed.process.Link;
import photon.testbed.process.ProcessName;
import photon.testbed.process.RegistryAlone;

/**
 * Where the replicas of a run listen, under which names they know each other, and where their files
 * lie. All know replica {@code j} as {@code rj}; which address that is, a file of hosts says that
 * only one process reads. So the members have the same addresses everywhere, as Raft wants it, and
 * still each way between two of them can lead through a {@link Link} of its own. Immutable.
 */
final class ChaosLayout {
    static final String PIPELINE = "chaos";

    private static final int HEAP_MIB = 256;

    /** Where clients find the way to a replica, in the place of another replica's number. */
    private static final int CLIENTS = 100;

    private static final long ROUGH_LOG_BYTES = 512 << 10;

    private final Path work;
    private final boolean rough;
    private final List<Integer> ports;

    /**
     * Chooses the ports.
     *
     * @param work the run's directory; must exist
     * @param rough with proxies in between, short logs and little memory for ids
     */
    ChaosLayout(Path work, boolean rough, RandomGenerator random) throws IOException {
        this.work = work;
        this.rough = rough;
        this.ports = LoopbackPorts.choose(2 * ChaosOptions.REPLICAS, random);
    }

    static int size() {
        return ChaosOptions.REPLICAS;
    }

    static ProcessName replica(int number) {
        return new ProcessName(PIPELINE, ProcessName.REGISTRY, name(number));
    }

    static String name(int replica) {
        return "r" + replica;
    }

    boolean isRough() {
        return rough;
    }

    int raftPort(int replica) {
        return ports.get(2 * replica);
    }

    int servicePort(int replica) {
        return ports.get(2 * replica + 1);
    }

    /** Where a replica is reached by this process past all links. */
    HostPort direct(int replica) {
        return new HostPort("127.0.0.1", servicePort(replica));
    }

    /** As replicas call each other's services, and tell clients. */
    HostPort named(int replica) {
        return new HostPort(name(replica), servicePort(replica));
    }

    /** Where clients find a replica that goes by this name: behind a link if there are any. */
    HostPort forClients(HostPort named) {
        for (int i = 0; i < size(); i++) {
            if (named(i).equals(named)) {
                return rough ? new HostPort(linkHost(CLIENTS, i), named.port()) : direct(i);
            }
        }
        return named;
    }

    List<HostPort> services() {
        return IntStream.range(0, size()).mapToObj(this::named).toList();
    }

    List<HostPort> directServices() {
        return IntStream.range(0, size()).mapToObj(this::direct).toList();
    }

    private static String linkHost(int from, int to) {
        return "127.0." + (from + 1) + "." + (to + 1);
    }

    /** Where one replica finds another. */
    static InetAddress linkAddress(int from, int to) throws IOException {
        return InetAddress.getByName(linkHost(from, to));
    }

    /** Where clients find a replica. */
    static InetAddress clientLinkAddress(int to) throws IOException {
        return linkAddress(CLIENTS, to);
    }

    /** What a replica keeps. */
    Path data(int replica) {
        return work.resolve("state").resolve("registry").resolve(name(replica));
    }

    /** Where the replicas' stderr goes. */
    Path logs() {
        return work.resolve("daemons");
    }

    private Path hosts(int replica) {
        return work.resolve(name(replica) + ".hosts");
    }

    private Path config() {
        return work.resolve("photon.yaml");
    }

    List<String> command(ProcessName replica) {
        List<String> vm = new ArrayList<>();
        vm.add("-Djdk.net.hosts.file=" + work.resolve(replica.name() + ".hosts"));
        if (rough) {
            vm.add("-Dphoton.registry.snapshotLogBytes=" + ROUGH_LOG_BYTES);
        }
        return JavaCommand.of(
                HEAP_MIB,
                work.resolve("tmp"),
                vm,
                RegistryAlone.arguments(config(), replica.name()));
    }

    /** Makes the directories and writes configuration and hosts. */
    void write() throws IOException {
        for (Path directory : List.of(logs(), work.resolve("tmp"))) {
            Files.createDirectories(directory);
        }
        List<String> settings = rough ? List.of("registryMemoryBytes: 2MiB") : List.of();
        List<String> replicas =
                IntStream.range(0, size())
                        .mapToObj(
                                i ->
                                        "name: r%d, raft: \"r%d:%d\", service: \"%s\""
                                                .formatted(i, i, raftPort(i), named(i)))
                        .toList();
        Files.writeString(config(), RegistryAlone.config(PIPELINE, settings, replicas));
        for (int from = 0; from < size(); from++) {
            writeHosts(from);
        }
    }

    private void writeHosts(int from) throws IOException {
        StringBuilder hosts = new StringBuilder("127.0.0.1 localhost\n127.0.0.1 ");
        hosts.append(InetAddress.getLocalHost().getHostName()).append('\n');
        for (int to = 0; to < size(); to++) {
            hosts.append(from == to || !rough ? "127.0.0.1" : linkHost(from, to))
                    .append(' ')
                    .append(name(to))
                    .append('\n');
        }
        Files.writeString(hosts(from), hosts);
    }
}

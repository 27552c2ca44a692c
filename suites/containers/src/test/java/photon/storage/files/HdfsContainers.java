package photon.storage.files;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.DatanodeReportType;
import org.jspecify.annotations.Nullable;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.containers.Network;
import photon.containers.Images;
import photon.core.config.HadoopConfig;
import photon.core.rpc.LoopbackPorts;
import photon.core.testing.Await;

/**
 * Runs a NameNode and two DataNodes, each in a container, on a network of their own. Each block has
 * two copies.
 *
 * <p>Clients run outside the containers. A NameNode names DataNodes to its clients by a host and a
 * port that the DataNodes choose, so a client can reach them only if both mean the same inside and
 * outside: each server listens inside its container on the port under which 127.0.0.1 has it
 * outside, and clients go by the DataNodes' host name, which is 127.0.0.1. DataNodes reach each
 * other by the addresses of the network, of which the NameNode tells them. So the engine may keep
 * its network apart from the host's, nothing listens beyond loopback, and a container that is
 * started again has its port again.
 */
public final class HdfsContainers implements AutoCloseable {
    public static final int DATANODES = 2;

    /** On all containers, and on their network. */
    private static final String LABEL = "photon.test";

    private static final String NAMENODE = "namenode";
    private static final Duration START_MAX = Duration.ofMinutes(2);

    /** Small, so that records and files cross the borders of blocks all the time. */
    private static final int BLOCK_BYTES = 64 << 10;

    private static final AtomicInteger DIRECTORIES = new AtomicInteger();
    private static @Nullable HdfsContainers running;

    private final Network network;
    private final String image;
    private final int nameNodePort;
    private final List<GenericContainer<?>> containers = new ArrayList<>();
    private final OtherHdfsClient otherProgram;

    private HdfsContainers() throws IOException {
        List<Integer> ports = LoopbackPorts.choose(1 + 2 * DATANODES, new Random());
        this.nameNodePort = ports.get(0);
        Configuration settings = new Configuration();
        settings().forEach(settings::set);
        this.otherProgram = new OtherHdfsClient(URI.create(uri()), settings);
        this.image = "photon-hdfs:" + Images.load();
        this.network =
                Network.builder()
                        .createNetworkCmdModifier(c -> c.withLabels(Map.of(LABEL, "hdfs")))
                        .build();
        containers.add(nameNode());
        for (int i = 0; i < DATANODES; i++) {
            containers.add(dataNode(ports.get(1 + 2 * i), ports.get(2 + 2 * i)));
        }
    }

    /** Starts them, and returns when all serve. */
    static synchronized HdfsContainers start() throws Exception {
        HdfsContainers servers = new HdfsContainers();
        try {
            for (GenericContainer<?> container : servers.containers) {
                container.start();
            }
            Await.until(
                    START_MAX,
                    DATANODES + " DataNodes that are alive",
                    servers::logs,
                    () -> {
                        assertThat(servers.containers)
                                .as("servers that run; %s", servers.logs())
                                .allMatch(GenericContainer::isRunning);
                        return servers.liveDataNodes().size() == DATANODES;
                    });
        } catch (Exception | AssertionError e) {
            servers.close();
            throw e;
        }
        running = servers;
        return servers;
    }

    /** Those that {@link OnContainers} has started. */
    public static synchronized HdfsContainers running() {
        return Objects.requireNonNull(running);
    }

    private String uri() {
        return "hdfs://127.0.0.1:" + nameNodePort;
    }

    /** What a client has to be told. */
    private static Map<String, String> settings() {
        return Map.of(
                "dfs.replication",
                Integer.toString(DATANODES),
                "dfs.blocksize",
                Integer.toString(BLOCK_BYTES),
                "dfs.client.use.datanode.hostname",
                "true",
                // Of two copies one is left when a DataNode dies, and there is no third machine.
                "dfs.client.block.write.replace-datanode-on-failure.policy",
                "NEVER");
    }

    /** The files as Photon sees them. */
    public FileStore files() {
        return new HadoopFileStore(new HadoopConfig(settings(), Optional.empty()));
    }

    /** A new directory. */
    public String newDirectory() {
        String path = uri() + "/test-" + DIRECTORIES.incrementAndGet();
        try {
            otherProgram.client().mkdirs(new org.apache.hadoop.fs.Path(path));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return path;
    }

    public OtherHdfsClient otherProgram() {
        return otherProgram;
    }

    /**
     * Kills a DataNode's processes, as {@code docker kill} does.
     *
     * @param number from 0
     */
    public void killDataNode(int number) {
        GenericContainer<?> dataNode = containers.get(1 + number);
        dataNode.getDockerClient().killContainerCmd(dataNode.getContainerId()).exec();
    }

    /**
     * Starts a DataNode that was killed, with the blocks that it had, and waits until it serves.
     */
    public void startDataNode(int number) throws Exception {
        GenericContainer<?> dataNode = containers.get(1 + number);
        long from = System.currentTimeMillis();
        dataNode.getDockerClient().startContainerCmd(dataNode.getContainerId()).exec();
        Await.until(
                START_MAX,
                "DataNode " + number + " to report again",
                this::logs,
                () -> {
                    List<DatanodeInfo> reported = liveDataNodes();
                    reported.removeIf(n -> n.getLastUpdate() <= from);
                    return reported.size() == DATANODES;
                });
    }

    /** As the NameNode sees them; none if it does not answer. */
    private List<DatanodeInfo> liveDataNodes() {
        try {
            return new ArrayList<>(
                    List.of(otherProgram.client().getDataNodeStats(DatanodeReportType.LIVE)));
        } catch (IOException e) {
            return new ArrayList<>();
        }
    }

    private GenericContainer<?> nameNode() {
        return server(
                        NAMENODE,
                        Map.of(
                                "dfs.namenode.safemode.extension",
                                "0",
                                "dfs.namenode.fs-limits.min-block-size",
                                "0",
                                // Of two DataNodes one always has more than its share of the load
                                // when the other one is dead, and would be given no new block.
                                "dfs.namenode.redundancy.considerLoad",
                                "false",
                                "dfs.heartbeat.interval",
                                "1",
                                // A DataNode that is killed counts as dead after 12 s, not 10 min.
                                "dfs.namenode.heartbeat.recheck-interval",
                                "1000",
                                "dfs.namenode.redundancy.interval.seconds",
                                "1",
                                "dfs.namenode.datanode.registration.ip-hostname-check",
                                "false",
                                // The client is another user than the one in the container.
                                "dfs.permissions.enabled",
                                "false"),
                        nameNodePort)
                .withNetworkAliases(NAMENODE);
    }

    private GenericContainer<?> dataNode(int dataPort, int callPort) {
        return server(
                "datanode",
                Map.of(
                        "dfs.heartbeat.interval",
                        "1",
                        "dfs.datanode.address",
                        "0.0.0.0:" + dataPort,
                        "dfs.datanode.ipc.address",
                        "0.0.0.0:" + callPort,
                        "dfs.datanode.hostname",
                        "127.0.0.1"),
                dataPort,
                callPort);
    }

    /**
     * @param ports it listens on these, in the container and outside
     */
    private GenericContainer<?> server(String role, Map<String, String> settings, int... ports) {
        List<String> command = new ArrayList<>(List.of(role));
        command.addAll(List.of("-D", "fs.defaultFS=hdfs://" + NAMENODE + ":" + nameNodePort));
        settings.forEach((key, value) -> command.addAll(List.of("-D", key + "=" + value)));
        GenericContainer<?> container =
                new GenericContainer<>(image)
                        // No registry has it.
                        .withImagePullPolicy(name -> false)
                        .withNetwork(network)
                        .withLabel(LABEL, "hdfs")
                        .withCommand(command.toArray(String[]::new))
                        // The NameNode is asked for who serves.
                        .waitingFor(new StartedIsEnough());
        container.setPortBindings(
                Arrays.stream(ports).mapToObj(p -> "127.0.0.1:%d:%d".formatted(p, p)).toList());
        return container;
    }

    /** The last lines of each, for people. */
    private String logs() {
        StringBuilder all = new StringBuilder();
        for (GenericContainer<?> container : containers) {
            List<String> lines = container.getLogs().lines().toList();
            all.append('\n').append(String.join(" ", container.getCommandParts())).append('\n');
            lines.stream().skip(Math.max(0, lines.size() - 20)).forEach(l -> all.append(l + "\n"));
        }
        return all.toString();
    }

    /** Removes the containers and their network. */
    @Override
    public void close() {
        containers.forEach(GenericContainer::stop);
        network.close();
    }
}

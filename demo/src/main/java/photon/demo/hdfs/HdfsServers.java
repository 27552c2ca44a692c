package photon.demo.hdfs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import photon.core.rpc.LoopbackPorts;
import photon.testbed.process.Fleet;
import photon.testbed.process.JavaCommand;
import photon.testbed.process.ProcessName;

/**
 * An HDFS for each of some datacenters: a NameNode and two DataNodes, each a process of its own on
 * loopback. Each block has two copies.
 */
public final class HdfsServers implements AutoCloseable {
    public static final int DATANODES = 2;

    private static final int HEAP_MEGABYTES = 256;

    /**
     * Of two copies one is left when a DataNode dies, and there is no third machine for another.
     */
    private static final Map<String, String> CLIENT =
            Map.of(
                    "dfs.replication",
                    Integer.toString(DATANODES),
                    "dfs.client.block.write.replace-datanode-on-failure.policy",
                    "NEVER");

    private final Path directory;
    private final Map<String, Integer> ports = new LinkedHashMap<>();
    private final Fleet fleet;

    /**
     * Starts nothing yet.
     *
     * @param directory new; what the servers store, and what they log
     * @param jar of the servers
     */
    public HdfsServers(Path directory, Path jar, List<String> datacenters, RandomGenerator random)
            throws IOException {
        this.directory = directory.toAbsolutePath().normalize();
        List<Integer> chosen = LoopbackPorts.choose(datacenters.size(), random);
        for (int i = 0; i < datacenters.size(); i++) {
            ports.put(datacenters.get(i), chosen.get(i));
        }
        Path temporary = Files.createDirectories(this.directory.resolve("tmp"));
        Path logs = Files.createDirectories(this.directory.resolve("logs"));
        this.fleet =
                new Fleet(
                        process ->
                                JavaCommand.main(
                                        HEAP_MEGABYTES,
                                        temporary,
                                        List.of(jar),
                                        HdfsServerMain.class.getName(),
                                        arguments(process)),
                        logs);
    }

    public Fleet fleet() {
        return fleet;
    }

    /** All, in order of start. */
    public List<ProcessName> processes() {
        List<ProcessName> all = new ArrayList<>();
        for (String datacenter : ports.keySet()) {
            all.add(new ProcessName(datacenter, HdfsServerMain.NAMENODE, ""));
        }
        for (String datacenter : ports.keySet()) {
            for (int i = 0; i < DATANODES; i++) {
                all.add(dataNode(datacenter, i));
            }
        }
        return all;
    }

    public static ProcessName dataNode(String datacenter, int number) {
        return new ProcessName(datacenter, HdfsServerMain.DATANODE, "datanode-" + number);
    }

    /** Of each datacenter the URI of its HDFS, without a slash at its end. */
    public Map<String, String> uris() {
        Map<String, String> uris = new LinkedHashMap<>();
        ports.forEach((datacenter, port) -> uris.put(datacenter, "hdfs://127.0.0.1:" + port));
        return uris;
    }

    /** What a client has to be told. */
    public static Map<String, String> clientSettings() {
        return CLIENT;
    }

    List<String> arguments(ProcessName process) {
        boolean nameNode = process.role().equals(HdfsServerMain.NAMENODE);
        Path own = directory.resolve(process.fileName());
        Map<String, String> settings = new LinkedHashMap<>(CLIENT);
        settings.put("fs.defaultFS", uris().get(process.datacenter()));
        settings.put("hadoop.tmp.dir", own.resolve("tmp").toString());
        if (nameNode) {
            Path names = own.resolve("name");
            settings.put(HdfsServerMain.FORMAT, Boolean.toString(!Files.exists(names)));
            settings.put("dfs.namenode.name.dir", names.toUri().toString());
            settings.put("dfs.namenode.http-address", "127.0.0.1:0");
            settings.put("dfs.namenode.safemode.extension", "0");
            settings.put("dfs.namenode.datanode.registration.ip-hostname-check", "false");
        } else {
            settings.put("dfs.datanode.data.dir", own.resolve("data").toUri().toString());
            settings.put("dfs.datanode.address", "127.0.0.1:0");
            settings.put("dfs.datanode.http.address", "127.0.0.1:0");
            settings.put("dfs.datanode.ipc.address", "127.0.0.1:0");
            settings.put("dfs.datanode.hostname", "127.0.0.1");
        }
        List<String> arguments = new ArrayList<>();
        arguments.add(process.role());
        settings.forEach((key, value) -> arguments.add(key + "=" + value));
        return arguments;
    }

    /** Kills what is left of them. */
    @Override
    public void close() {
        fleet.close();
    }
}

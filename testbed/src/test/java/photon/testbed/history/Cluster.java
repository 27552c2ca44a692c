package photon.testbed.history;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import photon.core.rpc.HostPort;
import photon.core.rpc.LoopbackPorts;
import photon.core.testing.Await;
import photon.testbed.process.Child;
import photon.testbed.process.Link;
import photon.testbed.process.ProcessName;

/**
 * Replicas of a registry as processes, each reached by each other one through a {@link Link} of
 * their own: replica {@code i} finds replica {@code j} under its name at 127.0.i.j, by a file of
 * hosts that only its Java VM reads. So the members have the same addresses everywhere, as Raft
 * wants it, and still any one direction between two of them can be cut.
 */
public final class Cluster implements AutoCloseable {
    private static final Duration SERVES_WITHIN = Duration.ofMinutes(6);

    private final Path directory;
    private final int size;
    private final long snapshotLogBytes;
    private final List<Integer> raftPorts;
    private final List<Integer> servicePorts;
    private final List<Link> links = new ArrayList<>();
    private final List<Child> replicas = new ArrayList<>();

    /** More arguments of a replica's Java VM. */
    public interface JavaArguments {
        List<String> of(int replica);
    }

    private final JavaArguments javaArguments;

    /** What makes a replica put ids into files as soon as they take so many bytes. */
    public static String memoryArgument(long bytes) {
        return ReplicaMain.memoryArgument(bytes);
    }

    /**
     * Starts nothing yet.
     *
     * @param snapshotLogBytes bytes of entries after which a replica takes a snapshot
     */
    public Cluster(
            Path directory,
            int size,
            long snapshotLogBytes,
            Random random,
            JavaArguments javaArguments)
            throws IOException {
        this.directory = directory;
        this.size = size;
        this.snapshotLogBytes = snapshotLogBytes;
        this.javaArguments = javaArguments;
        List<Integer> ports = LoopbackPorts.choose(2 * size, random);
        this.raftPorts = ports.subList(0, size);
        this.servicePorts = ports.subList(size, 2 * size);
        Files.createDirectories(directory.resolve("tmp"));
        for (int from = 0; from < size; from++) {
            StringBuilder hosts = new StringBuilder("127.0.0.1 localhost\n");
            hosts.append("127.0.0.1 ").append(InetAddress.getLocalHost().getHostName());
            hosts.append('\n');
            for (int to = 0; to < size; to++) {
                hosts.append(from == to ? "127.0.0.1" : link(from, to)).append(' ');
                hosts.append(name(to)).append('\n');
                if (from != to) {
                    links.add(
                            new Link(
                                    new InetSocketAddress(linkAddress(from, to), raftPorts.get(to)),
                                    new InetSocketAddress(
                                            InetAddress.getLoopbackAddress(), raftPorts.get(to)),
                                    Duration.ZERO));
                }
            }
            Files.writeString(hosts(from), hosts);
        }
    }

    private static String link(int from, int to) {
        return "127.0." + (from + 1) + "." + (to + 1);
    }

    private static InetAddress linkAddress(int from, int to) throws IOException {
        return InetAddress.getByAddress(new byte[] {127, 0, (byte) (from + 1), (byte) (to + 1)});
    }

    private Path hosts(int replica) {
        return directory.resolve(name(replica) + ".hosts");
    }

    public int size() {
        return size;
    }

    public static String name(int replica) {
        return "r" + replica;
    }

    /** Where clients reach it. */
    public HostPort service(int replica) {
        return new HostPort("127.0.0.1", servicePorts.get(replica));
    }

    public List<HostPort> services() {
        return IntStream.range(0, size).mapToObj(this::service).toList();
    }

    /** Its own directory. */
    public Path data(int replica) {
        return directory.resolve(name(replica));
    }

    public Child replica(int replica) {
        return replicas.get(replica);
    }

    /** SIGKILL; returns when it is gone. */
    public void kill(int replica) {
        replicas.get(replica).kill();
        replicas.get(replica).exitStatus();
    }

    /** What it has said on stderr, in all its lives. */
    public String stderr(int replica) {
        try {
            return Files.readString(log(replica));
        } catch (IOException e) {
            return "nothing can be read of what it said: " + e;
        }
    }

    public void startAll() throws IOException {
        for (int i = 0; i < size; i++) {
            replicas.add(start(i));
        }
    }

    /** Starts one again that has ended. */
    public void restart(int replica) throws IOException {
        if (replicas.get(replica).isAlive()) {
            throw new IllegalStateException("Expected " + name(replica) + " to have ended");
        }
        replicas.set(replica, start(replica));
    }

    private Child start(int replica) throws IOException {
        return Child.start(
                new ProcessName("history", ProcessName.REGISTRY, name(replica)),
                command(replica),
                log(replica));
    }

    private Path log(int replica) {
        return directory.resolve(name(replica) + ".log");
    }

    private List<String> command(int replica) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(
                List.of(
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-Xshare:auto",
                        "-XX:-UsePerfData",
                        "-Xss512k",
                        "-Xmx192m",
                        "-XX:MaxDirectMemorySize=128m",
                        "-XX:+ExitOnOutOfMemoryError",
                        "-Djava.io.tmpdir=" + directory.resolve("tmp"),
                        "-Djdk.net.hosts.file=" + hosts(replica)));
        command.addAll(javaArguments.of(replica));
        command.addAll(
                List.of(
                        "-cp",
                        System.getProperty("java.class.path"),
                        ReplicaMain.class.getName(),
                        name(replica),
                        data(replica).toString(),
                        "" + snapshotLogBytes));
        for (int i = 0; i < size; i++) {
            command.add(name(i) + "=" + name(i) + ":" + raftPorts.get(i) + "=" + service(i));
        }
        return command;
    }

    public void awaitServing(int replica) throws Exception {
        Await.until(
                SERVES_WITHIN,
                name(replica) + " to serve",
                () -> stderr(replica),
                () -> {
                    if (!replica(replica).isAlive()) {
                        throw new AssertionError(
                                "Expected "
                                        + name(replica)
                                        + " to serve, but it has ended: "
                                        + stderr(replica));
                    }
                    return replica(replica).serves();
                });
    }

    public void awaitAllServing() throws Exception {
        for (int i = 0; i < size; i++) {
            awaitServing(i);
        }
    }

    /** The connections that the first opens to the second. */
    Link linkBetween(int from, int to) {
        return links.get(from * (size - 1) + (to < from ? to : to - 1));
    }

    /** All is connected again. Connections that were cut go on. */
    public void mendLinks() {
        links.forEach(Link::mend);
    }

    /** All that the replicas have said. */
    public String messages() {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < replicas.size(); i++) {
            text.append(name(i)).append(": ").append(stderr(i)).append('\n');
        }
        return text.toString();
    }

    @Override
    public void close() throws IOException {
        for (int i = 0; i < replicas.size(); i++) {
            kill(i);
        }
        for (Link link : links) {
            link.close();
        }
    }
}

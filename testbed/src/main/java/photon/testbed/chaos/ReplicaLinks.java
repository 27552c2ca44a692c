package photon.testbed.chaos;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import photon.testbed.process.Link;

/** All ways to the replicas, from each other and from clients. Thread-safe. */
final class ReplicaLinks implements AutoCloseable {
    /** Stands for this process in the place of a replica's number. */
    static final int CLIENTS = -1;

    private record Way(int from, int to) {}

    private final Map<Way, List<Link>> links = new HashMap<>();

    /** Ways that can be cut; none if the layout has none. */
    static ReplicaLinks of(ChaosLayout layout) throws IOException {
        ReplicaLinks made = new ReplicaLinks();
        try {
            for (int to = 0; layout.isRough() && to < ChaosLayout.size(); to++) {
                made.add(CLIENTS, to, ChaosLayout.clientLinkAddress(to), layout.servicePort(to));
                for (int from = 0; from < ChaosLayout.size(); from++) {
                    if (from != to) {
                        InetAddress at = ChaosLayout.linkAddress(from, to);
                        made.add(from, to, at, layout.raftPort(to));
                        made.add(from, to, at, layout.servicePort(to));
                    }
                }
            }
            return made;
        } catch (IOException e) {
            made.close();
            throw e;
        }
    }

    private void add(int from, int to, InetAddress at, int port) throws IOException {
        links.computeIfAbsent(new Way(from, to), way -> new ArrayList<>())
                .add(
                        new Link(
                                new InetSocketAddress(at, port),
                                new InetSocketAddress(InetAddress.getLoopbackAddress(), port),
                                Duration.ZERO));
    }

    /** Connections that the first opens to the second, both directions of them. */
    void cut(int from, int to) {
        links.getOrDefault(new Way(from, to), List.of()).forEach(Link::cut);
    }

    /**
     * All is connected again.
     *
     * @param reset connections that were cut end; else they go on with what was held up
     */
    void mend(boolean reset) {
        for (List<Link> way : links.values()) {
            for (Link link : way) {
                if (reset && link.isCut()) {
                    link.reset();
                }
                link.mend();
            }
        }
    }

    @Override
    public void close() throws IOException {
        for (List<Link> way : links.values()) {
            for (Link link : way) {
                link.close();
            }
        }
    }
}

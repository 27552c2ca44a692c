package photon.cli.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The configuration of a pipeline of one datacenter, for tests that start its daemons. */
final class OneDatacenter {
    /** Those of the event store, the dispatcher and the joiner. */
    private static final int WORKERS = 3;

    private OneDatacenter() {}

    /** How many ports a pipeline needs whose registry has that number of replicas. */
    static int ports(int replicas) {
        return 2 * replicas + WORKERS;
    }

    /**
     * Writes {@code photon.yaml}.
     *
     * @param ports as many as {@link #ports} says, and more, which are not used
     * @param output of joined events
     */
    static Path config(Path directory, int replicas, List<Integer> ports, String output)
            throws IOException {
        StringBuilder registry = new StringBuilder();
        for (int i = 0; i < replicas; i++) {
            registry.append(
                    "    - {name: r%d, datacenter: east, raft: \"127.0.0.1:%d\", service: \"127.0.0.1:%d\"}\n"
                            .formatted(i, ports.get(2 * i), ports.get(2 * i + 1)));
        }
        List<Integer> workers = ports.subList(2 * replicas, 2 * replicas + WORKERS);
        String text =
                LocalTest.JOBS
                                .formatted("events-*.csv", "events-*.csv", "")
                                .replace("[east, west]", "[east]")
                        + """
                        deployment:
                          datacenter: east
                          state: state
                          output: %s
                          registry:
                        %s\
                          eventStore: 127.0.0.1:%d
                          dispatcher: 127.0.0.1:%d
                          joiners:
                            - {name: joiner-0, address: "127.0.0.1:%d"}
                        """
                                .formatted(
                                        output,
                                        registry,
                                        workers.get(0),
                                        workers.get(1),
                                        workers.get(2));
        return Files.writeString(directory.resolve("photon.yaml"), text);
    }
}

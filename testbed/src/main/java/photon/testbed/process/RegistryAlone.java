package photon.testbed.process;

import java.nio.file.Path;
import java.util.List;

/** What {@code photon run registry} needs where nothing but a registry runs. */
public final class RegistryAlone {
    private RegistryAlone() {}

    /**
     * A configuration, whose paths are relative to its own directory. The parts that it has to name
     * as well are not there.
     *
     * @param name of the pipeline and its one datacenter
     * @param settings more lines of the section {@code deployment}, such as {@code key: value}
     * @param replicas as the list {@code registry} has them, each in one line, without its
     *     datacenter
     */
    public static String config(String name, List<String> settings, List<String> replicas) {
        StringBuilder text =
                new StringBuilder(
                        """
                        pipeline: %1$s
                        datacenters: [%1$s]
                        retention: unlimited
                        primary:
                          paths: ["logs/primary/*.log"]
                          format: {type: json-lines}
                          id: {server: server, process: process, timestamp: timestamp}
                        foreign:
                          paths: ["logs/foreign/*.log"]
                          format: {type: json-lines}
                          id: {server: server, process: process, timestamp: timestamp}
                          primaryId: {server: p.server, process: p.process, timestamp: p.timestamp}
                        security: {mode: plaintext}
                        deployment:
                          datacenter: %1$s
                          state: state
                          output: out
                          clock: {source: configured, bound: 10ms}
                          eventStore: "127.0.0.1:1"
                          dispatcher: "127.0.0.1:1"
                          joiners: [{name: joiner-0, address: "127.0.0.1:1"}]
                        """
                                .formatted(name));
        settings.forEach(line -> text.append("  ").append(line).append('\n'));
        text.append("  registry:\n");
        for (String replica : replicas) {
            text.append("    - {datacenter: %s, %s}\n".formatted(name, replica));
        }
        return text.toString();
    }

    /** What follows {@code photon} to run one replica, which ends with this process. */
    public static List<String> arguments(Path config, String replica) {
        return List.of(
                "run",
                "registry",
                "--config",
                config.toString(),
                "--name",
                replica,
                "--until-stdin-closes",
                "--status-every",
                "200ms");
    }
}

package photon.demo;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import photon.core.rpc.LoopbackPorts;
import photon.server.datacenters.DatacenterPaths;
import photon.testbed.process.ProcessName;

/**
 * What processes a demo has, on which ports of loopback, and where their files lie in its
 * directory. Two datacenters and five replicas of the registry, in three places, so that no place
 * is needed. Immutable.
 */
public final class DemoLayout {
    public static final String EAST = "east";
    public static final String WEST = "west";
    public static final List<String> DATACENTERS = List.of(EAST, WEST);
    public static final String WITNESS = "witness";
    public static final String PIPELINE = "demo";

    /**
     * The leaders that a registry prefers go by this order, the first shard's and the control
     * group's to the first, the second shard's to the second: each datacenter has one.
     */
    private static final List<ProcessName> REPLICAS =
            List.of(
                    new ProcessName(EAST, ProcessName.REGISTRY, "r0"),
                    new ProcessName(WEST, ProcessName.REGISTRY, "r1"),
                    new ProcessName(EAST, ProcessName.REGISTRY, "r2"),
                    new ProcessName(WEST, ProcessName.REGISTRY, "r3"),
                    new ProcessName(WITNESS, ProcessName.REGISTRY, "r4"));

    private final Path work;
    private final int joiners;
    private final DemoPlaces places;
    private final Map<String, Integer> ports = new LinkedHashMap<>();

    /**
     * Chooses the ports.
     *
     * @param work the demo's directory; must exist
     * @param joiners in each datacenter, from 1 on
     */
    public DemoLayout(Path work, int joiners, RandomGenerator random) throws IOException {
        this(work, joiners, DemoPlaces.LOCAL, random);
    }

    /** The same with files elsewhere than in the demo's directory alone. */
    public DemoLayout(Path work, int joiners, DemoPlaces places, RandomGenerator random)
            throws IOException {
        this.work = work.toAbsolutePath().normalize();
        this.joiners = joiners;
        this.places = places;
        List<String> listeners = new ArrayList<>();
        for (ProcessName process : processes()) {
            listeners.add(process.label());
            if (process.isRegistry()) {
                listeners.add(raft(process));
            }
        }
        List<Integer> chosen = LoopbackPorts.choose(listeners.size(), random);
        for (int i = 0; i < listeners.size(); i++) {
            ports.put(listeners.get(i), chosen.get(i));
        }
    }

    private static String raft(ProcessName replica) {
        return replica.label() + " raft";
    }

    /** The replica that is to lead this group when all run, by its label. */
    static String home(String group) {
        boolean second = group.endsWith("/1");
        return REPLICAS.get(second ? 1 : 0).label();
    }

    /** The registry's replicas, in their order in the configuration. */
    public List<ProcessName> replicas() {
        return REPLICAS;
    }

    /** A datacenter's processes without its replicas of the registry, in order of start. */
    public List<ProcessName> daemons(String datacenter) {
        List<ProcessName> daemons = new ArrayList<>();
        daemons.addAll(eventStores(datacenter));
        daemons.addAll(joiners(datacenter));
        daemons.addAll(dispatchers(datacenter));
        daemons.add(new ProcessName(datacenter, ProcessName.VERIFIER, ""));
        return daemons;
    }

    public List<ProcessName> joiners(String datacenter) {
        List<ProcessName> names = new ArrayList<>();
        for (int i = 0; i < joiners; i++) {
            names.add(new ProcessName(datacenter, ProcessName.JOINER, "joiner-" + i));
        }
        return names;
    }

    /** One on each machine; with one machine it needs no name. */
    public List<ProcessName> eventStores(String datacenter) {
        return onEachMachine(datacenter, ProcessName.EVENT_STORE);
    }

    /** One on each machine; with one machine it needs no name. */
    public List<ProcessName> dispatchers(String datacenter) {
        return onEachMachine(datacenter, ProcessName.DISPATCHER);
    }

    private List<ProcessName> onEachMachine(String datacenter, String role) {
        if (places.machines() == 1) {
            return List.of(new ProcessName(datacenter, role, ""));
        }
        List<ProcessName> names = new ArrayList<>();
        for (int i = 0; i < places.machines(); i++) {
            names.add(new ProcessName(datacenter, role, role + "-" + i));
        }
        return names;
    }

    /** On which machine of its datacenter a process runs. */
    private int machine(ProcessName process) {
        String datacenter = process.datacenter();
        int place =
                Stream.of(eventStores(datacenter), joiners(datacenter), dispatchers(datacenter))
                        .mapToInt(all -> all.indexOf(process))
                        .max()
                        .orElseThrow();
        return Math.max(0, place) % places.machines();
    }

    /** Everything that stands in a place, the registry's replicas first. */
    public List<ProcessName> processesIn(String place) {
        return processes().stream().filter(p -> p.datacenter().equals(place)).toList();
    }

    /** All, in order of start. */
    public List<ProcessName> processes() {
        List<ProcessName> all = new ArrayList<>(REPLICAS);
        DATACENTERS.forEach(datacenter -> all.addAll(daemons(datacenter)));
        return all;
    }

    public Path work() {
        return work;
    }

    /** Where the generated logs lie; every datacenter reads them all. */
    public Path logs() {
        return work.resolve("logs");
    }

    public Path outputs() {
        return work.resolve("out");
    }

    public Path output(String datacenter) {
        return outputs().resolve(datacenter);
    }

    public Path states() {
        return work.resolve("state");
    }

    public Path state(String datacenter) {
        return states().resolve(datacenter);
    }

    public DemoPlaces places() {
        return places;
    }

    /** Where a datacenter's files are that outlive its processes. */
    DatacenterPaths paths(String datacenter) {
        return places.areLocal()
                ? new DatacenterPaths(datacenter, state(datacenter), output(datacenter).toString())
                : new DatacenterPaths(
                        datacenter,
                        state(datacenter),
                        places.shared(datacenter) + "/" + datacenter,
                        places.outputs(datacenter) + "/" + datacenter);
    }

    /** Where the processes' stderr goes. */
    public Path daemonLogs() {
        return work.resolve("daemons");
    }

    /** Where the processes put what is of no use after them. */
    public Path temporary() {
        return work.resolve("tmp");
    }

    /** A place's configuration. The witness, which has none of its own, reads the east's. */
    public Path config(String place) {
        return config(place, 0);
    }

    private Path config(String place, int machine) {
        String name = place.equals(WITNESS) ? EAST : place;
        return work.resolve(name + (machine == 0 ? "" : "-" + machine) + ".yaml");
    }

    /** The command line of a process, after the program: {@code run dispatcher --config ...}. */
    public List<String> arguments(ProcessName process) {
        List<String> arguments =
                new ArrayList<>(
                        List.of(
                                "run",
                                process.role(),
                                "--config",
                                config(process.datacenter(), machine(process)).toString(),
                                "--until-stdin-closes",
                                "--status-every",
                                "200ms"));
        if (!process.name().isEmpty() && !process.role().equals(ProcessName.DISPATCHER)) {
            arguments.addAll(List.of("--name", process.name()));
        }
        return arguments;
    }

    /** The same text for each datacenter. */
    public void write(String streams) throws IOException {
        write(datacenter -> streams);
    }

    /**
     * Makes the directories and writes the configurations.
     *
     * @param streams of each datacenter the configuration's text without {@code pipeline}, {@code
     *     datacenters} and {@code deployment}: {@code primary}, {@code foreign} and what else is
     *     wanted. Relative paths are relative to {@link #work}
     */
    public void write(UnaryOperator<String> streams) throws IOException {
        for (Path directory : List.of(logs(), daemonLogs(), temporary())) {
            Files.createDirectories(directory);
        }
        for (String datacenter : DATACENTERS) {
            for (int machine = 0; machine < places.machines(); machine++) {
                Files.writeString(
                        config(datacenter, machine),
                        configuration(datacenter, machine, streams.apply(datacenter)));
            }
        }
    }

    private String configuration(String datacenter, int machine, String streams) {
        StringBuilder text = new StringBuilder();
        text.append("pipeline: %s\ndatacenters: [%s]\n".formatted(PIPELINE, commaSeparated()));
        text.append(streams.strip()).append('\n');
        text.append("deployment:\n  datacenter: %s\n".formatted(datacenter));
        // All of them share the machine's clock: it is never far from itself.
        text.append("  clock: {source: configured, bound: 10ms}\n");
        text.append(placesText(datacenter, machine)).append("  registry:\n");
        for (ProcessName replica : REPLICAS) {
            text.append(
                    "    - {name: %s, datacenter: %s, raft: \"%s\", service: \"%s\"}\n"
                            .formatted(
                                    replica.name(),
                                    replica.datacenter(),
                                    address(raft(replica)),
                                    address(replica.label())));
        }
        text.append(eventStoresText(datacenter));
        ProcessName dispatcher = dispatchers(datacenter).get(machine);
        text.append("  dispatcher: \"%s\"\n".formatted(address(dispatcher.label())));
        return text.append(listText("joiners", joiners(datacenter)))
                .append(hadoopText())
                .toString();
    }

    private String placesText(String datacenter, int machine) {
        if (places.areLocal()) {
            return "  state: state\n  output: out\n";
        }
        return "  state: %s\n  shared: \"%s\"\n  output: \"%s\"\n"
                .formatted(
                        machine == 0 ? "state" : "state-" + machine,
                        places.shared(datacenter),
                        places.outputs(datacenter));
    }

    private String hadoopText() {
        StringBuilder text = new StringBuilder();
        new TreeMap<>(places.hadoop())
                .forEach((key, value) -> text.append("  %s: \"%s\"\n".formatted(key, value)));
        return text.isEmpty() ? "" : "hadoop:\n" + text;
    }

    private String eventStoresText(String datacenter) {
        List<ProcessName> names = eventStores(datacenter);
        return names.size() == 1
                ? "  eventStore: \"%s\"\n".formatted(address(names.get(0)))
                : listText("eventStores", names);
    }

    private String listText(String key, List<ProcessName> names) {
        StringBuilder text = new StringBuilder("  %s:\n".formatted(key));
        for (ProcessName each : names) {
            text.append(
                    "    - {name: %s, address: \"%s\"}\n".formatted(each.name(), address(each)));
        }
        return text.toString();
    }

    private static String commaSeparated() {
        return String.join(", ", DATACENTERS);
    }

    /** Where a process takes requests, as {@code host:port}. */
    String address(ProcessName process) {
        return address(process.label());
    }

    private String address(String listener) {
        return "127.0.0.1:" + ports.get(listener);
    }
}

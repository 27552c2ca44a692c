package photon.simulation.parts;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import photon.core.config.FormatConfig;
import photon.core.config.IdConfig;
import photon.core.config.OutputConfig;
import photon.core.config.PipelineConfig;
import photon.core.config.StreamConfig;
import photon.core.config.TimestampConfig;
import photon.core.rpc.HostPort;
import photon.core.share.EventStoreShares;
import photon.idregistry.batch.BatchLimits;
import photon.simulation.checks.InputRecord;
import photon.simulation.kernel.Life;
import photon.simulation.kernel.Timeline;
import photon.simulation.kernel.Trace;
import photon.simulation.network.Network;
import photon.simulation.raft.Reach;
import photon.simulation.raft.SimulatedCluster;
import photon.storage.files.FileStore;
import photon.storage.journal.OpenJournal;

/** Two datacenters that read the same events, and what they have published. */
final class SmallWorld {
    private final Timeline timeline;
    private final int events;
    private final List<SimulatedDatacenter> datacenters = new ArrayList<>();
    private final List<RegistryHost> registry = new ArrayList<>();
    private final List<String> bugs = new ArrayList<>();

    SmallWorld(long seed, int events) {
        this.timeline = new Timeline(seed, new Trace(false));
        this.events = events;
        Network network = new Network(timeline);
        List<HostPort> addresses = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            addresses.add(new HostPort("registry-" + i, 7_300));
        }
        SimulatedCluster cluster =
                new SimulatedCluster(timeline, Reach.over(network), addresses, bugs::add);
        for (HostPort address : addresses) {
            registry.add(
                    new RegistryHost(
                            timeline,
                            network,
                            cluster,
                            address,
                            addresses,
                            BatchLimits.DEFAULTS,
                            this::met));
        }
        Surroundings world =
                new Surroundings(
                        timeline,
                        network,
                        config(),
                        Optional.empty(),
                        1,
                        OpenJournal.SEGMENT_BYTES_MAX,
                        Optional.empty(),
                        EventStoreLists.always(EventStoreShares.ofOne("eventstore-0")),
                        Optional.empty(),
                        addresses,
                        (life, host, loop) -> new SimulatedTransport(network, life, host, loop),
                        (life, point) -> {},
                        this::met);
        datacenters.add(new SimulatedDatacenter(world, "east", 0));
        datacenters.add(new SimulatedDatacenter(world, "west", 1));
        List<InputRecord> script = script();
        datacenters.forEach(datacenter -> datacenter.inputs().play(script, 0));
    }

    private void met(Life life, String where, Throwable bug) {
        if (!ProcessHost.stoppedByFiles(bug)) {
            bugs.add(life + " in " + where + ": " + bug);
        }
    }

    private static PipelineConfig config() {
        TimestampConfig at = new TimestampConfig.Numeric("at", TimestampConfig.Unit.MICROS);
        return new PipelineConfig(
                "small",
                List.of("east", "west"),
                Optional.of(Duration.ofHours(3)),
                Duration.ofSeconds(2),
                new StreamConfig(
                        List.of(),
                        new FormatConfig.JsonLines(),
                        Map.of(),
                        Map.of(),
                        new IdConfig.User(List.of("query")),
                        Optional.of(at),
                        Optional.empty()),
                new StreamConfig(
                        List.of(),
                        new FormatConfig.JsonLines(),
                        Map.of(),
                        Map.of(),
                        new IdConfig.User(List.of("click")),
                        Optional.of(at),
                        Optional.of(new IdConfig.User(List.of("query")))),
                new PipelineConfig.Adapter("merge", Map.of()),
                PipelineConfig.Limits.DEFAULTS,
                PipelineConfig.Repair.DEFAULTS,
                OutputConfig.DEFAULTS,
                Optional.empty());
    }

    /** Over a minute; the primary event comes up to 10 s before or after. */
    private List<InputRecord> script() {
        List<InputRecord> script = new ArrayList<>();
        for (int i = 0; i < events; i++) {
            for (String datacenter : List.of("east", "west")) {
                long nanos = 11_000_000_000L + timeline.random().nextLong(60_000_000_000L);
                long apart = timeline.random().nextLong(-10_000_000_000L, 10_000_000_000L);
                long micros = Timeline.START_MICROS + i;
                script.add(
                        new InputRecord(
                                datacenter,
                                InputRecord.Stream.FOREIGN,
                                nanos,
                                "{\"click\": \"c%d\", \"at\": %d, \"query\": \"q%d\"}"
                                        .formatted(i, micros, i)
                                        .getBytes(UTF_8)));
                script.add(
                        new InputRecord(
                                datacenter,
                                InputRecord.Stream.PRIMARY,
                                nanos + apart,
                                "{\"query\": \"q%d\", \"at\": %d}"
                                        .formatted(i, micros)
                                        .getBytes(UTF_8)));
            }
        }
        return script;
    }

    void startAll() {
        registry.forEach(RegistryHost::start);
        datacenters.forEach(SimulatedDatacenter::startAll);
    }

    void runFor(Duration length) {
        timeline.runUntil(timeline.nowNanos() + length.toNanos());
    }

    Timeline timeline() {
        return timeline;
    }

    List<RegistryHost> registry() {
        return registry;
    }

    List<SimulatedDatacenter> datacenters() {
        return datacenters;
    }

    List<String> bugs() {
        return bugs;
    }

    /** How often each event stands in the published files. */
    Map<String, Integer> published() throws IOException {
        Map<String, Integer> published = new TreeMap<>();
        for (SimulatedDatacenter datacenter : datacenters) {
            FileStore files = datacenter.disk().unharmed();
            for (FileStore.FileInfo file :
                    files.glob(datacenter.layout().output() + "/dt=*/hour=*/*.jsonl")) {
                new String(datacenter.disk().store().content(file.path()), UTF_8)
                        .lines()
                        .forEach(
                                line -> {
                                    int at = line.indexOf("\"id\": \"") + 7;
                                    String id = line.substring(at, line.indexOf('"', at));
                                    published.merge(id, 1, Integer::sum);
                                });
            }
        }
        return published;
    }

    void assertPublishedOnce(long seed) throws IOException {
        Map<String, Integer> wanted = new TreeMap<>();
        for (int i = 0; i < events; i++) {
            wanted.put("c" + i, 1);
        }
        assertThat(published()).as("seed %d", seed).isEqualTo(wanted);
    }
}

package photon.cli.registry;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import photon.cli.Captured;
import photon.core.id.CommitToken;
import photon.core.id.EventId;
import photon.core.id.Incarnation;
import photon.core.id.UserKey;
import photon.core.loop.ThreadLoop;
import photon.core.rpc.HostPort;
import photon.core.rpc.LoopbackPorts;
import photon.core.rpc.ProcessRpcs;
import photon.core.testing.Await;
import photon.core.testing.Together;
import photon.core.time.SystemClock;
import photon.idregistry.raft.RaftTuning;
import photon.idregistry.server.RegistryServer;
import photon.idregistry.server.config.RegistryServerConfig;
import photon.proto.v1.DescribeServerResponse;
import photon.proto.v1.ReplicaRole;
import photon.proto.v1.ReplicaStatus;
import photon.proto.v1.SetPipelineRequest;
import photon.registry.api.ControlClient;
import photon.registry.api.RegistryClient;
import photon.registry.api.RegistryClient.Commit;
import photon.registry.api.RegistryProtos;
import photon.registry.client.GrpcRegistry;
import photon.registry.client.RegistryConnection;
import photon.server.health.HealthReport;
import photon.server.health.HealthSource;
import photon.server.metrics.DocumentedMetrics;
import photon.server.metrics.MetricsEndpoint;
import photon.server.metrics.RegistryMetrics;
import photon.server.metrics.Scrape;

/**
 * {@code photon registry status} and the metrics of a registry of three real servers, which are
 * stopped one after the other: the order of the tests is theirs.
 */
@Timeout(600)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class RegistryStatusTest {
    private static final int SERVERS = 3;
    private static final int IDS = 10;
    private static final Duration WITHIN = Duration.ofMinutes(2);

    @TempDir static Path root;

    private static final List<RegistryServerConfig.Peer> PEERS = new ArrayList<>();
    private static final @Nullable RegistryServer[] RUNNING = new RegistryServer[SERVERS];
    private static final Queue<String> BUGS = new ConcurrentLinkedQueue<>();
    private static final long NOW_MICROS =
            TimeUnit.MILLISECONDS.toMicros(System.currentTimeMillis());

    @BeforeAll
    static void start() throws Exception {
        List<Integer> ports = LoopbackPorts.choose(2 * SERVERS, new Random());
        for (int n = 0; n < SERVERS; n++) {
            PEERS.add(
                    new RegistryServerConfig.Peer(
                            "r" + n,
                            new HostPort("127.0.0.1", ports.get(2 * n)),
                            new HostPort("127.0.0.1", ports.get(2 * n + 1))));
        }
        // A snapshot as soon as anything was applied.
        RaftTuning tuning =
                RaftTuning.LAN
                        .withElection(Duration.ofSeconds(5), Duration.ofSeconds(10))
                        .withLog(1 << 16, 1, 1);
        Together.run(
                SERVERS,
                n ->
                        RUNNING[n] =
                                RegistryServer.start(
                                        RegistryServerConfig.of(
                                                        "r" + n, PEERS, root.resolve("r" + n))
                                                .with(tuning),
                                        new SystemClock(Duration.ofMillis(250)),
                                        (where, bug) -> BUGS.add(where + ": " + bug)));
        commitSome();
    }

    @AfterAll
    static void stop() {
        IntStream.range(0, SERVERS).parallel().forEach(RegistryStatusTest::stop);
        assertThat(BUGS).isEmpty();
    }

    private static void stop(int n) {
        RegistryServer server = RUNNING[n];
        if (server != null) {
            server.close();
            RUNNING[n] = null;
        }
    }

    private static EventId id(int n) {
        return EventId.ofUser(NOW_MICROS - 1_000_000 + n, UserKey.of(List.of("id" + n)));
    }

    /**
     * One pipeline of one shard, ten ids, then one again by another token, a lookup, a boundary an
     * hour ago, which stands still from then on.
     */
    private static void commitSome() throws Exception {
        ThreadLoop loop =
                new ThreadLoop("client", 1_000, (where, bug) -> BUGS.add(where + ": " + bug));
        try {
            CompletableFuture<RegistryConnection> made = new CompletableFuture<>();
            List<HostPort> services =
                    PEERS.stream().map(RegistryServerConfig.Peer::service).toList();
            loop.execute(
                    () ->
                            made.complete(
                                    GrpcRegistry.connect(
                                            loop,
                                            services,
                                            "ads",
                                            new ProcessRpcs(),
                                            new Random(1))));
            RegistryConnection connection = made.join();
            ControlClient.Pipeline pipeline =
                    ask(
                            loop,
                            () -> connection.control().openPipeline("ads", new UUID(1, 2), "f", 1));
            RegistryClient registry = ask(loop, connection::registry);
            Incarnation incarnation = new Incarnation(1, 1);
            List<Commit> commits = new ArrayList<>();
            for (int n = 0; n < IDS; n++) {
                commits.add(new Commit(id(n), CommitToken.of(incarnation, n)));
            }
            commit(loop, registry, commits);
            commit(loop, registry, List.of(new Commit(id(0), CommitToken.of(incarnation, 99))));
            ask(loop, () -> registry.lookupLocal(List.of(id(0))));
            keep(loop, connection, pipeline.uuid(), Duration.ofHours(1));
            Await.until(
                    WITHIN,
                    "a boundary",
                    () -> status("--servers", service(0)).stdout(),
                    () -> status("--servers", service(0)).stdout().contains(" boundary 20"));
            keep(loop, connection, pipeline.uuid(), Duration.ZERO);
            loop.execute(connection::close);
        } finally {
            loop.close();
        }
    }

    private static void keep(
            ThreadLoop loop, RegistryConnection connection, UUID pipeline, Duration retention) {
        ask(
                loop,
                () ->
                        connection
                                .pipelines()
                                .set(
                                        SetPipelineRequest.newBuilder()
                                                .setPipeline(RegistryProtos.bytes(pipeline))
                                                .setRetentionMicros(retention.toNanos() / 1_000)
                                                .build()));
    }

    private static void commit(ThreadLoop loop, RegistryClient registry, List<Commit> commits) {
        ask(
                loop,
                () -> {
                    CompletableFuture<Boolean> all = new CompletableFuture<>();
                    List<Commit> heard = new ArrayList<>();
                    registry.commit(
                            commits,
                            (commit, result, holder, askedAgain) -> {
                                heard.add(commit);
                                if (heard.size() == commits.size()) {
                                    all.complete(true);
                                }
                            });
                    return all;
                });
    }

    private static <T> T ask(ThreadLoop loop, Supplier<CompletableFuture<T>> question) {
        CompletableFuture<T> answer = new CompletableFuture<>();
        loop.execute(
                () ->
                        question.get()
                                .whenComplete(
                                        (value, failure) -> {
                                            if (failure == null) {
                                                answer.complete(value);
                                            } else {
                                                answer.completeExceptionally(failure);
                                            }
                                        }));
        return answer.orTimeout(WITHIN.toSeconds(), TimeUnit.SECONDS).join();
    }

    private static Captured status(String... more) {
        List<String> args = new ArrayList<>(List.of("registry", "status", "--timeout", "60s"));
        args.addAll(List.of(more));
        return Captured.run(args.toArray(String[]::new));
    }

    private static String service(int n) {
        return PEERS.get(n).service().toString();
    }

    private static JsonNode json(Captured run) throws IOException {
        return new ObjectMapper().readTree(run.stdout());
    }

    private static List<String> keys(JsonNode node) {
        List<String> keys = new ArrayList<>();
        node.fieldNames().forEachRemaining(keys::add);
        return keys;
    }

    /** Waits until every replica has applied everything and has a snapshot, and one leads all. */
    private static JsonNode settled() throws Exception {
        JsonNode[] last = new JsonNode[1];
        Await.until(
                WITHIN,
                "replicas without lag, with a snapshot, one of which leads",
                () -> String.valueOf(last[0]),
                () -> {
                    last[0] = json(status("--servers", service(0), "-o", "json"));
                    boolean settled = last[0].get("healthy").asBoolean();
                    for (JsonNode group : last[0].get("groups")) {
                        settled &= oneLeads(group.get("replicas"));
                        for (JsonNode replica : group.get("replicas")) {
                            settled &=
                                    replica.get("lagEntries").asLong(-1) == 0
                                            && replica.get("snapshot").isObject();
                        }
                    }
                    return settled;
                });
        return last[0];
    }

    /** False while leadership goes from one to another: each is asked at another moment. */
    private static boolean oneLeads(JsonNode replicas) {
        return Collections.frequency(replicas.findValuesAsText("role"), "leader") == 1
                && Set.copyOf(replicas.findValuesAsText("term")).size() == 1;
    }

    /** What each server says in a moment in which one of them leads the shard. */
    private static List<CompletableFuture<DescribeServerResponse>> described() throws Exception {
        return Await.answer(
                WITHIN,
                "one leader",
                all -> {
                    List<ReplicaStatus> of =
                            all.stream().map(server -> server.join().getReplicas(1)).toList();
                    return of.stream().filter(r -> r.getRole() == ReplicaRole.ROLE_LEADER).count()
                                    == 1
                            && of.stream().map(ReplicaStatus::getTerm).distinct().count() == 1;
                },
                () -> {
                    List<CompletableFuture<DescribeServerResponse>> asked =
                            Stream.of(RUNNING)
                                    .map(server -> requireNonNull(server).describe())
                                    .toList();
                    CompletableFuture.allOf(asked.toArray(CompletableFuture[]::new))
                            .get(WITHIN.toSeconds(), TimeUnit.SECONDS);
                    return asked;
                });
    }

    @Test
    @Order(1)
    void oneServerIsEnoughToFindTheOthersAndAllOfItIsTold() throws Exception {
        JsonNode status = settled();
        assertThat(keys(status))
                .containsExactly(
                        "atMillis",
                        "healthy",
                        "problems",
                        "alarms",
                        "servers",
                        "pipelines",
                        "groups");
        assertThat(status.get("alarms")).isEmpty();
        assertThat(status.get("problems")).isEmpty();
        assertThat(status.get("servers")).hasSize(SERVERS);
        JsonNode server = status.get("servers").get(1);
        assertThat(keys(server))
                .containsExactly(
                        "name", "service", "raft", "leaderWeight", "answers", "trouble", "clock");
        JsonNode clock = server.get("clock");
        assertThat(clock.get("source").asText()).isEqualTo("configured");
        assertThat(clock.get("synchronised").asBoolean()).isTrue();
        assertThat(clock.get("boundMicros").asLong()).isEqualTo(250_000);
        assertThat(clock.get("aheadMicros").asLong()).isBetween(-60_000_000L, 60_000_000L);
        assertThat(clock.get("trouble").isNull()).isTrue();
        assertThat(server.get("service").asText()).isEqualTo(service(1));
        assertThat(server.get("answers").asBoolean()).isTrue();
        assertThat(server.get("trouble").isNull()).isTrue();

        JsonNode pipeline = status.get("pipelines").get(0);
        assertThat(pipeline.toString())
                .isEqualTo(
                        "{\"name\":\"ads\",\"uuid\":\"00000000-0000-0001-0000-000000000002\",\"mapVersion\":1,"
                                + "\"epochs\":[{\"number\":1,\"shards\":1,\"startMicros\":null}],\"openReshards\":[],\"retentionMicros\":null}");

        assertThat(status.get("groups")).hasSize(2);
        JsonNode control = status.get("groups").get(0);
        assertThat(control.get("name").asText()).isEqualTo("control");
        assertThat(control.get("ids").isNull()).isTrue();
        JsonNode shard = status.get("groups").get(1);
        assertThat(keys(shard))
                .containsExactly(
                        "name",
                        "pipeline",
                        "epoch",
                        "shard",
                        "leader",
                        "term",
                        "trouble",
                        "ids",
                        "boundaryMicros",
                        "boundary",
                        "boundaryAgeMillis",
                        "newestIdMicros",
                        "mapVersion",
                        "replicas");
        assertThat(shard.get("name").asText()).isEqualTo("ads/1/0");
        assertThat(shard.get("leader").asText()).matches("r[0-2]");
        assertThat(shard.get("term").asLong()).isPositive();
        assertThat(shard.get("boundaryMicros").asLong())
                .isBetween(
                        NOW_MICROS - TimeUnit.MINUTES.toMicros(61),
                        NOW_MICROS - TimeUnit.MINUTES.toMicros(50));
        assertThat(shard.get("boundary").asText()).endsWith("Z");
        assertThat(shard.get("newestIdMicros").asLong()).isEqualTo(id(IDS - 1).micros());
        assertThat(shard.get("replicas")).hasSize(SERVERS);
        int leaders = 0;
        for (JsonNode replica : shard.get("replicas")) {
            assertThat(keys(replica))
                    .containsExactly(
                            "server",
                            "answers",
                            "lagEntries",
                            "role",
                            "ready",
                            "caughtUp",
                            "term",
                            "appliedIndex",
                            "committedIndex",
                            "logBytes",
                            "ids",
                            "snapshot");
            leaders += replica.get("role").asText().equals("leader") ? 1 : 0;
            assertThat(replica.get("ids").asLong()).isEqualTo(shard.get("ids").asLong());
            assertThat(replica.get("logBytes").asLong()).isPositive();
            assertThat(keys(replica.get("snapshot")))
                    .containsExactly("index", "bytes", "madeMillis", "ageMillis");
            assertThat(replica.get("snapshot").get("ageMillis").asLong())
                    .isBetween(0L, WITHIN.toMillis() * 2);
        }
        assertThat(leaders).isEqualTo(1);
    }

    @Test
    @Order(2)
    void theMetricsAreThoseOfTheDocumentation() throws Exception {
        settled();
        double accepted = 0;
        double taken = 0;
        double found = 0;
        double leaders = 0;
        double committed = 0;
        List<String> names = new ArrayList<>();
        for (CompletableFuture<DescribeServerResponse> server : described()) {
            RegistryMetrics metrics = new RegistryMetrics(() -> server);
            try (MetricsEndpoint endpoint =
                    MetricsEndpoint.open(
                            HostPort.parse("127.0.0.1:0"),
                            "metrics.listen",
                            new NothingToCheck())) {
                endpoint.metrics().add(metrics);
                Scrape scrape = Scrape.of(endpoint.address());
                names.addAll(scrape.names("photon_registry_"));
                accepted += scrape.value("photon_registry_commits_total{outcome=\"accepted\"}");
                taken += scrape.value("photon_registry_commits_total{outcome=\"taken\"}");
                found += scrape.value("photon_registry_lookup_requests_total{result=\"decided\"}");
                leaders += scrape.value("photon_registry_leader{group=\"ads/1/0\"}");
                assertThat(scrape.value("photon_registry_answers")).isEqualTo(1);
                assertThat(
                                scrape.value(
                                        "photon_registry_boundary_timestamp_seconds{group=\"ads/1/0\"}"))
                        .isBetween(NOW_MICROS / 1e6 - 61 * 60, NOW_MICROS / 1e6 - 50 * 60);
                assertThat(scrape.value("photon_registry_log_syncs_total{group=\"ads/1/0\"}"))
                        .isPositive();
                assertThat(scrape.value("photon_registry_apply_seconds_count")).isPositive();
                assertThat(scrape.value("photon_registry_snapshot_write_seconds_count"))
                        .isPositive();
                if (scrape.value("photon_registry_leader{group=\"ads/1/0\"}") == 1) {
                    assertThat(scrape.value("photon_registry_elections_total{group=\"ads/1/0\"}"))
                            .isPositive();
                }
                // Not of the leader alone: the preferred leader may have taken over in between.
                assertThat(scrape.value("photon_registry_commit_seconds_count"))
                        .isEqualTo(scrape.value("photon_registry_entry_ids_count"));
                committed += scrape.value("photon_registry_entry_ids_sum");
            }
        }
        assertThat(committed).isGreaterThanOrEqualTo(IDS + 1);
        // A retry whose first copy was accepted is accepted once more.
        assertThat(accepted).isGreaterThanOrEqualTo(IDS);
        assertThat(taken).isGreaterThanOrEqualTo(1);
        assertThat(found).isGreaterThanOrEqualTo(1);
        assertThat(leaders).isEqualTo(1);
        assertThat(names.stream().distinct().sorted().toList())
                .isEqualTo(DocumentedMetrics.names("photon_registry_"));
    }

    @Test
    @Tag("slow")
    @Order(3)
    void aServerThatIsDownIsListedAndTheRestGoesOn() throws Exception {
        stop(2);
        Captured[] last = new Captured[1];
        Await.until(
                WITHIN,
                "two servers that lead all groups",
                () -> String.valueOf(last[0]),
                () -> {
                    last[0] = status("--config", config().toString());
                    return last[0].status() == 0;
                });
        assertThat(last[0].stdout())
                .contains("2 of 3 servers answer, 1 pipeline, 2 groups: every group has a leader")
                .containsPattern("r2 +" + service(2) + " +\\S+ +cannot be reached")
                .containsPattern(
                        "shard ads/1/0  leader r[01]  term \\d+  ids \\d+  boundary 20..-.*Z \\(\\d+ us\\)")
                .containsPattern("r2 +no answer");
        List<String> lines = last[0].stdout().lines().toList();
        int header = lines.indexOf(find(lines, "  SERVER  ROLE"));
        int column = lines.get(header).indexOf("APPLIED");
        assertThat(lines.get(header + 1).charAt(column - 1)).isEqualTo(' ');
        assertThat(lines.get(header + 1).charAt(column)).isNotEqualTo(' ');
    }

    private static String find(List<String> lines, String start) {
        return lines.stream().filter(line -> line.startsWith(start)).findFirst().orElseThrow();
    }

    private static Path config() throws IOException {
        return RegistryConfigFile.write(root, PEERS);
    }

    @Test
    @Tag("slow")
    @Order(4)
    void withoutAMajorityItSaysSoAndFails() throws Exception {
        stop(1);
        Captured run = status("--config", config().toString(), "-o", "json");
        assertThat(run.status()).as(run.toString()).isEqualTo(1);
        JsonNode status = json(run);
        assertThat(status.get("healthy").asBoolean()).isFalse();
        assertThat(status.get("problems").get(0).asText())
                .isEqualTo("control: no majority: 1 of 3 replicas are up, 2 are needed");
        JsonNode gone = status.get("groups").get(1).get("replicas").get(1);
        assertThat(gone.get("answers").asBoolean()).isFalse();
        assertThat(gone.get("role").isNull()).isTrue();
        assertThat(gone.get("snapshot").isNull()).isTrue();

        stop(0);
        Captured none = status("--servers", service(0) + "," + service(1));
        assertThat(none.status()).as(none.toString()).isEqualTo(1);
        assertThat(none.stdout())
                .contains("PROBLEM: no server answers")
                .containsPattern("\\? +" + service(0) + " +- +cannot be reached");
    }

    @Test
    @Order(5)
    void wrongUsage() throws Exception {
        assertThat(Captured.run("registry").status()).isEqualTo(2);
        assertThat(status().status()).isEqualTo(2);
        assertThat(status("--servers", "r0").stderr()).contains("Expected host:port");
        assertThat(status("--servers", "r0:1", "--config", "x").status()).isEqualTo(2);
        assertThat(status("--servers", "r0:1", "-o", "yaml").status()).isEqualTo(2);
        Captured absent = status("--config", root.resolve("absent.yaml").toString());
        assertThat(absent.status()).isEqualTo(2);
        assertThat(absent.stderr()).contains("there is none");
    }

    private static final class NothingToCheck implements HealthSource {
        @Override
        public HealthReport live() {
            return new HealthReport(List.of());
        }

        @Override
        public HealthReport ready() {
            return new HealthReport(List.of());
        }
    }
}

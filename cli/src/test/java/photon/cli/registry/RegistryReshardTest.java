package photon.cli.registry;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Queue;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import photon.cli.Captured;
import photon.core.loop.ThreadLoop;
import photon.core.rpc.HostPort;
import photon.core.rpc.LoopbackPorts;
import photon.core.rpc.ProcessRpcs;
import photon.core.rpc.RpcSecurity;
import photon.core.testing.Await;
import photon.core.testing.Together;
import photon.core.time.SystemClock;
import photon.idregistry.raft.RaftTuning;
import photon.idregistry.server.RegistryServer;
import photon.idregistry.server.config.RegistryServerConfig;
import photon.registry.admin.ReshardOperator;
import photon.registry.api.ReshardClient;
import photon.registry.client.GrpcRegistry;
import photon.registry.client.RegistryConnection;

/** {@code photon registry reshard} with a registry of three real servers. */
@Timeout(600)
class RegistryReshardTest {
    private static final int SERVERS = 3;

    @TempDir static Path root;

    private static final List<RegistryServerConfig.Peer> PEERS = new ArrayList<>();
    private static final List<RegistryServer> RUNNING =
            Collections.synchronizedList(new ArrayList<>());
    private static final Queue<String> BUGS = new ConcurrentLinkedQueue<>();

    @BeforeAll
    static void start() throws IOException {
        List<Integer> ports = LoopbackPorts.choose(2 * SERVERS, new Random());
        for (int n = 0; n < SERVERS; n++) {
            PEERS.add(
                    new RegistryServerConfig.Peer(
                            "r" + n,
                            new HostPort("127.0.0.1", ports.get(2 * n)),
                            new HostPort("127.0.0.1", ports.get(2 * n + 1))));
        }
        RaftTuning tuning =
                RaftTuning.LAN.withElection(Duration.ofSeconds(5), Duration.ofSeconds(10));
        Together.run(
                SERVERS,
                n ->
                        RUNNING.add(
                                RegistryServer.start(
                                        RegistryServerConfig.of(
                                                        "r" + n, PEERS, root.resolve("r" + n))
                                                .with(tuning),
                                        new SystemClock(Duration.ofMillis(250)),
                                        (where, bug) -> BUGS.add(where + ": " + bug))));
    }

    @AfterAll
    static void stop() {
        RUNNING.parallelStream().forEach(RegistryServer::close);
        assertThat(BUGS).isEmpty();
    }

    /** Of one shard, once its group has a leader. */
    private static void open(String pipeline) throws Exception {
        ThreadLoop loop =
                new ThreadLoop("client", 1_000, (where, bug) -> BUGS.add(where + ": " + bug));
        CompletableFuture<Boolean> opened = new CompletableFuture<>();
        loop.execute(
                () -> {
                    RegistryConnection connection =
                            GrpcRegistry.connect(
                                    loop,
                                    PEERS.stream().map(RegistryServerConfig.Peer::service).toList(),
                                    pipeline,
                                    new ProcessRpcs(),
                                    new Random(1));
                    connection
                            .control()
                            .openPipeline(
                                    pipeline,
                                    UUID.nameUUIDFromBytes(
                                            pipeline.getBytes(
                                                    java.nio.charset.StandardCharsets.UTF_8)),
                                    "f",
                                    1)
                            .thenAccept(
                                    known -> {
                                        connection.close();
                                        opened.complete(true);
                                    });
                });
        opened.orTimeout(2, TimeUnit.MINUTES).join();
        loop.close();
        Await.until(
                Duration.ofMinutes(2),
                "a leader of " + pipeline,
                () -> reshard("status", pipeline).stdout(),
                () -> reshard("status", pipeline).status() == 0);
    }

    private static Captured reshard(String verb, String pipeline, String... more) {
        List<String> args =
                new ArrayList<>(
                        List.of(
                                "registry",
                                "reshard",
                                verb,
                                "--servers",
                                PEERS.get(0).service().toString(),
                                "--pipeline",
                                pipeline,
                                "--timeout",
                                "60s"));
        args.addAll(List.of(more));
        return Captured.run(args.toArray(String[]::new));
    }

    /** Asks until it is as expected: as long as a leader is missing, much is refused. */
    private static Captured await(
            String expected, Await.Condition<Captured> condition, Supplier<Captured> asked)
            throws Exception {
        return Await.answer(Duration.ofMinutes(2), expected, condition, asked::get);
    }

    private static JsonNode json(Captured run) throws IOException {
        return new ObjectMapper().readTree(run.stdout());
    }

    @Test
    void shardsAreAddedAndWhatBecameOfItCanBeAskedAgain() throws Exception {
        open("ads");
        Captured plan =
                await(
                        "a plan that can be begun",
                        run -> run.status() == 0,
                        () -> reshard("plan", "ads", "--shards", "4"));
        assertThat(plan.stdout())
                .contains(
                        "groups ads/2/0 to ads/2/3, a replica on each of 3 servers",
                        "leaders when all servers are up: r0 2, r1 1, r2 1",
                        "8.0 MiB of direct memory");

        Captured applied =
                await(
                        "no leader that changes",
                        run ->
                                json(run).path("refusals").isEmpty()
                                        && !json(run).path("end").asText().equals("aborted"),
                        () -> reshard("apply", "ads", "--shards", "4", "-o", "json"));
        assertThat(applied.status()).as(applied.stdout() + applied.stderr()).isZero();
        JsonNode document = json(applied);
        assertThat(document.get("end").asText()).isEqualTo("committed");
        long attempt = document.get("attempt").asLong();
        assertThat(attempt).isPositive();
        assertThat(document.get("refusedAtMostMillis").asLong())
                .as("it begins in two minutes")
                .isZero();
        String nonce = document.get("nonce").asText();
        assertThat(applied.stderr()).contains(nonce);

        JsonNode status =
                json(
                        await(
                                "all shards to be settled",
                                run -> json(run).path("settled").asBoolean(),
                                () -> reshard("status", "ads", "-o", "json")));
        assertThat(status.get("shards")).hasSize(5);
        assertThat(status.get("attempts").toString())
                .contains(
                        "{\"number\":%s,\"state\":\"committed\",\"baseVersion\":1,\"shards\":4,"
                                .formatted(attempt))
                .containsOnlyOnce("committed");
        assertThat(status.get("endingEpochs").get(0).get("endMicros").asLong())
                .isEqualTo(document.get("startMicros").asLong());
        Captured told =
                await(
                        "that nothing is under way",
                        run -> run.status() == 0,
                        () -> reshard("status", "ads"));
        assertThat(told.stdout())
                .contains(
                        "no reshard is under way",
                        "epoch 1 is never dropped: retention is unlimited");

        Captured again = reshard("apply", "ads", "--nonce", nonce, "-o", "json");
        assertThat(again.status()).as(again.toString()).isZero();
        JsonNode resumed = json(again);
        assertThat(resumed.get("attempt").asLong()).as("the same").isEqualTo(attempt);
        assertThat(resumed.get("mapVersion").asLong()).as("before it").isEqualTo(1);
        for (String key : List.of("shards", "startMicros", "start", "uuid", "end")) {
            assertThat(resumed.get(key)).as(key).isEqualTo(document.get(key));
        }
        for (String key : List.of("epochs", "groups", "tookMillis", "refusedAtMostMillis")) {
            assertThat(resumed.get(key).isNull()).as(key).isTrue();
        }
        Captured other = reshard("apply", "ads", "--shards", "9", "--nonce", nonce);
        assertThat(other.status()).isEqualTo(2);
        assertThat(other.stderr()).contains("--shards is 9: expected 4, as in attempt " + attempt);
        Captured never = reshard("apply", "ads", "--nonce", "0f".repeat(16));
        assertThat(never.status()).isEqualTo(1);
        assertThat(never.stdout()).contains("no attempt began with this nonce");
        Captured last = reshard("cancel", "ads", "-o", "json");
        assertThat(last.status()).as("none is under way").isEqualTo(1);
        assertThat(json(last).get("attempt").asLong()).isEqualTo(attempt);
        assertThat(json(last).get("end").asText()).isEqualTo("committed");
        Captured late = reshard("cancel", "ads", "--attempt", "" + attempt);
        assertThat(late.status()).isEqualTo(1);
        assertThat(late.stdout()).isEqualTo("attempt %s: committed\n".formatted(attempt));
    }

    @Test
    void whatCannotBeIsRefusedBeforeAnythingIsBegun() throws Exception {
        open("jobs");
        Captured many = reshard("plan", "jobs", "--shards", "1024");
        assertThat(many.status()).isEqualTo(1);
        assertThat(many.stdout()).contains("REFUSED: expected 1 to 1023 shards, but got 1024");
        Captured applied =
                await(
                        "one refusal, and none for want of a leader",
                        run -> json(run).path("refusals").size() == 1,
                        () -> reshard("apply", "jobs", "--shards", "0", "-o", "json"));
        assertThat(applied.status()).isEqualTo(1);
        assertThat(json(reshard("status", "jobs", "-o", "json")).get("attempts")).isEmpty();
        assertThat(reshard("plan", "jobs", "--shards", "2", "--start-in", "1s").stdout())
                .contains("NOTE: the start is within 60 s of now");

        Captured unknown = reshard("plan", "none", "--shards", "2");
        assertThat(unknown.status()).isEqualTo(1);
        assertThat(unknown.stderr()).contains("the registry has no pipeline none: expected one of");
        Captured none = reshard("cancel", "jobs", "-o", "json");
        assertThat(none.status()).as("nothing is under way").isEqualTo(1);
        assertThat(json(none).get("end").asText()).isEqualTo("refused");
        Captured never = reshard("cancel", "jobs", "--attempt", "7");
        assertThat(never.status()).isEqualTo(1);
        assertThat(never.stdout()).isEqualTo("attempt 7: there is no such attempt\n");
        assertThat(reshard("apply", "jobs", "--shards", "2", "--nonce", "xyz").status())
                .isEqualTo(2);
        assertThat(Captured.run("registry", "reshard").status()).isEqualTo(2);
        assertThat(reshard("apply", "jobs").stderr()).contains("--shards is missing");
        Captured far = reshard("plan", "jobs", "--shards", "2", "--start-in", "200d");
        assertThat(far.status()).isEqualTo(2);
        assertThat(far.stderr()).contains("--start-in is '200d': expected up to 1d");
        await(
                "a plan that can be begun",
                run -> run.status() == 0,
                () -> reshard("plan", "jobs", "--shards", "2", "--start-in", "2d", "--far-start"));
        Captured tooLong = reshard("apply", "jobs", "--shards", "2", "--wait", "200000d");
        assertThat(tooLong.status()).isEqualTo(2);
        assertThat(tooLong.stderr()).contains("--wait is '200000d'").doesNotContain("nonce");
    }

    @Test
    void aRegistryThatDoesNotAnswerIsNoWrongUsage() {
        for (List<String> verb :
                List.of(
                        List.of("plan", "--shards", "2"),
                        List.of("apply", "--shards", "2"),
                        List.of("status"),
                        List.of("cancel"))) {
            List<String> args = new ArrayList<>(List.of("registry", "reshard"));
            args.addAll(verb);
            args.addAll(List.of("--pipeline", "ads", "--servers", "127.0.0.1:1"));
            args.addAll(List.of("--timeout", "1s"));
            Captured run = Captured.run(args.toArray(String[]::new));
            assertThat(run.status()).as(verb.toString()).isEqualTo(1);
            assertThat(run.stderr()).contains("no server of the registry answers");
        }
    }

    @Test
    void whatIsCancelledTwiceIsAbortedTwice() throws Exception {
        open("web");
        Captured first = reshard("cancel", "web", "--attempt", "1");
        assertThat(first.stdout()).isEqualTo("attempt 1: there is no such attempt\n");
        try (ReshardOperator operator =
                new ReshardOperator(
                        PEERS.stream().map(RegistryServerConfig.Peer::service).toList(),
                        "web",
                        RpcSecurity.PLAINTEXT)) {
            UUID pipeline = UUID.nameUUIDFromBytes("web".getBytes(StandardCharsets.UTF_8));
            // It may be committed before: either way, asking again tells the same.
            long start = TimeUnit.MILLISECONDS.toMicros(System.currentTimeMillis() + 3_600_000);
            operator.begin(
                    new ReshardClient.Reshard(pipeline, 1, 2, start, "01".repeat(16)),
                    Duration.ofMinutes(2));
            String end = operator.cancel(pipeline, 1, Duration.ofMinutes(2)).end().name();
            Captured again = reshard("cancel", "web", "-o", "json");
            assertThat(json(again).get("end").asText()).isEqualTo(end.toLowerCase(Locale.ROOT));
            assertThat(again.status()).isEqualTo(end.equals("ABORTED") ? 0 : 1);
            assertThat(json(again).get("attempts").get(0).get("state"))
                    .isEqualTo(json(again).get("end"));
        }
    }
}

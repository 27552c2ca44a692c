package photon.cli;

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
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import photon.cli.process.LoopbackPorts;
import photon.core.loop.ThreadLoop;
import photon.core.rpc.HostPort;
import photon.core.rpc.RpcCounter;
import photon.core.time.SystemClock;
import photon.idregistry.client.GrpcRegistry;
import photon.idregistry.client.RegistryConnection;
import photon.idregistry.raft.RaftTuning;
import photon.idregistry.server.RegistryServer;
import photon.idregistry.server.RegistryServerConfig;

/** {@code photon registry reshard} with a registry of three real servers. */
@Timeout(180)
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
                RaftTuning.LAN.withElection(Duration.ofMillis(500), Duration.ofMillis(1_000));
        IntStream.range(0, SERVERS)
                .parallel()
                .forEach(
                        n ->
                                RUNNING.add(
                                        RegistryServer.start(
                                                RegistryServerConfig.of(
                                                                "r" + n,
                                                                PEERS,
                                                                root.resolve("r" + n))
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
                                    new RpcCounter(),
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
        opened.orTimeout(40, TimeUnit.SECONDS).join();
        loop.close();
        Await.until(
                Duration.ofSeconds(40),
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
                                pipeline));
        args.addAll(List.of(more));
        return Captured.run(args.toArray(String[]::new));
    }

    private static JsonNode json(Captured run) throws IOException {
        return new ObjectMapper().readTree(run.stdout());
    }

    @Test
    void shardsAreAddedAndWhatBecameOfItCanBeAskedAgain() throws Exception {
        open("ads");
        Captured plan = reshard("plan", "ads", "--shards", "4");
        assertThat(plan.status()).as(plan.stdout() + plan.stderr()).isZero();
        assertThat(plan.stdout())
                .contains(
                        "groups ads/2/0 to ads/2/3, a replica on each of 3 servers",
                        "leaders when all servers are up: r0 2, r1 1, r2 1",
                        "8.0 MiB of direct memory");

        Captured applied = reshard("apply", "ads", "--shards", "4", "-o", "json");
        assertThat(applied.status()).as(applied.stdout() + applied.stderr()).isZero();
        JsonNode document = json(applied);
        assertThat(document.get("end").asText()).isEqualTo("committed");
        assertThat(document.get("attempt").asLong()).isEqualTo(1);
        assertThat(document.get("refusedAtMostMillis").asLong())
                .as("it begins in two minutes")
                .isZero();
        String nonce = document.get("nonce").asText();
        assertThat(applied.stderr()).contains(nonce);

        JsonNode status = json(reshard("status", "ads", "-o", "json"));
        assertThat(status.get("settled").asBoolean()).isTrue();
        assertThat(status.get("shards")).hasSize(5);
        assertThat(status.get("attempts").toString())
                .startsWith(
                        "[{\"number\":1,\"state\":\"committed\",\"baseVersion\":1,\"shards\":4,");
        assertThat(status.get("endingEpochs").get(0).get("endMicros").asLong())
                .isEqualTo(document.get("startMicros").asLong());
        assertThat(reshard("status", "ads").stdout())
                .contains("nothing is under way", "epoch 1 is dropped when the boundary reaches");

        Captured again = reshard("apply", "ads", "--shards", "9", "--nonce", nonce, "-o", "json");
        assertThat(again.status()).isZero();
        assertThat(json(again).get("attempt").asLong()).as("the same").isEqualTo(1);
        Captured late = reshard("cancel", "ads", "--attempt", "1");
        assertThat(late.status()).isEqualTo(1);
        assertThat(late.stdout()).isEqualTo("attempt 1: committed\n");
    }

    @Test
    void whatCannotBeIsRefusedBeforeAnythingIsBegun() throws Exception {
        open("jobs");
        Captured many = reshard("plan", "jobs", "--shards", "1024");
        assertThat(many.status()).isEqualTo(1);
        assertThat(many.stdout()).contains("REFUSED: Expected 1 to 1023 shards, but got 1024");
        Captured applied = reshard("apply", "jobs", "--shards", "0", "-o", "json");
        assertThat(applied.status()).isEqualTo(1);
        assertThat(json(applied).get("refusals")).hasSize(1);
        assertThat(json(reshard("status", "jobs", "-o", "json")).get("attempts")).isEmpty();
        assertThat(reshard("plan", "jobs", "--shards", "2", "--start-in", "1s").stdout())
                .contains("NOTE: the start is within 60 s of now");

        Captured unknown = reshard("plan", "none", "--shards", "2");
        assertThat(unknown.status()).isEqualTo(2);
        assertThat(unknown.stderr()).contains("--pipeline is 'none': expected one of");
        assertThat(reshard("cancel", "jobs").status()).as("nothing is under way").isEqualTo(2);
        Captured never = reshard("cancel", "jobs", "--attempt", "7");
        assertThat(never.status()).isEqualTo(1);
        assertThat(never.stdout()).isEqualTo("attempt 7: there is no such attempt\n");
        assertThat(reshard("apply", "jobs", "--shards", "2", "--nonce", "xyz").status())
                .isEqualTo(2);
        assertThat(Captured.run("registry", "reshard").status()).isEqualTo(2);
    }
}

package photon.cli.process;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import photon.cli.Captured;
import photon.cli.LocalProcess;
import photon.core.config.ConfigLoader;
import photon.core.id.Incarnation;
import photon.core.rpc.HostPort;
import photon.core.rpc.LoopbackPorts;
import photon.core.rpc.RpcSecurity;
import photon.core.testing.Await;
import photon.core.time.SystemClock;
import photon.idregistry.server.RegistryServer;
import photon.idregistry.server.config.RegistryServerConfig;
import photon.registry.admin.ControlSession;
import photon.registry.api.ControlClient.Registration;
import photon.registry.api.ControlClient.Repair;
import photon.registry.client.RegistryConnection;
import photon.storage.format.IdentityFingerprint;

/**
 * {@code photon datacenter}, and the parts of datacenters, with a registry of one real server in
 * which two datacenters take part.
 */
@Tag("slow")
@Timeout(300)
class DatacenterCommandTest {
    private static final Duration WITHIN = Duration.ofMinutes(2);
    private static final UUID PIPELINE = new UUID(7, 8);

    @TempDir Path root;

    private final Queue<String> bugs = new ConcurrentLinkedQueue<>();
    private HostPort service = new HostPort("127.0.0.1", 1);
    private HostPort raft = service;
    private @Nullable RegistryServer server;
    private Incarnation west = new Incarnation(1, 1);

    @BeforeEach
    void twoDatacentersTakePart() throws Exception {
        List<Integer> ports = LoopbackPorts.choose(2, new Random());
        raft = new HostPort("127.0.0.1", ports.get(0));
        service = new HostPort("127.0.0.1", ports.get(1));
        server =
                RegistryServer.start(
                        RegistryServerConfig.of(
                                "r0",
                                List.of(new RegistryServerConfig.Peer("r0", raft, service)),
                                root.resolve("r0")),
                        new SystemClock(Duration.ofMillis(250)),
                        (where, bug) -> bugs.add(where + ": " + bug));
        String fingerprint =
                IdentityFingerprint.of(
                        ConfigLoader.load(config("east", "[east, west]")).pipeline());
        assertThat(
                        ask(connection ->
                                        connection
                                                .control()
                                                .openPipeline("ads", PIPELINE, fingerprint, 1))
                                .uuid())
                .isEqualTo(PIPELINE);
        register("east/joiner-0", fingerprint);
        west = register("west/joiner-0", fingerprint);
    }

    @AfterEach
    void stop() {
        if (server != null) {
            server.close();
        }
        assertThat(bugs).isEmpty();
    }

    private Path config(String datacenter, String datacenters) throws IOException {
        return Files.writeString(
                root.resolve(datacenter + ".yaml"),
                """
                pipeline: ads
                datacenters: %s
                primary:
                  paths: ["in/queries*"]
                  format: {type: json-lines}
                  id: {from: [id]}
                  timestamp: {field: at, unit: millis}
                foreign:
                  paths: ["in/clicks*"]
                  format: {type: json-lines}
                  id: {from: [id]}
                  timestamp: {field: at, unit: millis}
                  primaryId: {from: [query]}
                deployment:
                  datacenter: %s
                  state: state
                  output: out
                  registry: [{name: r0, datacenter: east, raft: "%s", service: "%s"}]
                  eventStore: 127.0.0.1:1
                  dispatcher: 127.0.0.1:1
                  joiners: [{name: joiner-0, address: "127.0.0.1:1"}]
                """
                        .formatted(datacenters, datacenter, raft, service));
    }

    private <T> T ask(Function<RegistryConnection, CompletableFuture<T>> question)
            throws TimeoutException {
        return new ControlSession(List.of(service), WITHIN, RpcSecurity.PLAINTEXT).ask(question);
    }

    private Incarnation register(String slot, String fingerprint) throws TimeoutException {
        return ask(
                connection ->
                        connection
                                .control()
                                .register(
                                        new Registration(
                                                PIPELINE,
                                                slot,
                                                "0f".repeat(16),
                                                "host:7",
                                                1,
                                                1,
                                                fingerprint,
                                                "out-" + slot.charAt(0))));
    }

    private Captured datacenter(String... command) {
        List<String> args = new ArrayList<>(List.of("datacenter"));
        args.addAll(List.of(command));
        args.addAll(List.of("--config", root.resolve("west.yaml").toString(), "--timeout", "60s"));
        return Captured.run(args.toArray(String[]::new));
    }

    private Captured run(String role, String datacenter) {
        return Captured.run("run", role, "--config", root.resolve(datacenter + ".yaml").toString());
    }

    @Test
    void oneIsRetiredWhenNothingOfItIsOpenAndStartsNoMore() throws Exception {
        config("west", "[east, west]");
        Captured live = datacenter("retire", "west", "--yes", "--unfinished-is-lost");
        assertThat(live.status()).as(live.toString()).isEqualTo(1);
        assertThat(live.stderr()).contains("not retired: west/joiner-0/1 may commit still");
        Captured unknown = datacenter("retire", "north", "--yes");
        assertThat(unknown.status()).as(unknown.toString()).isEqualTo(2);
        assertThat(unknown.stderr()).contains("NAME is 'north'", "one of [east, west]");

        int life = ask(connection -> connection.control().fence(PIPELINE, west)).get(0).life();
        Captured dead = datacenter("retire", "west", "--yes");
        assertThat(dead.status()).as(dead.toString()).isEqualTo(1);
        assertThat(dead.stderr()).contains("not retired: west/joiner-0/1 of west is not repaired");
        ask(
                connection ->
                        connection
                                .control()
                                .markRepaired(
                                        PIPELINE, west, new Repair(life, 0, Optional.empty())));
        Captured retired = datacenter("retire", "west", "--yes");
        assertThat(retired.status()).as(retired.toString()).isZero();
        assertThat(retired.stdout()).contains("retired at 20", "Leave west out of datacenters");

        JsonNode listed =
                new ObjectMapper()
                        .readTree(datacenter("list", "--json").stdout())
                        .path("datacenters");
        assertThat(listed.path(0).path("name").asText()).isEqualTo("east");
        assertThat(listed.path(0).path("retired").isNull()).isTrue();
        assertThat(listed.path(0).path("incarnations").path("live").asInt()).isEqualTo(1);
        assertThat(listed.path(1).path("retired").path("atMicros").asLong()).isPositive();
        assertThat(listed.path(1).path("incarnations").path("settled").asInt()).isEqualTo(1);
        assertThat(datacenter("list").stdout())
                .contains("datacenter west of pipeline ads: retired");

        Captured reopened =
                Captured.run(
                        "repair",
                        "reopen",
                        "west/joiner-0/1",
                        "--config",
                        root.resolve("west.yaml").toString());
        assertThat(reopened.status()).as(reopened.toString()).isEqualTo(1);
        assertThat(reopened.stderr()).contains("not reopened: datacenter west was retired");

        for (String role : List.of("joiner", "dispatcher", "verifier")) {
            Captured refused = run(role, "west");
            assertThat(refused.status()).as(refused.toString()).isEqualTo(2);
            assertThat(refused.stderr())
                    .contains("Pipeline ads: datacenter west was retired at 20", "another name");
        }
        assertThat(root.resolve("out")).as("nothing was made").doesNotExist();
    }

    @Test
    void whatIsTakenOutWithoutThatStopsThePartsOfTheOthers() throws Exception {
        config("east", "[east, west]");
        try (LocalProcess verifier =
                LocalProcess.start(root, "", "run", "verifier", "--config", root + "/east.yaml")) {
            Await.until(
                    WITHIN,
                    "the verifier to serve",
                    verifier::messagesOrTrouble,
                    () -> {
                        assertThat(verifier.isAlive()).as(verifier.messages()).isTrue();
                        return verifier.stdout().contains("serves");
                    });
            verifier.terminate();
            assertThat(verifier.await()).as(verifier.messages()).isZero();
        }
        config("east", "[east]");
        Captured refused = run("verifier", "east");
        assertThat(refused.status()).as(refused.toString()).isEqualTo(2);
        assertThat(refused.stderr())
                .contains(
                        "datacenters is [east], and west was in it at the last start",
                        "photon datacenter retire west",
                        "write datacenters: [east, west]");
    }
}

package photon.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.protobuf.ByteString;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import photon.core.config.ConfigLoader;
import photon.core.config.OutputConfig;
import photon.core.config.PipelineConfig;
import photon.core.crash.CrashPoints;
import photon.core.id.CommitToken;
import photon.core.id.EventId;
import photon.core.id.Incarnation;
import photon.core.rpc.HostPort;
import photon.core.rpc.LoopbackPorts;
import photon.core.rpc.RpcSecurity;
import photon.core.time.IntervalClock;
import photon.core.time.SystemClock;
import photon.idregistry.server.RegistryServer;
import photon.idregistry.server.config.RegistryServerConfig;
import photon.registry.admin.ControlSession;
import photon.registry.api.ControlClient.Registration;
import photon.storage.document.VersionedDocument;
import photon.storage.files.HadoopFileStore;
import photon.storage.format.IdentityFingerprint;
import photon.storage.ledger.Ledger;
import photon.storage.ledger.LedgerEntry;
import photon.storage.output.OutputDirectory;
import photon.storage.output.OutputIdentity;
import photon.storage.output.RetiredIncarnations;
import photon.storage.output.WorkDirectory;
import photon.storage.output.WorkRecord;
import photon.storage.output.format.OutputFormats;

/** {@code photon repair} with a registry of one real server, and the files of a verifier. */
@Timeout(300)
class RepairCommandTest {
    private static final EventId FOUND = new EventId(1_000_000, 1, 2, 3);
    private static final EventId WRITTEN_OFF = new EventId(2_000_000, 1, 2, 3);

    @TempDir Path root;

    private final Queue<String> bugs = new ConcurrentLinkedQueue<>();
    private HostPort service = new HostPort("127.0.0.1", 1);
    private @Nullable RegistryServer server;
    private Path verifier = Path.of("");

    @BeforeEach
    void aRegistryWithAFencedIncarnation() throws Exception {
        List<Integer> ports = LoopbackPorts.choose(2, new Random());
        HostPort raft = new HostPort("127.0.0.1", ports.get(0));
        service = new HostPort("127.0.0.1", ports.get(1));
        server =
                RegistryServer.start(
                        RegistryServerConfig.of(
                                "r0",
                                List.of(new RegistryServerConfig.Peer("r0", raft, service)),
                                root.resolve("r0")),
                        new SystemClock(Duration.ofMillis(250)),
                        (where, bug) -> bugs.add(where + ": " + bug));
        Files.writeString(
                root.resolve("east.yaml"),
                """
                pipeline: ads
                datacenters: [east, west]
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
                  datacenter: east
                  state: state
                  output: out
                  registry: [{name: r0, datacenter: east, raft: "%s", service: "%s"}]
                  eventStore: 127.0.0.1:1
                  dispatcher: 127.0.0.1:1
                  joiners: [{name: joiner-0, address: "127.0.0.1:1"}]
                """
                        .formatted(raft, service));
        verifier = root.resolve("state/east/verifier");
        Files.createDirectories(verifier.resolve("repairs"));
        Captured made =
                registry(
                        "pipelines",
                        "create",
                        "ads",
                        "--shards",
                        "1",
                        "--identity-fingerprint",
                        "f");
        assertThat(made.status()).as(made.toString()).isZero();
        register("01");
        register("02"); // fences the first
    }

    @AfterEach
    void stop() {
        if (server != null) {
            server.close();
        }
        assertThat(bugs).isEmpty();
    }

    private Captured registry(String... command) {
        List<String> args = new ArrayList<>(List.of("registry"));
        args.addAll(List.of(command));
        args.addAll(List.of("--servers", service.toString(), "--timeout", "60s"));
        return Captured.run(args.toArray(String[]::new));
    }

    private Captured repair(String... command) {
        List<String> args = new ArrayList<>(List.of("repair"));
        args.addAll(List.of(command));
        args.addAll(List.of("--config", root.resolve("east.yaml").toString(), "--timeout", "60s"));
        return Captured.run(args.toArray(String[]::new));
    }

    private void register(String nonce) throws Exception {
        Captured listed = registry("pipelines", "list", "-o", "json");
        UUID uuid =
                UUID.fromString(
                        new ObjectMapper()
                                .readTree(listed.stdout())
                                .path("pipelines")
                                .get(0)
                                .path("uuid")
                                .asText());
        Registration registration =
                new Registration(
                        uuid, "east/joiner-0", nonce.repeat(16), "host:7", 1, 1, "f", "out");
        new ControlSession(List.of(service), Duration.ofSeconds(60), RpcSecurity.PLAINTEXT)
                .ask(connection -> connection.control().register(registration));
    }

    private JsonNode incarnation(Captured list, int number) throws IOException {
        assertThat(list.status()).as(list.toString()).isZero();
        return new ObjectMapper().readTree(list.stdout()).path("incarnations").path(number);
    }

    /** Of what it had lost, one event was found again and one given up. */
    private void theVerifierHasWrittenDown(String incarnation) throws IOException {
        StringBuilder lines = new StringBuilder();
        for (EventId id : List.of(FOUND, WRITTEN_OFF)) {
            lines.append(
                    "{\"id\":\"%s\",\"token\":\"%s-7\"}\n"
                            .formatted(HexFormat.of().formatHex(id.toBytes()), incarnation));
        }
        Files.writeString(verifier.resolve("repairs/" + incarnation + ".jsonl"), lines);
        try (Ledger ledger =
                Ledger.open(new HadoopFileStore(), verifier.resolve("ledger").toString())) {
            ledger.append(
                    new LedgerEntry(
                            LedgerEntry.Kind.OUTCOME_LOST,
                            WRITTEN_OFF,
                            "text",
                            "not in the foreign logs",
                            "",
                            -1,
                            "",
                            60_000));
            ledger.sync();
        }
    }

    @Test
    void whatWasLostAndWhatBecameOfIt() throws Exception {
        String dead = incarnation(repair("list", "--json"), 0).path("incarnation").asText();
        Captured nothing = repair("list");
        assertThat(nothing.stdout()).contains(dead, "to be repaired", "0 lost");
        assertThat(incarnation(repair("list", "--all", "--json"), 1).path("state").asText())
                .isEqualTo("live");
        theVerifierHasWrittenDown(dead);
        new VersionedDocument(new HadoopFileStore(), verifier.toString(), "status")
                .write(
                        0,
                        """
                        {"waiting":[{"incarnation":"%s","ids":1,"seconds":90,
                         "secondsLeft":-1,"reason":"the directory /in is not there"}]}
                        """
                                .formatted(dead)
                                .getBytes(StandardCharsets.UTF_8));

        Captured waiting = repair("list");
        assertThat(waiting.status()).isZero();
        assertThat(waiting.stdout())
                .contains("waiting", "2 lost, 1 of them written off")
                .contains("1 looked for, for 90 s: the directory /in is not there");
        Captured shown = repair("show", dead);
        assertThat(shown.stdout())
                .contains(FOUND + "  token " + dead + "-7  handed over or looked for")
                .contains("written off at 1970-01-01T00:01:00Z: not in the foreign logs");

        Captured given =
                registry(
                        "incarnations", "give-up", "east/joiner-0/1", "--yes", "--pipeline", "ads");
        assertThat(given.status()).as(given.toString()).isZero();
        JsonNode settled =
                new ObjectMapper().readTree(repair("show", "east/joiner-0/1", "--json").stdout());
        assertThat(settled.path("state").asText()).isEqualTo("repaired");
        assertThat(settled.path("writtenOff").asInt()).isEqualTo(1);
        assertThat(settled.path("waiting").isNull()).isTrue();
        assertThat(settled.path("events")).hasSize(2);
        assertThat(settled.path("events").get(0).path("fate").asText()).isEqualTo("handed over");
        assertThat(settled.path("events").get(1).path("fate").asText()).isEqualTo("written off");
    }

    @Test
    void theAlarmThatStopsARepairIsShown() throws Exception {
        String dead = incarnation(repair("list", "--json"), 0).path("incarnation").asText();
        new VersionedDocument(new HadoopFileStore(), verifier.toString(), "status")
                .write(
                        0,
                        """
                        {"troubled":[{"incarnation":"%s","stopped":true,
                         "alarm":"the published file a.jsonl is missing"}]}
                        """
                                .formatted(dead)
                                .getBytes(StandardCharsets.UTF_8));
        Captured list = repair("list");
        assertThat(list.stdout()).contains("stopped: the published file a.jsonl");
        assertThat(repair("show", dead).stdout()).contains("stopped: the published file a.jsonl");
        JsonNode listed = incarnation(repair("list", "--json"), 0);
        assertThat(listed.path("state").asText()).isEqualTo("stopped");
        assertThat(listed.path("troubled").path("alarm").asText()).contains("a.jsonl is missing");
    }

    /** Its last words must not look like the present. */
    @Test
    void aVerifierThatWasNotHeardForLongIsWarnedOf() throws Exception {
        Captured none = repair("list");
        assertThat(none.status()).isZero();
        assertThat(none.stderr()).contains("do not rely on this: it is not known when");
        verifierSaid(System.currentTimeMillis() - Duration.ofHours(3).toMillis());
        Captured old = repair("list");
        assertThat(old.stdout()).startsWith("datacenter east  (its verifier last said so 3 h ago)");
        assertThat(old.stderr()).contains("Start the verifier of east");
        JsonNode json = new ObjectMapper().readTree(repair("list", "--json").stdout());
        assertThat(json.path("verifierOutdated").asBoolean()).isTrue();
        assertThat(json.path("verifierSaidSecondsAgo").asLong()).isGreaterThan(10_000);
        verifierSaid(System.currentTimeMillis());
        assertThat(repair("list").stderr()).doesNotContain("do not rely");
    }

    private void verifierSaid(long millis) throws IOException {
        VersionedDocument document =
                new VersionedDocument(new HadoopFileStore(), verifier.toString(), "status");
        boolean written =
                document.write(
                        document.read().map(VersionedDocument.Version::number).orElse(0L),
                        "{\"saidMillis\":%d}".formatted(millis).getBytes(StandardCharsets.UTF_8));
        assertThat(written).isTrue();
    }

    @Test
    void aWriteOffIsReopened() throws Exception {
        String dead = incarnation(repair("list", "--json"), 0).path("incarnation").asText();
        theVerifierHasWrittenDown(dead);
        Captured open = repair("reopen", dead);
        assertThat(open.status()).as(open.toString()).isZero();
        assertThat(open.stdout()).contains("east/joiner-0/1", "is open already");
        Captured given =
                registry(
                        "incarnations", "give-up", "east/joiner-0/1", "--yes", "--pipeline", "ads");
        assertThat(given.status()).as(given.toString()).isZero();

        Captured dry = repair("reopen", "east/joiner-0/1", "--dry-run");
        assertThat(dry.status()).as(dry.toString()).isZero();
        assertThat(dry.stdout())
                .contains("would be reopened: of 2 events that it had lost, 1 are written off");
        assertThat(incarnation(repair("list", "--json"), 0).path("state").asText())
                .isEqualTo("repaired");

        JsonNode reopened = new ObjectMapper().readTree(repair("reopen", dead, "--json").stdout());
        assertThat(reopened.path("outcome").asText()).isEqualTo("is reopened");
        assertThat(reopened.path("writtenOff").asInt()).isEqualTo(1);
        JsonNode listed = incarnation(repair("list", "--json"), 0);
        assertThat(listed.path("state").asText()).isEqualTo("to be repaired");
        assertThat(listed.path("timesReopened").asInt()).isEqualTo(1);
        assertThat(repair("list").stdout()).contains("1 of them written off, reopened once");
        assertThat(repair("show", dead).stdout()).contains("written off, and looked for again");
        Captured again =
                registry(
                        "incarnations", "give-up", "east/joiner-0/1", "--yes", "--pipeline", "ads");
        assertThat(again.status()).as(again.toString()).isZero();
        assertThat(repair("list").stdout()).contains("repaired", "reopened once");
        assertThat(registry("audit").stdout()).containsIgnoringCase("reopened");

        Captured unknown = repair("reopen", "99-1");
        assertThat(unknown.status()).isEqualTo(1);
        assertThat(unknown.stderr()).contains("has no incarnation 99-1");
    }

    @Test
    void aRepairThatWaitsIsGivenUpByOrder() throws Exception {
        String dead = incarnation(repair("list", "--json"), 0).path("incarnation").asText();
        Captured wordless = repair("write-off", dead, "--reason", " ");
        assertThat(wordless.status()).isEqualTo(2);
        assertThat(wordless.stderr()).contains("--reason is ' '");
        Captured dry = repair("write-off", dead, "--reason", "burned", "--dry-run");
        assertThat(dry.stdout()).contains("write-off would be ordered");
        Path orders = verifier.resolve("write-offs");
        assertThat(orders).doesNotExist();
        Captured ordered = repair("write-off", "east/joiner-0/1", "--reason", "burned");
        assertThat(ordered.status()).as(ordered.toString()).isZero();
        assertThat(ordered.stdout()).contains("write-off ordered");
        assertThat(Files.readString(orders.resolve(dead + ".0.json"))).contains("burned");
        Captured again = repair("write-off", dead, "--reason", "another", "--json");
        assertThat(new ObjectMapper().readTree(again.stdout()).path("outcome").asText())
                .isEqualTo("ordered before");
        assertThat(Files.readString(orders.resolve(dead + ".0.json"))).contains("burned");
        Captured live = repair("write-off", "east/joiner-0/2", "--reason", "burned");
        assertThat(live.status()).isEqualTo(1);
        assertThat(live.stderr()).contains("east/joiner-0/2 is live");
    }

    @Test
    void aPublishedFileIsDeclaredLost() throws Exception {
        JsonNode dead = incarnation(repair("list", "--json"), 0);
        Incarnation incarnation = Incarnation.parse(dead.path("incarnation").asText());
        HadoopFileStore files = new HadoopFileStore();
        Path directory = root.resolve("out/east");
        OutputDirectory output = output(files, directory);
        WorkDirectory work = output.createWorkDirectory(incarnation);
        WorkDirectory.WorkLog log = work.createLog();
        log.append(
                new WorkRecord(
                        new EventId(System.currentTimeMillis() * 1_000, 1, 2, 3),
                        CommitToken.of(incarnation, 1),
                        "%032x".formatted(1),
                        List.of(
                                new WorkRecord.JoinedEvent(
                                        "", ByteString.copyFromUtf8("{\"n\":1}")))));
        log.finish();
        String path = work.publish(log).published().get(0).path();
        String name = incarnation + "-000001.jsonl";
        assertThat(path).isEqualTo("dt=1970-01-01/hour=00/" + name);

        Captured whole = repair("declare-file-lost", name, "--reason", "burned");
        assertThat(whole.status()).as(whole.toString()).isEqualTo(1);
        assertThat(whole.stderr()).contains("exists and is undamaged");
        Files.writeString(directory.resolve(path), "damaged");
        Captured dry = repair("declare-file-lost", name, "--reason", "burned", "--dry-run");
        assertThat(dry.stdout()).contains("would be declared lost: 1 events would be joined again");
        assertThat(output.manifests(incarnation)).hasSize(1);

        Captured declared = repair("declare-file-lost", path, "--reason", "burned");
        assertThat(declared.status()).as(declared.toString()).isZero();
        assertThat(declared.stdout()).contains("is declared lost: 1 events are joined again");
        assertThat(directory.resolve(path)).doesNotExist();
        assertThat(output.manifests(incarnation)).isEmpty();
        assertThat(incarnation(repair("list", "--json"), 0).path("timesReopened").asInt())
                .isEqualTo(1);
        Captured again = repair("declare-file-lost", name, "--reason", "other", "--json");
        JsonNode json = new ObjectMapper().readTree(again.stdout());
        assertThat(json.path("outcome").asText()).isEqualTo("was declared lost before");
        assertThat(json.path("reason").asText()).isEqualTo("burned");
        assertThat(incarnation(repair("list", "--json"), 0).path("timesReopened").asInt())
                .as("asked again it opens nothing once more")
                .isEqualTo(1);

        Files.writeString(directory.resolve(path), "it is back");
        repair("declare-file-lost", name, "--reason", "other");
        assertThat(directory.resolve(path)).doesNotExist();
        assertThat(
                        repair("declare-file-lost", incarnation + "-000009.jsonl", "--reason", "x")
                                .stderr())
                .contains("no manifest of east/joiner-0/1 has number 9");
        assertThat(repair("declare-file-lost", "notes.txt", "--reason", "x").status()).isEqualTo(2);
        assertThat(repair("declare-file-lost", live() + "-000001.jsonl", "--reason", "x").stderr())
                .contains("is live");
        assertThat(registry("audit").stdout()).contains("a published file was declared lost");

        output.retirement().record(incarnation, new RetiredIncarnations.Left(1, 1, 1, 0, 5));
        assertThat(repair("declare-file-lost", name, "--reason", "x").stderr())
                .contains("not declared", "is retired");
        assertThat(repair("reopen", incarnation.toString()).stderr())
                .contains("not reopened", "is retired");
    }

    private String live() throws IOException {
        return incarnation(repair("list", "--all", "--json"), 1).path("incarnation").asText();
    }

    /** With the id that the incarnations were registered with. */
    private OutputDirectory output(HadoopFileStore files, Path directory) throws IOException {
        PipelineConfig config = ConfigLoader.load(root.resolve("east.yaml")).pipeline();
        String uuid =
                new ObjectMapper()
                        .readTree(registry("pipelines", "list", "-o", "json").stdout())
                        .path("pipelines")
                        .get(0)
                        .path("uuid")
                        .asText();
        String fingerprint = IdentityFingerprint.of(config);
        Files.writeString(
                root.resolve("state/east/identity.json"),
                "{\"pipeline\":\"ads\",\"uuid\":\"%s\",\"identityFingerprint\":\"%s\"}"
                        .formatted(uuid, fingerprint));
        return OutputDirectory.open(
                files,
                directory.toString(),
                new OutputIdentity(uuid, fingerprint, "east", "out"),
                OutputFormats.of(OutputConfig.DEFAULTS),
                CrashPoints.none(),
                () -> new IntervalClock.Interval(0, 0));
    }

    @Test
    void whatCannotBeShownIsSaid() {
        Captured unknown = repair("show", "99-1");
        assertThat(unknown.status()).isEqualTo(1);
        assertThat(unknown.stderr()).contains("datacenter east has no incarnation 99-1");
        Captured wrong = repair("show", "first");
        assertThat(wrong.status()).isEqualTo(2);
        assertThat(wrong.stderr()).contains("expected two numbers, such as 3-17, or a slot's name");
        Captured elsewhere = repair("list", "--datacenter", "north");
        assertThat(elsewhere.status()).isEqualTo(2);
        assertThat(elsewhere.stderr()).contains("--datacenter is 'north': expected one of");
    }
}

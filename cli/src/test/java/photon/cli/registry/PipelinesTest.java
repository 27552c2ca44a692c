package photon.cli.registry;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import photon.cli.Captured;
import photon.cli.Repository;
import photon.core.rpc.HostPort;
import photon.core.rpc.LoopbackPorts;
import photon.core.rpc.RpcSecurity;
import photon.core.testing.Await;
import photon.core.time.SystemClock;
import photon.idregistry.server.RegistryServer;
import photon.idregistry.server.config.RegistryServerConfig;
import photon.registry.admin.ControlSession;
import photon.registry.api.ControlClient.Registration;

/** {@code photon registry pipelines} and {@code audit} with a registry of one real server. */
@Timeout(300)
class PipelinesTest {
    @TempDir static Path root;

    private static final Queue<String> BUGS = new ConcurrentLinkedQueue<>();
    private static HostPort service = new HostPort("127.0.0.1", 1);
    private static @Nullable RegistryServer server;

    @BeforeAll
    static void start() throws Exception {
        List<Integer> ports = LoopbackPorts.choose(2, new Random());
        service = new HostPort("127.0.0.1", ports.get(1));
        server =
                RegistryServer.start(
                        RegistryServerConfig.of(
                                "r0",
                                List.of(
                                        new RegistryServerConfig.Peer(
                                                "r0",
                                                new HostPort("127.0.0.1", ports.get(0)),
                                                service)),
                                root.resolve("r0")),
                        new SystemClock(Duration.ofMillis(250)),
                        (where, bug) -> BUGS.add(where + ": " + bug));
    }

    @AfterAll
    static void stop() {
        if (server != null) {
            server.close();
        }
        assertThat(BUGS).isEmpty();
    }

    private static Captured registry(String... command) {
        List<String> args = new ArrayList<>(List.of("registry"));
        args.addAll(List.of(command));
        args.addAll(List.of("--servers", service.toString(), "--timeout", "60s"));
        return Captured.run(args.toArray(String[]::new));
    }

    private static Captured pipelines(String... command) {
        List<String> args = new ArrayList<>(List.of("pipelines"));
        args.addAll(List.of(command));
        return registry(args.toArray(String[]::new));
    }

    private static void done(Captured run, String... parts) {
        assertThat(run.status()).as(run.toString()).isZero();
        for (String part : parts) {
            assertThat(run.stdout()).contains(part);
        }
    }

    private static void failed(Captured run, String... parts) {
        assertThat(run.status()).as(run.toString()).isEqualTo(1);
        assertThat(run.stderr()).contains(parts).doesNotContain("\tat ");
    }

    private static void wrong(Captured run, String... parts) {
        assertThat(run.status()).as(run.toString()).isEqualTo(2);
        assertThat(run.stderr()).contains(parts).doesNotContain("\tat ");
    }

    private static JsonNode listed(String name) throws Exception {
        Captured run = pipelines("list", "-o", "json");
        done(run);
        JsonNode found = find(name, run);
        assertThat(found.isObject()).as(run.toString()).isTrue();
        return found;
    }

    /** Missing if the list has none, or failed. */
    private static JsonNode find(String name, Captured list) throws Exception {
        return StreamSupport.stream(
                        new ObjectMapper().readTree(list.stdout()).path("pipelines").spliterator(),
                        false)
                .filter(pipeline -> pipeline.get("name").asText().equals(name))
                .findFirst()
                .orElse(MissingNode.getInstance());
    }

    private static void register(String name) throws Exception {
        UUID uuid = UUID.fromString(listed(name).get("uuid").asText());
        new ControlSession(List.of(service), Duration.ofSeconds(30), RpcSecurity.PLAINTEXT)
                .ask(
                        connection ->
                                connection
                                        .control()
                                        .register(
                                                new Registration(
                                                        uuid,
                                                        "east/joiner-0",
                                                        "01".repeat(16),
                                                        "host:7",
                                                        1,
                                                        1,
                                                        "f",
                                                        "out")));
    }

    private static Captured incarnations(String... command) {
        List<String> args = new ArrayList<>(List.of("incarnations"));
        args.addAll(List.of(command));
        args.addAll(List.of("--pipeline", "held"));
        return registry(args.toArray(String[]::new));
    }

    @Test
    void anIncarnationThatHoldsTheBoundaryIsShownFencedAndGivenUp() throws Exception {
        done(
                pipelines(
                        "create",
                        "held",
                        "--shards",
                        "1",
                        "--identity-fingerprint",
                        "f",
                        "--retention",
                        "1h"));
        register("held");
        assertThat(incarnations("list").stdout())
                .as("the servers have counted their clocks by now, or not yet")
                .containsPattern(
                        "east/joiner-0/1 +live +(the beginning|20.*Z [(].* us[)]) +.* ago +host:7");
        failed(
                incarnations("give-up", "east/joiner-0/1"),
                "east/joiner-0/1 is live. Fence its slot first");
        failed(incarnations("give-up", "east/joiner-0/2"), "no incarnation east/joiner-0/2");
        failed(incarnations("fence", "east/joiner"), "slot east/joiner has no incarnation");
        done(incarnations("fence", "east/joiner-0"), "fenced: east/joiner-0/1");
        done(incarnations("fence", "east/joiner-0"), "fenced before: east/joiner-0/1");
        // Whether it names a boundary hangs on whether the servers have counted their clocks.
        done(incarnations("list"), "fenced, not repaired");
        InputStream in = System.in;
        try {
            System.setIn(typed("held\n"));
            failed(
                    incarnations("give-up", "east/joiner-0/1"),
                    "not given up: expected the slot's name east/joiner-0");
            System.setIn(typed("east/joiner-0\n"));
            done(incarnations("give-up", "east/joiner-0/1"), "given up");
        } finally {
            System.setIn(in);
        }
        done(incarnations("give-up", "east/joiner-0/1"), "is already repaired");
        assertThat(incarnations("list").stdout()).doesNotContain("east/joiner-0/1");
        done(incarnations("list", "--all"), "east/joiner-0/1");
    }

    @Test
    void aPipelineIsMadeOnceAndOtherSettingsAreNamed() throws Exception {
        done(
                pipelines(
                        "create",
                        "ads",
                        "--shards",
                        "2",
                        "--identity-fingerprint",
                        "f",
                        "--retention",
                        "3d"),
                "pipeline ads created",
                "2 shards, retention 3d, waiting ids per shard default, share weight 100");
        done(
                pipelines(
                        "create",
                        "ads",
                        "--shards",
                        "2",
                        "--identity-fingerprint",
                        "f",
                        "--retention",
                        "72h"),
                "pipeline ads already exists");
        failed(
                pipelines("create", "ads", "--shards", "3", "--identity-fingerprint", "g"),
                "pipeline ads already exists with other settings: shards 2, not 3; identity fingerprint f, not g; retention 3d, not unlimited");
        wrong(
                pipelines("create", "web", "--shards", "5000", "--identity-fingerprint", "f"),
                "--shards is 5000: expected 1 to 1024");
        wrong(
                pipelines("create", "Web", "--shards", "1", "--identity-fingerprint", "f"),
                "NAME is 'Web': expected 1 to 63 small letters");
        done(
                pipelines(
                        "create",
                        "ads",
                        "--shards",
                        "2",
                        "--identity-fingerprint",
                        "f",
                        "--retention",
                        "3d",
                        "--share-weight",
                        "100"),
                "pipeline ads already exists");
        JsonNode ads = listed("ads");
        assertThat(ads.get("identityFingerprint").asText()).isEqualTo("f");
        assertThat(ads.get("retentionMicros").asLong())
                .isEqualTo(Duration.ofDays(3).toNanos() / 1_000);
        assertThat(ads.get("epochs").toString()).isEqualTo("[{\"number\":1,\"shards\":2}]");
        assertThat(ads.get("ids").asLong()).isZero();
        assertThat(pipelines("list").stdout()).containsPattern("ads +" + ads.get("uuid").asText());
    }

    @Test
    void settingsAreChangedOneByOne() throws Exception {
        done(pipelines("create", "jobs", "--shards", "1", "--identity-fingerprint", "f"));
        done(pipelines("set", "jobs", "--share-weight", "300"), "share weight 300");
        done(
                pipelines("set", "jobs", "--waiting-ids", "8192", "--retention", "90m", "--yes"),
                "retention 90m, waiting ids per shard 8192, share weight 300");
        JsonNode jobs = listed("jobs");
        assertThat(jobs.get("shareWeight").asInt()).isEqualTo(300);
        assertThat(jobs.get("waitingIdsPerShard").asInt()).isEqualTo(8192);
        wrong(
                pipelines("set", "jobs", "--waiting-ids", "5"),
                "--waiting-ids is 5: expected 4096 to 4194304, or 0");
        wrong(
                pipelines("set", "jobs", "--share-weight", "-1"),
                "--share-weight is -1: expected 1 to 10000, or 0");
        wrong(
                pipelines("set", "jobs", "--retention", "200000d"),
                "--retention is '200000d': expected a duration above 0, up to 36500d");
        failed(pipelines("set", "nobody", "--share-weight", "5"), "no pipeline nobody");
        wrong(pipelines("set", "jobs"), "at least one of");
        wrong(pipelines("set", "jobs", "--retention", "soon"), "--retention is 'soon'");
    }

    @Test
    void aShorterRetentionSaysWhatGoesAndAsksForTheName() throws Exception {
        done(pipelines("create", "kept", "--shards", "1", "--identity-fingerprint", "f"));
        InputStream in = System.in;
        try {
            System.setIn(typed("ads\n"));
            failed(
                    pipelines("set", "kept", "--retention", "3d"),
                    "nothing was changed: expected the name kept as confirmation, or --yes");
            assertThat(listed("kept").get("retentionMicros").asLong()).isZero();
            System.setIn(typed("kept\n"));
            Captured shortened = pipelines("set", "kept", "--retention", "3d");
            done(
                    shortened,
                    "the retention changes from unlimited to 3d",
                    "The boundary moves to 20");
        } finally {
            System.setIn(in);
        }
        // It keeps more from now on: nothing goes.
        assertThat(pipelines("set", "kept", "--retention", "4d").stdout())
                .startsWith("pipeline kept: retention 4d");
        done(pipelines("set", "kept", "--retention", "unlimited"));
        done(pipelines("set", "kept", "--retention", "3m", "--yes"), "retention 3m");
    }

    @Test
    void withAConfigurationARetentionLeavesItsExpiryMargin() {
        wrong(
                Captured.run(
                        "registry",
                        "pipelines",
                        "set",
                        "ads",
                        "--retention",
                        "10m",
                        "--config",
                        Repository.example("ads").resolve("photon.yaml").toString()),
                "--retention is '10m': expected more than limits.expiryMargin, 10m");
    }

    @Test
    void aPipelineIsDroppedOnlyByItsNameAndNotUnderALiveJoiner() throws Exception {
        done(pipelines("create", "old", "--shards", "2", "--identity-fingerprint", "f"));
        String uuid = listed("old").get("uuid").asText();
        register("old");
        failed(
                pipelines("drop", "old", "--yes"),
                "these joiners are live: east/joiner-0 at host:7");
        Await.until(
                Duration.ofMinutes(2),
                "leaders of its shards",
                () -> pipelines("list").toString(),
                () -> find("old", pipelines("list", "-o", "json")).path("ids").isInt());
        InputStream in = System.in;
        try {
            System.setIn(typed("web\n"));
            failed(pipelines("drop", "old", "--force"), "not dropped: expected the name old");
            System.setIn(typed(""));
            failed(pipelines("drop", "old", "--force"), "not dropped: expected the name old");
            System.setIn(typed("old\n"));
            done(
                    pipelines("drop", "old", "--force"),
                    "UUID " + uuid,
                    "2 shards with 0 ids",
                    "1 open incarnations (1 live)",
                    "dropped, at index");
        } finally {
            System.setIn(in);
        }
        done(pipelines("drop", "old", "--yes"), "UUID " + uuid + ", was dropped before, at index");
        failed(pipelines("drop", "never", "--yes"), "no pipeline never");
        assertThat(pipelines("list").stdout()).containsPattern("old +" + uuid + " +\\d+\n");
        done(pipelines("create", "old", "--shards", "1", "--identity-fingerprint", "f"), "created");
        assertThat(listed("old").get("uuid").asText()).isNotEqualTo(uuid);
    }

    /** The only thing on stdout: what a person would be told besides is on stderr. */
    private static JsonNode document(Captured run) throws Exception {
        assertThat(run.status()).as(run.toString()).isZero();
        return new ObjectMapper()
                .reader(
                        com.fasterxml.jackson.databind.DeserializationFeature
                                .FAIL_ON_TRAILING_TOKENS)
                .readTree(run.stdout());
    }

    @Test
    void everyChangeHasADocument() throws Exception {
        String[] create = {"create", "doc", "--shards", "1", "--identity-fingerprint", "f"};
        JsonNode made = document(pipelines(with(create, "-o", "json")));
        assertThat(made.get("outcome").asText()).isEqualTo("made");
        assertThat(made.get("uuid")).isEqualTo(listed("doc").get("uuid"));
        assertThat(document(pipelines(with(create, "--json"))).get("outcome").asText())
                .isEqualTo("is there already");
        JsonNode set = document(pipelines("set", "doc", "--retention", "3d", "-y", "--json"));
        assertThat(set.get("retentionMicros").asLong()).isEqualTo(3 * 86_400_000_000L);

        register("doc");
        JsonNode one =
                document(registry("incarnations", "list", "--pipeline", "doc", "--json"))
                        .path("incarnations")
                        .path(0);
        assertThat(one.path("slot").asText()).isEqualTo("east/joiner-0");
        assertThat(one.path("state").asText()).isEqualTo("live");
        String[] fence = {"incarnations", "fence", "east/joiner-0", "--pipeline", "doc", "--json"};
        assertThat(document(registry(fence)).at("/incarnations/0/outcome").asText())
                .isEqualTo("fenced");
        assertThat(document(registry(fence)).at("/incarnations/0/outcome").asText())
                .isEqualTo("fenced before");
        String incarnation = "east/joiner-0/" + one.path("generation").asText();
        String[] giveUp = {"incarnations", "give-up", incarnation, "--pipeline", "doc"};
        assertThat(document(registry(with(giveUp, "-y", "--json"))).path("state").asText())
                .isEqualTo("repaired");
        wrong(registry("incarnations", "list"), "--pipeline is missing: expected one of [");

        Captured drop = pipelines("drop", "doc", "-y", "--json");
        assertThat(document(drop).get("outcome").asText()).isEqualTo("dropped");
        assertThat(drop.stderr()).contains("1 servers will delete");
        assertThat(document(pipelines("drop", "doc", "--json")).get("outcome").asText())
                .isEqualTo("dropped before");
    }

    private static String[] with(String[] command, String... more) {
        return Stream.concat(Stream.of(command), Stream.of(more)).toArray(String[]::new);
    }

    private static InputStream typed(String text) {
        return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void theAuditTellsWhoDidWhatInOrder() throws Exception {
        done(pipelines("create", "seen", "--shards", "1", "--identity-fingerprint", "f"));
        register("seen");
        done(pipelines("set", "seen", "--share-weight", "7"));
        done(pipelines("drop", "seen", "--yes", "--force"));
        Captured run = registry("audit", "-o", "json");
        done(run);
        List<String> told = new ArrayList<>();
        for (JsonNode row : new ObjectMapper().readTree(run.stdout()).get("records")) {
            if (row.get("pipeline").asText().equals("seen")) {
                told.add(
                        row.get("kind").asText()
                                + " by "
                                + row.get("actor").asText().replaceAll("@.*", "@host"));
                assertThat(row.get("latestMicros").asLong())
                        .isGreaterThan(row.get("earliestMicros").asLong());
            }
        }
        String me = System.getProperty("user.name") + "@host";
        assertThat(told)
                .containsExactly(
                        "pipeline-created by " + me,
                        "registered by east/joiner-0",
                        "pipeline-set by " + me,
                        "pipeline-dropped by " + me);
        assertThat(registry("audit").stdout())
                .containsPattern("Z +\\S+@\\S+ +seen +pipeline-dropped +1 groups");
        assertThat(registry("audit", "--since", "2100-01-01T00:00:00Z").stdout())
                .doesNotContain("seen");
        assertThat(registry("audit", "--since", "1h").stdout()).contains("seen");
    }

    @Test
    void wrongUsageAndARegistryThatDoesNotAnswer() {
        wrong(pipelines("create", "x", "--identity-fingerprint", "f"), "--shards");
        wrong(pipelines("create", "x", "--shards", "1"), "--identity-fingerprint");
        wrong(
                pipelines("create", "x", "--shards", "0", "--identity-fingerprint", "f"),
                "--shards is 0");
        wrong(registry("audit", "--since", "yesterday"), "--since is 'yesterday'");
        wrong(Captured.run("registry", "pipelines"), "list, create, set, drop");
        wrong(Captured.run("registry", "pipelines", "list"), "--servers");
        failed(
                Captured.run(
                        "registry",
                        "pipelines",
                        "list",
                        "--servers",
                        "127.0.0.1:1",
                        "--timeout",
                        "1s"),
                "no server of the registry answers");
        failed(
                Captured.run("registry", "audit", "--servers", "127.0.0.1:1", "--timeout", "1s"),
                "no server of the registry answers");
        failed(
                Captured.run(
                        "registry",
                        "pipelines",
                        "create",
                        "x",
                        "--shards",
                        "1",
                        "--identity-fingerprint",
                        "f",
                        "--servers",
                        "127.0.0.1:1",
                        "--timeout",
                        "1s"),
                "did not answer within 1000 ms");
    }
}

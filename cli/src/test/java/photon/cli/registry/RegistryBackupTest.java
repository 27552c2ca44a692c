package photon.cli.registry;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import photon.cli.Captured;
import photon.core.id.CommitToken;
import photon.core.id.EventId;
import photon.core.id.Incarnation;
import photon.core.rpc.HostPort;
import photon.core.rpc.LoopbackPorts;
import photon.core.time.SystemClock;
import photon.idregistry.server.RegistryServer;
import photon.idregistry.server.config.RegistryServerConfig;
import photon.registry.api.CommitOutcome;
import photon.registry.api.ControlClient;
import photon.registry.api.IdRegistry;
import photon.registry.api.RegistryClient.CommitResult;
import photon.registry.client.GrpcIdRegistry;
import photon.server.metrics.DocumentedMetrics;

/** Backups of a real server go into a folder, and the newest is restored for a trial. */
@Timeout(300)
class RegistryBackupTest {
    private static final UUID PIPELINE = new UUID(4, 2);
    private static final int IDS = 500;
    private static final Queue<String> BUGS = new ConcurrentLinkedQueue<>();

    @TempDir static Path root;

    private static HostPort service = new HostPort("127.0.0.1", 1);
    private static @Nullable RegistryServer server;

    @TempDir Path folder;
    @TempDir Path work;

    @BeforeAll
    static void start() throws Exception {
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
                        (where, bug) -> BUGS.add(where + ": " + bug));
        long micros = System.currentTimeMillis() * 1_000 - 60_000_000;
        try (GrpcIdRegistry connection =
                GrpcIdRegistry.connect(
                        List.of(service),
                        "ads",
                        IdRegistry.Options.DEFAULTS,
                        (where, bug) -> BUGS.add(where + ": " + bug))) {
            connection.control().openPipeline("ads", PIPELINE, "f", 2).get(1, TimeUnit.MINUTES);
            IdRegistry registry = connection.registry().get(1, TimeUnit.MINUTES);
            Incarnation me =
                    connection
                            .control()
                            .register(
                                    new ControlClient.Registration(
                                            PIPELINE,
                                            "east/joiner-0",
                                            "01".repeat(16),
                                            "127.0.0.1:1",
                                            1,
                                            1,
                                            "f",
                                            "out"))
                            .get(1, TimeUnit.MINUTES);
            for (int n = 0; n < IDS; n++) {
                CommitOutcome outcome =
                        registry.commit(
                                        new EventId(micros + n, 1, 2, 3),
                                        CommitToken.of(me, n + 1),
                                        Duration.ofMinutes(1))
                                .get(1, TimeUnit.MINUTES);
                assertThat(((CommitOutcome.Decided) outcome).result())
                        .isEqualTo(CommitResult.ACCEPTED);
            }
        }
    }

    @AfterAll
    static void stop() {
        if (server != null) {
            server.close();
        }
        assertThat(BUGS).isEmpty();
    }

    private static Captured registry(String... words) {
        List<String> all = new ArrayList<>(List.of("registry"));
        all.addAll(List.of(words));
        return Captured.run(all.toArray(String[]::new));
    }

    private Captured backup(String... words) {
        List<String> all =
                new ArrayList<>(
                        List.of("backup", "--servers", service.toString(), "--timeout", "60s"));
        all.addAll(List.of(words));
        return registry(all.toArray(String[]::new));
    }

    private JsonNode backupInto(String... words) throws IOException {
        List<String> all = new ArrayList<>(List.of("--into", folder.toString(), "--json"));
        all.addAll(List.of(words));
        return json(backup(all.toArray(String[]::new)));
    }

    private Captured drill(Path from, String... words) {
        List<String> all =
                new ArrayList<>(
                        List.of(
                                "restore-drill",
                                "--from",
                                from.toString(),
                                "--work",
                                work.toString()));
        all.addAll(List.of(words));
        Captured run = registry(all.toArray(String[]::new));
        assertThat(names(work)).as("what the drill has left").isEmpty();
        return run;
    }

    private static JsonNode json(Captured run) throws IOException {
        assertThat(run.status()).as(run.toString()).isZero();
        return new ObjectMapper().readTree(run.stdout());
    }

    private static List<String> names(Path directory) {
        try (Stream<Path> all = Files.list(directory)) {
            return all.map(path -> path.getFileName().toString())
                    .filter(name -> !name.endsWith(".lock"))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    @Test
    void aFolderKeepsTheNewestBackupsAndTheNewestCanBeRestored() throws Exception {
        Files.createDirectories(folder.resolve("photon-20200101T000000Z.partial/control"));
        JsonNode first = backupInto("--keep", "2");
        assertThat(first.get("ids").asInt()).isEqualTo(IDS);
        assertThat(first.get("remnants")).hasSize(1);
        JsonNode second = backupInto("--keep", "2");
        assertThat(second.get("kept")).hasSize(2);
        assertThat(second.get("deleted")).isEmpty();
        JsonNode third = backupInto("--keep", "2");
        Path newest = Path.of(third.get("backup").asText());
        assertThat(third.get("deleted").get(0).asText())
                .isEqualTo(Path.of(first.get("backup").asText()).getFileName().toString());
        assertThat(names(folder)).hasSize(2).contains(newest.getFileName().toString());
        assertThat(registry("verify-backup", newest.toString()).status()).isZero();

        JsonNode drilled = json(drill(folder, "--json"));
        assertThat(drilled.get("backup").asText()).isEqualTo(newest.toString());
        assertThat(drilled.get("restorable").asBoolean()).isTrue();
        assertThat(drilled.get("differences")).isEmpty();
        assertThat(drilled.get("restoreMillis").asLong()).isPositive();
        assertThat(drilled.get("shards")).hasSize(2);
        assertThat(
                        drilled.get("shards").get(0).get("ids").asInt()
                                + drilled.get("shards").get(1).get("ids").asInt())
                .isEqualTo(IDS);
        Captured text = drill(newest);
        assertThat(text.status()).as(text.toString()).isZero();
        assertThat(text.stdout()).contains("can be restored", "ads/1/0", "ads/1/1", "restored in");
        // Servers in this process may warn meanwhile.
        assertThat(text.stderr().lines()).noneMatch(line -> line.startsWith("photon: "));

        Captured late = drill(newest, "--within", "1ms");
        assertThat(late.status()).isEqualTo(1);
        assertThat(late.stderr()).contains("took longer than --within");

        // It was damaged since, and is the newest still: the drill must not take an older one.
        Path state = newest.resolve("control/state");
        byte[] bytes = Files.readAllBytes(state);
        bytes[bytes.length / 2] ^= 1;
        Files.write(state, bytes);
        Captured damaged = drill(folder);
        assertThat(damaged.status()).isEqualTo(1);
        assertThat(damaged.stderr()).contains("the drill has failed", "SHA-256");
    }

    @Test
    void monitoringIsToldOfACompleteBackup() throws Exception {
        Path metrics = work.resolve("photon-backup.prom");
        long before = Instant.now().getEpochSecond();
        JsonNode made = backupInto("--metrics-file", metrics.toString());
        List<String> told = Files.readAllLines(metrics);
        assertThat(told)
                .contains(
                        "# TYPE photon_backup_last_success_timestamp_seconds gauge",
                        "photon_backup_last_ids " + IDS,
                        "photon_backup_last_bytes " + made.get("bytes").asLong());
        String time =
                told.stream()
                        .filter(line -> line.startsWith("photon_backup_last_success_"))
                        .findFirst()
                        .orElseThrow();
        assertThat(Long.parseLong(time.substring(time.indexOf(' ') + 1)))
                .isBetween(before, Instant.now().getEpochSecond());
        assertThat(told.stream().filter(line -> !line.startsWith("#")).map(l -> l.split(" ")[0]))
                .hasSameElementsAs(DocumentedMetrics.names("photon_backup_"));
        assertThat(names(work)).containsExactly("photon-backup.prom");

        Captured unwritable =
                backup("--to", folder + "/x", "--metrics-file", work + "/missing/backup.prom");
        assertThat(unwritable.status()).isEqualTo(1);
        assertThat(unwritable.stderr())
                .contains(folder + "/x is complete, but --metrics-file cannot be written");
        assertThat(registry("verify-backup", folder + "/x").status()).isZero();
    }

    /** Else the alert of backups that stop would fire beside good ones. */
    @Test
    void monitoringIsToldOfACompleteBackupAlsoIfAnOldOneCannotBeDeleted() throws Exception {
        String old = backupInto().get("backup").asText();
        Files.writeString(Path.of(old + ".deleted"), "in the way of its new name");
        Path metrics = work.resolve("photon-backup.prom");
        Captured run =
                backup(
                        "--into",
                        folder.toString(),
                        "--keep",
                        "1",
                        "--metrics-file",
                        metrics.toString());
        assertThat(run.status()).isEqualTo(1);
        assertThat(run.stderr()).contains(" is complete, but the old backup " + old);
        assertThat(Files.readString(metrics)).contains("photon_backup_last_ids " + IDS);
    }

    @Test
    void whatCannotBeIsSaid() {
        Captured none = backup("--into", folder.toString(), "--keep", "0");
        assertThat(none.status()).isEqualTo(2);
        assertThat(none.stderr()).contains("--keep is '0': expected 1 or more");
        Captured both = backup("--into", folder.toString(), "--to", folder + "/x");
        assertThat(both.status()).isEqualTo(2);
        Captured missing = backup("--into", folder + "/unmounted", "--keep", "3");
        assertThat(missing.status()).isEqualTo(1);
        assertThat(missing.stderr()).contains("no backup:", "mount the disk");
        assertThat(names(folder)).isEmpty();

        Captured empty = drill(folder);
        assertThat(empty.status()).isEqualTo(1);
        assertThat(empty.stderr()).contains("is no backup, and contains none");
    }

    @Test
    @Tag("slow")
    void aRegistryThatDoesNotAnswerCostsNoBackup() throws Exception {
        backupInto("--keep", "1");
        List<String> before = names(folder);
        Captured silent =
                registry(
                        "backup",
                        "--servers",
                        "127.0.0.1:1",
                        "--timeout",
                        "1s",
                        "--into",
                        folder.toString(),
                        "--keep",
                        "1");
        assertThat(silent.status()).isEqualTo(1);
        assertThat(names(folder)).isEqualTo(before);
    }
}

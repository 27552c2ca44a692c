package photon.cli.registry;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.protobuf.ByteString;
import java.io.IOException;
import java.nio.file.Files;
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
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import photon.cli.Captured;
import photon.core.config.ConfigLoader;
import photon.core.config.OutputConfig;
import photon.core.config.PipelineConfig;
import photon.core.crash.CrashPoints;
import photon.core.id.CommitToken;
import photon.core.id.EventId;
import photon.core.id.Incarnation;
import photon.core.rpc.HostPort;
import photon.core.rpc.LoopbackPorts;
import photon.core.testing.Together;
import photon.core.time.IntervalClock;
import photon.core.time.SystemClock;
import photon.idregistry.raft.RaftTuning;
import photon.idregistry.server.RegistryServer;
import photon.idregistry.server.config.RegistryServerConfig;
import photon.registry.admin.backup.BackupPlace;
import photon.registry.api.CommitOutcome;
import photon.registry.api.ControlClient;
import photon.registry.api.IdBatch;
import photon.registry.api.IdRegistry;
import photon.registry.api.IdRegistry.Freshness;
import photon.registry.api.NotReportedException;
import photon.registry.api.RegistryClient.CommitResult;
import photon.registry.client.GrpcIdRegistry;
import photon.storage.files.FileStore;
import photon.storage.files.HadoopFileStore;
import photon.storage.format.IdentityFingerprint;
import photon.storage.output.OutputDirectory;
import photon.storage.output.OutputIdentity;
import photon.storage.output.WorkDirectory;
import photon.storage.output.WorkRecord;
import photon.storage.output.format.OutputFormats;

/**
 * A registry of three real servers is backed up, loses all disks, and comes back. The backup lies
 * on local files here; a subclass may say where else.
 */
@Timeout(600)
class RegistryRestoreTest {
    private static final int SERVERS = 3;
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final UUID PIPELINE = new UUID(4, 2);

    @TempDir protected Path root;

    private final List<RegistryServerConfig.Peer> peers = new ArrayList<>();
    private final List<RegistryServer> running = Collections.synchronizedList(new ArrayList<>());
    private final Queue<String> bugs = new ConcurrentLinkedQueue<>();
    private final long now = System.currentTimeMillis() * 1_000 - 60_000_000;

    /** Where backups are made. */
    protected BackupPlace backups() {
        return BackupPlace.local(root);
    }

    /** What else the configuration says, such as how to reach that place. */
    protected String moreConfig() {
        return "";
    }

    private void start(String data) {
        RaftTuning tuning =
                RaftTuning.LAN.withElection(Duration.ofMillis(500), Duration.ofMillis(1_000));
        Together.run(
                SERVERS,
                n ->
                        running.add(
                                RegistryServer.start(
                                        RegistryServerConfig.of(
                                                        "r" + n,
                                                        peers,
                                                        root.resolve(data + "/r" + n))
                                                .with(tuning),
                                        new SystemClock(Duration.ofMillis(250)),
                                        (where, bug) -> bugs.add(where + ": " + bug))));
    }

    @AfterEach
    void stop() {
        running.parallelStream().forEach(RegistryServer::close);
        running.clear();
        assertThat(bugs).isEmpty();
    }

    private List<HostPort> services() {
        return peers.stream().map(RegistryServerConfig.Peer::service).toList();
    }

    private Path config(String datacenter) throws IOException {
        StringBuilder registry = new StringBuilder();
        for (int n = 0; n < SERVERS; n++) {
            registry.append(
                    "    - {name: r%d, datacenter: east, raft: \"%s\", service: \"%s\"}\n"
                            .formatted(n, peers.get(n).raft(), peers.get(n).service()));
        }
        return Files.writeString(
                root.resolve(datacenter + ".yaml"),
                """
                pipeline: ads
                datacenters: [east, west]
                primary:
                  paths: ["logs/p*"]
                  format: {type: json-lines}
                  id: {server: server, process: process, timestamp: timestamp}
                foreign:
                  paths: ["logs/f*"]
                  format: {type: json-lines}
                  id: {server: server, process: process, timestamp: timestamp}
                  primaryId: {server: p.server, process: p.process, timestamp: p.timestamp}
                deployment:
                  datacenter: %s
                  state: state
                  output: out
                  registry:
                %s  eventStore: "127.0.0.1:1"
                  dispatcher: "127.0.0.1:2"
                  joiners:
                    - {name: joiner-0, address: "127.0.0.1:3"}
                %s"""
                        .formatted(datacenter, registry, moreConfig()));
    }

    /** All but those that ask no server wait for one. */
    private static Captured photon(String... args) {
        List<String> all = new ArrayList<>(List.of("registry"));
        all.addAll(List.of(args));
        if (!List.of("verify-backup", "restore-drill").contains(args[0])) {
            all.addAll(List.of("--timeout", "120s"));
        }
        return Captured.run(all.toArray(String[]::new));
    }

    /** Ids whose request was sent again are told as known, after the first has put them. */
    private static void assertPut(JsonNode reported, int putAtMost, int ids) {
        int put = reported.get("put").asInt();
        assertThat(put).as(reported.toString()).isBetween(0, putAtMost);
        assertThat(put + reported.get("same").asInt()).as(reported.toString()).isEqualTo(ids);
    }

    private static JsonNode json(Captured run) throws IOException {
        assertThat(run.status()).as(run.stdout() + run.stderr()).isZero();
        return new ObjectMapper().readTree(run.stdout());
    }

    /** A datacenter's joiner, and its output. */
    private final class Joiner implements AutoCloseable {
        private final String datacenter;
        private final GrpcIdRegistry connection;
        private final OutputDirectory output;
        private final String fingerprint;
        private Incarnation me = new Incarnation(1, 1);
        private IdRegistry registry;
        private long sequence;
        private WorkDirectory work;

        Joiner(String datacenter) throws Exception {
            this.datacenter = datacenter;
            PipelineConfig config = ConfigLoader.load(config(datacenter)).pipeline();
            fingerprint = IdentityFingerprint.of(config);
            Path state = Files.createDirectories(root.resolve("state/" + datacenter));
            Files.writeString(
                    state.resolve("identity.json"),
                    "{\"pipeline\":\"ads\",\"uuid\":\"%s\",\"identityFingerprint\":\"%s\"}"
                            .formatted(PIPELINE, fingerprint));
            output =
                    OutputDirectory.open(
                            new HadoopFileStore(),
                            root.resolve("out/" + datacenter).toString(),
                            new OutputIdentity(
                                    PIPELINE.toString(),
                                    fingerprint,
                                    datacenter,
                                    "output-of-" + datacenter),
                            OutputFormats.of(OutputConfig.DEFAULTS),
                            CrashPoints.none(),
                            () -> new IntervalClock.Interval(0, 0));
            connection =
                    GrpcIdRegistry.connect(
                            services(),
                            "ads",
                            IdRegistry.Options.DEFAULTS,
                            (where, bug) -> bugs.add(where + ": " + bug));
            connection
                    .control()
                    .openPipeline("ads", PIPELINE, fingerprint, 2)
                    .get(2, TimeUnit.MINUTES);
            registry = connection.registry().get(2, TimeUnit.MINUTES);
            me =
                    registration(Integer.toHexString(0x100 + datacenter.hashCode() % 16))
                            .get(2, TimeUnit.MINUTES);
            work = output.createWorkDirectory(me);
        }

        CompletableFuture<Incarnation> registration(String nonce) {
            return registration("joiner-0", nonce);
        }

        CompletableFuture<Incarnation> registration(String name, String nonce) {
            return connection
                    .control()
                    .register(
                            new ControlClient.Registration(
                                    PIPELINE,
                                    datacenter + "/" + name,
                                    (nonce + "0".repeat(32)).substring(0, 32),
                                    "127.0.0.1:1",
                                    1,
                                    1,
                                    fingerprint,
                                    "output-of-" + datacenter));
        }

        void again(Incarnation next) throws IOException {
            me = next;
            work = output.createWorkDirectory(me);
        }

        CommitToken token() {
            return CommitToken.of(me, ++sequence);
        }

        CommitResult commit(EventId id, CommitToken token) throws Exception {
            CommitOutcome outcome = registry.commit(id, token, PATIENCE).get(3, TimeUnit.MINUTES);
            return ((CommitOutcome.Decided) outcome).result();
        }

        /** Commits those of a range that it gets, and writes them; published if wished. */
        int join(int from, int to, boolean published) throws Exception {
            WorkDirectory.WorkLog log = work.createLog();
            int got = 0;
            for (int n = from; n < to; n++) {
                CommitToken token = token();
                if (commit(id(n), token) == CommitResult.ACCEPTED) {
                    got++;
                    log.append(
                            new WorkRecord(
                                    id(n),
                                    token,
                                    "00".repeat(16),
                                    List.of(
                                            new WorkRecord.JoinedEvent(
                                                    "", ByteString.copyFromUtf8("{\"n\":1}")))));
                }
            }
            if (published) {
                log.finish();
                work.publish(log);
            } else {
                log.sync();
                log.close();
            }
            return got;
        }

        int held(int from, int to) throws Exception {
            IdBatch.Builder ids = IdBatch.builder(to - from);
            for (int n = from; n < to; n++) {
                ids.add(id(n));
            }
            return registry.lookup(ids.build(), Freshness.LINEARIZABLE, PATIENCE)
                    .get(3, TimeUnit.MINUTES)
                    .held();
        }

        @Override
        public void close() {
            connection.close();
        }
    }

    private EventId id(int n) {
        return new EventId(now + n, 1, 2, 3);
    }

    @Test
    @Tag("slow")
    void whatWasPublishedBehindTheBackupIsNeverAcceptedAgain() throws Exception {
        List<Integer> ports = LoopbackPorts.choose(2 * SERVERS, new Random());
        for (int n = 0; n < SERVERS; n++) {
            peers.add(
                    new RegistryServerConfig.Peer(
                            "r" + n,
                            new HostPort("127.0.0.1", ports.get(2 * n)),
                            new HostPort("127.0.0.1", ports.get(2 * n + 1))));
        }
        start("before");
        String east = config("east").toString();
        String west = config("west").toString();
        BackupPlace backup = backups().resolve("backup");
        try (Joiner e = new Joiner("east");
                Joiner w = new Joiner("west")) {
            assertThat(e.join(0, 100, true)).isEqualTo(100);
            assertThat(w.join(100, 150, true)).isEqualTo(50);
            CommitToken lost = e.token();
            assertThat(e.commit(id(990), lost)).isEqualTo(CommitResult.ACCEPTED);

            JsonNode made =
                    json(photon("backup", "--config", east, "--to", backup.toString(), "--json"));
            assertThat(made.get("ids").asInt()).isEqualTo(151);
            assertThat(made.get("groups").asInt()).isEqualTo(3);
            assertThat(photon("backup", "--config", east, "--to", backup.toString()).status())
                    .isEqualTo(2);
            assertThat(json(photon("verify-backup", "--config", east, backup.toString(), "--json")))
                    .isEqualTo(made);
            drilled(backup, east);

            // Behind the backup.
            assertThat(e.join(200, 300, true)).isEqualTo(100);
            assertThat(w.join(300, 340, false)).isEqualTo(40);
            CommitToken free = w.token();
            assertThat(w.commit(id(991), free)).isEqualTo(CommitResult.ACCEPTED);

            assertThat(
                            photon(
                                            "restore",
                                            "--config",
                                            east,
                                            "--from",
                                            backup.toString(),
                                            "--datacenters",
                                            "east,west")
                                    .stderr())
                    .contains("servers with empty disks");

            running.parallelStream().forEach(RegistryServer::close);
            running.clear();
            nobodyAnswers(backup, east);
            start("behind");
            Captured blank =
                    photon("backup", "--config", east, "--to", root.resolve("none").toString());
            assertThat(blank.status()).isEqualTo(1);
            assertThat(blank.stderr()).contains("has no pipeline");
            damagedIsRefused(backup, east);
            Captured one =
                    photon(
                            "restore",
                            "--config",
                            east,
                            "--from",
                            backup.toString(),
                            "--datacenters",
                            "east");
            assertThat(one.status()).isEqualTo(2);
            assertThat(one.stderr()).contains("expected [west] too");
            JsonNode loaded =
                    json(
                            photon(
                                    "restore",
                                    "--config",
                                    east,
                                    "--from",
                                    backup.toString(),
                                    "--datacenters",
                                    "east,west",
                                    "--json"));
            assertThat(loaded.get("phase").asText()).isEqualTo("reporting");
            Captured half =
                    photon("backup", "--config", east, "--to", root.resolve("none").toString());
            assertThat(half.status()).isEqualTo(1);
            assertThat(half.stderr()).contains("is being restored");
            // Again: it stands.
            json(
                    photon(
                            "restore",
                            "--config",
                            east,
                            "--from",
                            backup.toString(),
                            "--datacenters",
                            "east,west",
                            "--json"));

            JsonNode reported = json(photon("report", "--config", east, "--json"));
            assertPut(reported, 100, 200);
            assertThat(reported.get("settled").asBoolean()).isFalse();
            nothingIsAcceptedYet(e, w);

            reported = json(photon("report", "--config", west, "--json"));
            assertPut(reported, 40, 90);
            assertThat(photon("restore-status", "--config", east).status()).isZero();
            assertThat(json(photon("report", "--config", west, "--json")).get("before").asBoolean())
                    .isTrue();

            // Who spoke before is fenced, whatever it asks.
            assertThat(e.commit(id(990), lost)).isEqualTo(CommitResult.FENCED);
            assertThat(w.commit(id(991), free)).isEqualTo(CommitResult.FENCED);
            Incarnation next = e.registration("aa").get(2, TimeUnit.MINUTES);
            assertThat(next.generation()).isGreaterThan(1_000_000);
            e.again(next);
            assertThat(e.join(0, 150, true)).isZero();
            assertThat(e.join(200, 340, true)).isZero();
            assertThat(e.commit(id(991), e.token())).isEqualTo(CommitResult.ACCEPTED);
            assertThat(e.commit(id(990), e.token())).isEqualTo(CommitResult.TAKEN);
            assertThat(e.held(0, 340)).isEqualTo(290);
            Captured audit = photon("audit", "--config", east);
            assertThat(audit.stdout()).contains("restore-begun", "reported", "restored");
        }
    }

    private void damagedIsRefused(BackupPlace backup, String config) throws IOException {
        BackupPlace damaged = backups().resolve("damaged");
        copy(backup, damaged);
        Captured refused =
                photon(
                        "restore",
                        "--config",
                        config,
                        "--from",
                        damaged.toString(),
                        "--datacenters",
                        "east,west");
        assertThat(refused.status()).isEqualTo(1);
        assertThat(refused.stderr()).contains("nothing was changed", "SHA-256");
    }

    /** All of a directory; in the middle of the control group's state a bit differs. */
    private static void copy(BackupPlace from, BackupPlace to) throws IOException {
        to.files().createDirectories(to.path());
        for (FileStore.FileInfo entry : from.files().list(from.path())) {
            String name = BackupPlace.name(entry);
            if (entry.directory()) {
                copy(from.resolve(name), to.resolve(name));
                continue;
            }
            byte[] bytes = new byte[(int) entry.length()];
            try (FileStore.ReadFile file = from.files().open(from.resolve(name).path())) {
                for (int at = 0; at < bytes.length; ) {
                    at += file.read(at, bytes, at, bytes.length - at);
                }
            }
            if (to.resolve(name).path().endsWith("control/state")) {
                bytes[bytes.length / 2] ^= 1;
            }
            try (FileStore.AppendFile file = to.files().create(to.resolve(name).path())) {
                file.write(bytes, 0, bytes.length);
            }
        }
    }

    private void drilled(BackupPlace backup, String config) throws IOException {
        JsonNode drill =
                json(
                        photon(
                                "restore-drill",
                                "--config",
                                config,
                                "--from",
                                backup.toString(),
                                "--work",
                                root.toString(),
                                "--json"));
        assertThat(drill.get("restorable").asBoolean()).as(drill.toString()).isTrue();
        assertThat(drill.get("differences")).isEmpty();
    }

    private static void nobodyAnswers(BackupPlace backup, String config) {
        Captured refused =
                Captured.run(
                        "registry",
                        "restore",
                        "--config",
                        config,
                        "--from",
                        backup.toString(),
                        "--datacenters",
                        "east,west",
                        "--timeout",
                        "1s");
        assertThat(refused.status()).isEqualTo(1);
        assertThat(refused.stderr()).contains("no server of the registry answers");
    }

    private void nothingIsAcceptedYet(Joiner e, Joiner w) throws Exception {
        CompletableFuture<Incarnation> waits = e.registration("joiner-9", "bb");
        CompletableFuture<CommitOutcome> commit =
                w.registry.commit(id(5_000), w.token(), Duration.ofSeconds(3));
        assertThat(commit.get(30, TimeUnit.SECONDS)).isNotInstanceOf(CommitOutcome.Decided.class);
        assertThat(waits.isDone()).isFalse();
        Captured status = photon("status", "--servers", services().get(0).toString());
        assertThat(status.status()).isEqualTo(1);
        assertThat(status.stdout()).contains("a restore is under way");
        assertThat(photon("restore-status", "--servers", services().get(0).toString()).status())
                .isEqualTo(1);
    }

    /** Its joiners are told so until it has reported after all. */
    @Test
    @Tag("crash")
    void aDatacenterThatWasDeclaredLostComesBack() throws Exception {
        List<Integer> ports = LoopbackPorts.choose(2 * SERVERS, new Random());
        for (int n = 0; n < SERVERS; n++) {
            peers.add(
                    new RegistryServerConfig.Peer(
                            "r" + n,
                            new HostPort("127.0.0.1", ports.get(2 * n)),
                            new HostPort("127.0.0.1", ports.get(2 * n + 1))));
        }
        start("before");
        String east = config("east").toString();
        String west = config("west").toString();
        BackupPlace backup = backups().resolve("backup");
        try (Joiner e = new Joiner("east");
                Joiner w = new Joiner("west")) {
            assertThat(e.join(0, 20, true)).isEqualTo(20);
            json(photon("backup", "--config", east, "--to", backup.toString(), "--json"));
            assertThat(w.join(20, 40, true)).isEqualTo(20);
            running.parallelStream().forEach(RegistryServer::close);
            running.clear();
            start("behind");
            json(
                    photon(
                            "restore",
                            "--config",
                            east,
                            "--from",
                            backup.toString(),
                            "--datacenters",
                            "east,west",
                            "--json"));
            json(photon("report", "--config", east, "--json"));
            assertThat(photon("declare-lost", "south", "--yes", "--config", east).status())
                    .isEqualTo(1);
            json(photon("declare-lost", "west", "--yes", "--config", east, "--json"));

            Incarnation next = e.registration("aa").get(2, TimeUnit.MINUTES);
            e.again(next);
            assertThat(e.join(30, 40, true)).as("nobody knows of the west's").isEqualTo(10);
            assertRefused(w.registration("cc"));

            Path voids = root.resolve("voids");
            Captured refused = photon("report", "--config", west, "--voids", voids.toString());
            assertThat(refused.status()).isEqualTo(1);
            assertThat(refused.stderr()).contains("10 published events of west are void");
            assertThat(Files.readAllLines(voids))
                    .hasSize(10)
                    .allMatch(line -> line.endsWith("\ttaken"));
            assertThat(e.held(20, 30)).as("nothing was changed").isZero();
            assertRefused(w.registration("cc"));
            assertThat(photon("report", "--config", west, "--accept-voids").stderr())
                    .contains("needs --voids");
            Captured there =
                    photon(
                            "report",
                            "--config",
                            west,
                            "--accept-voids",
                            "--voids",
                            voids.toString());
            assertThat(there.status()).isEqualTo(2);
            assertThat(there.stderr()).contains("never overwrites a list");
            Path accepted = root.resolve("accepted");
            JsonNode reported =
                    json(
                            photon(
                                    "report",
                                    "--config",
                                    west,
                                    "--accept-voids",
                                    "--voids",
                                    accepted.toString(),
                                    "--json"));
            assertThat(reported.get("voids").asInt()).isEqualTo(10);
            assertPut(reported, 10, 10);
            assertThat(Files.readAllLines(accepted)).hasSize(10);
            Captured late =
                    photon(
                            "restore",
                            "--config",
                            east,
                            "--from",
                            backup.toString(),
                            "--datacenters",
                            "east,west,north");
            assertThat(late.status()).isEqualTo(1);
            assertThat(late.stderr()).contains("no longer waits for [north]");
            assertThat(e.join(20, 30, true)).as("given to the west after all").isZero();
            w.registration("cc").get(2, TimeUnit.MINUTES);
        }
    }

    private static void assertRefused(CompletableFuture<Incarnation> registration)
            throws InterruptedException, TimeoutException {
        try {
            registration.get(2, TimeUnit.MINUTES);
        } catch (ExecutionException refused) {
            assertThat(refused.getCause())
                    .isInstanceOf(NotReportedException.class)
                    .hasMessageContaining("has not reported");
            return;
        }
        throw new AssertionError("Expected it to be refused");
    }
}

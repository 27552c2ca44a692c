package photon.server.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import photon.core.config.DeploymentConfig;
import photon.core.error.BugHandler;
import photon.core.error.ConfigException;
import photon.core.error.FailedException;
import photon.core.id.Incarnation;
import photon.core.loop.LoopProbe;
import photon.core.loop.ManualLoop;
import photon.core.loop.ThreadLoop;
import photon.core.rpc.HostPort;
import photon.core.rpc.ProcessRpcs;
import photon.core.time.IntervalClock;
import photon.dispatcher.flow.HeldUp;
import photon.dispatcher.state.DispatcherStatus;
import photon.eventstore.index.IndexFigures;
import photon.eventstore.server.EventStoreStatus;
import photon.joiner.JoinerHealth;
import photon.joiner.JoinerStatus;
import photon.joiner.adapters.AdapterFigure;
import photon.joiner.incarnation.LifeState;
import photon.server.health.CheckResult;
import photon.server.health.HealthMonitor;
import photon.server.health.HealthReport;
import photon.server.health.HealthSource;
import photon.server.health.Peers;
import photon.storage.ledger.LedgerRetention;
import photon.storage.tail.LogTroubles;
import photon.verifier.repair.RepairStatus;
import photon.verifier.retention.RetentionStatus;

/** What a monitoring system meets, over real HTTP. */
class MetricsEndpointTest {
    private static final IntervalClock CLOCK = () -> new IntervalClock.Interval(0, 0);

    private static final CheckResult GOOD = new CheckResult("serving", "", true, Duration.ZERO, "");
    private static final CheckResult BAD =
            new CheckResult(
                    "registry",
                    "nothing is committed",
                    false,
                    Duration.ofSeconds(12),
                    "the registry (127.0.0.1:7200) has not answered for 12 s");

    private static final JoinerStatus JOINER =
            new JoinerStatus(
                    LifeState.SERVING,
                    1,
                    2,
                    3,
                    4,
                    12,
                    15,
                    5,
                    6,
                    14,
                    7,
                    Optional.of(new Incarnation(1, 1)),
                    Optional.of(new Incarnation(2, 1)),
                    10,
                    8,
                    "",
                    11,
                    9,
                    true);

    private final Stub health = new Stub();
    private final MetricsEndpoint endpoint =
            MetricsEndpoint.open(HostPort.parse("127.0.0.1:0"), "metrics.listen", health);

    /** What the test says. */
    private static final class Stub implements HealthSource {
        private volatile List<CheckResult> live = List.of();
        private volatile List<CheckResult> ready = List.of();

        @Override
        public HealthReport live() {
            return new HealthReport(live);
        }

        @Override
        public HealthReport ready() {
            return new HealthReport(ready);
        }
    }

    @AfterEach
    void close() {
        endpoint.close();
    }

    private void answers(String path, int status, String text) throws Exception {
        HttpResponse<String> answer = Scrape.get(endpoint.address(), path);
        assertThat(answer.body()).isEqualTo(text);
        assertThat(answer.statusCode()).isEqualTo(status);
    }

    @Test
    void healthIsWrittenAsKubernetesWritesIt() throws Exception {
        health.ready = List.of(GOOD);
        answers("/readyz", 200, "ok\n");
        answers("/readyz?verbose", 200, "[+]serving ok\nreadyz check passed\n");
        health.ready = List.of(GOOD, BAD);
        String failed =
                """
                [+]serving ok
                [-]registry failed: the registry (127.0.0.1:7200) has not answered for 12 s
                readyz check failed
                """;
        answers("/readyz", 503, failed);
        answers("/readyz?a=b&verbose", 503, failed);
        answers("/livez", 200, "ok\n");
        answers("/livez?verbose", 200, "livez check passed\n");
        health.live = List.of(BAD);
        assertThat(Scrape.get(endpoint.address(), "/livez").statusCode()).isEqualTo(503);
    }

    /** An orchestrator kills a daemon whose probe gets no answer. */
    @Test
    void scrapesThatHangHoldUpNoProbe() throws Exception {
        CompletableFuture<Boolean> asked = new CompletableFuture<>();
        CompletableFuture<Boolean> goesOn = new CompletableFuture<>();
        endpoint.metrics()
                .add(
                        samples -> {
                            asked.complete(true);
                            goesOn.join();
                        });
        List<CompletableFuture<HttpResponse<String>>> scrapes = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            scrapes.add(Scrape.begin(endpoint.address(), "/metrics"));
        }
        asked.join();
        answers("/livez", 200, "ok\n");
        goesOn.complete(true);
        for (CompletableFuture<HttpResponse<String>> scrape : scrapes) {
            assertThat(scrape.join().statusCode()).isEqualTo(200);
        }
    }

    @Test
    void whoAsksDuringAScrapeGetsItsResult() {
        AtomicInteger asked = new AtomicInteger();
        CompletableFuture<Boolean> begun = new CompletableFuture<>();
        CompletableFuture<Boolean> goesOn = new CompletableFuture<>();
        Metrics metrics = endpoint.metrics();
        metrics.add(
                samples -> {
                    asked.incrementAndGet();
                    begun.complete(true);
                    goesOn.join();
                });
        CompletableFuture<String> first =
                CompletableFuture.supplyAsync(() -> metrics.scrape().join());
        begun.join();
        CompletableFuture<String> meanwhile = metrics.scrape();
        assertThat(meanwhile).isNotDone();
        goesOn.complete(true);
        assertThat(meanwhile.join()).isEqualTo(first.join()).isNotEmpty();
        assertThat(asked).hasValue(1);
        assertThat(metrics.scrape().join()).isNotEmpty();
        assertThat(asked).as("the next one begins anew").hasValue(2);
    }

    @Test
    void nothingElseIsServed() throws Exception {
        for (String path : List.of("/", "/metrics/x", "/healthz", "/readyz/registry")) {
            answers(path, 404, "Expected /metrics, /livez or /readyz; both take ?verbose\n");
        }
    }

    @Test
    void aTakenAddressIsRefused() {
        assertThatThrownBy(() -> MetricsEndpoint.open(endpoint.address(), "metrics.listen", health))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("Cannot listen on " + endpoint.address() + " for metrics")
                .hasMessageContaining("Expected metrics.listen as a free port");
        assertThatThrownBy(
                        () ->
                                MetricsEndpoint.open(
                                        HostPort.parse("no.such.host.invalid:9400"),
                                        "--metrics",
                                        health))
                .as("its name may be known soon")
                .isInstanceOf(FailedException.class)
                .hasMessageContaining("unknown host");
    }

    private void documented(String prefix, MetricSource source) throws Exception {
        endpoint.metrics().add(source);
        assertThat(Scrape.of(endpoint.address()).names(prefix))
                .as("what docs/metrics.md lists is told, and nothing else")
                .isEqualTo(DocumentedMetrics.names(prefix))
                .isNotEmpty();
    }

    @Test
    void everyDaemonTellsWhatIsDocumented() throws Exception {
        documented(
                "photon_eventstore_",
                DaemonMetrics.eventStore(
                        () ->
                                new EventStoreStatus(
                                        10,
                                        1,
                                        true,
                                        true,
                                        0,
                                        50,
                                        5,
                                        0,
                                        LogTroubles.NONE,
                                        3,
                                        20,
                                        1,
                                        2,
                                        4,
                                        9,
                                        new IndexFigures(10, 1, 2, 1_000, 64, 7, 12, 6),
                                        LedgerRetention.Figures.NOTHING_KNOWN),
                        CLOCK));
        SortedMap<Long, Long> delays = new TreeMap<>(Map.of(700L, 2L, 3_000L, 1L));
        documented(
                "photon_dispatcher_",
                samples -> {
                    DispatcherMetrics.of(() -> DispatcherStatus.NOTHING, CLOCK).addTo(samples);
                    DispatcherMetrics.partitions(() -> List.of(0, 3), 8).addTo(samples);
                    DelayMetrics.dispatcher(() -> Map.of("read", delays)).addTo(samples);
                    DispatcherMetrics.heldUp(() -> new HeldUp.Rows(1_500, 2_500_000))
                            .addTo(samples);
                });
        documented("photon_verifier_", DaemonMetrics.verifier(() -> RepairStatus.NOTHING_KNOWN));
        documented("photon_retention_", RetentionMetrics.of(() -> RetentionStatus.NOTHING_KNOWN));
        documented(
                "photon_joiner_",
                samples -> {
                    DaemonMetrics.joiner(
                                    () -> JOINER,
                                    () -> Map.of(1_000_000L, 3L, 200_000_000_000L, 1L))
                            .addTo(samples);
                    DelayMetrics.joiner(() -> Map.of("commit", delays, "adapter", new TreeMap<>()))
                            .addTo(samples);
                    HealthMetrics.joiner(commitsSince(2_000_000_000L), () -> 3_500_000_000L)
                            .addTo(samples);
                });
        endpoint.metrics()
                .add(DaemonMetrics.process("joiner", "ads", "east", "j\"0\\", "1", () -> 17));
        endpoint.metrics()
                .add(
                        DaemonMetrics.adapter(
                                () ->
                                        List.of(
                                                new AdapterFigure.Count("spam", "Spam.", 4),
                                                new AdapterFigure.Level(
                                                        "live",
                                                        "Lives.",
                                                        1,
                                                        List.of("address", "h:1")),
                                                new AdapterFigure.Delays(
                                                        "waits", "Waits.", delays))));
        Scrape scrape = Scrape.of(endpoint.address());
        assertThat(scrape.value("photon_eventstore_lookups_total")).isEqualTo(20);
        assertThat(scrape.value("photon_dispatcher_held_up_since_timestamp_seconds"))
                .isEqualTo(1.5);
        assertThat(scrape.value("photon_dispatcher_held_up_event_timestamp_seconds"))
                .isEqualTo(2.5);
        assertThat(scrape.value("photon_joiner_restarts_total")).isEqualTo(8);
        assertThat(scrape.value("photon_joiner_oldest_unanswered_commit_seconds")).isEqualTo(1.5);
        assertThat(scrape.value("photon_messages_total")).isEqualTo(17);
        assertThat(scrape.value("photon_adapter_spam_total")).isEqualTo(4);
        assertThat(scrape.value("photon_adapter_live{address=\"h:1\"}")).isEqualTo(1);
        assertThat(scrape.value("photon_adapter_waits_seconds_count")).isEqualTo(3);
        assertThat(scrape.value("photon_adapter_waits_seconds_bucket{le=\"0.001\"}")).isEqualTo(2);
        assertThat(scrape.names("photon_info")).isEqualTo(DocumentedMetrics.names("photon_info"));
        // Three at most a second, one beyond the last bound.
        assertThat(scrape.value("photon_joiner_durable_delay_seconds_bucket{le=\"0.5\"}")).isZero();
        assertThat(scrape.value("photon_joiner_durable_delay_seconds_bucket{le=\"1.0\"}"))
                .isEqualTo(3);
        assertThat(scrape.value("photon_joiner_durable_delay_seconds_bucket{le=\"86400.0\"}"))
                .isEqualTo(3);
        assertThat(scrape.value("photon_joiner_durable_delay_seconds_count")).isEqualTo(4);
        assertThat(
                        scrape.value(
                                "photon_dispatcher_stage_seconds_bucket{stage=\"read\",le=\"0.001\"}"))
                .isEqualTo(2);
        assertThat(scrape.value("photon_joiner_stage_seconds_count{stage=\"commit\"}"))
                .isEqualTo(3);
        assertThat(scrape.types)
                .containsKeys(
                        "jvm_memory_used_bytes",
                        "jvm_gc_memory_allocated_bytes_total",
                        "jvm_threads_live_threads",
                        "jvm_compilation_time_ms_total",
                        "process_cpu_usage");
    }

    private static LoopProbe<JoinerHealth> commitsSince(long nanos) {
        ManualLoop loop = new ManualLoop();
        LoopProbe<JoinerHealth> probe =
                new LoopProbe<>(
                        "main",
                        loop,
                        () ->
                                new JoinerHealth(
                                        JOINER, OptionalLong.of(nanos), OptionalLong.empty()));
        probe.ask(0);
        loop.runUntilIdle();
        return probe;
    }

    @Test
    void healthIsAMetricToo() throws Exception {
        ThreadLoop loop = new ThreadLoop("health", 16, BugHandler.stopProcess());
        HealthMonitor monitor =
                HealthMonitor.start(
                        loop,
                        new Peers(loop, new ProcessRpcs())
                                .eventStores(
                                        List.of(
                                                new DeploymentConfig.EventStore(
                                                        "eventstore-0",
                                                        HostPort.parse("127.0.0.1:1"))),
                                        "nothing is found"));
        CompletableFuture<Boolean> looked = new CompletableFuture<>();
        loop.execute(() -> looked.complete(true));
        looked.join();
        endpoint.metrics().add(HealthMetrics.of(monitor));
        Scrape scrape = Scrape.of(endpoint.address());
        monitor.close();
        assertThat(scrape.value("photon_ready")).isZero();
        assertThat(scrape.values)
                .containsKeys(
                        "photon_check_failed_seconds{check=\"serving\"}",
                        "photon_check_failed_seconds{check=\"event_store\"}",
                        "photon_peer_unreachable_seconds{address=\"127.0.0.1:1\",peer=\"event_store\"}");
        for (String prefix : List.of("photon_ready", "photon_check_", "photon_peer_")) {
            assertThat(scrape.names(prefix))
                    .isEqualTo(DocumentedMetrics.names(prefix))
                    .isNotEmpty();
        }
    }

    @Test
    void aServerThatDoesNotAnswerItselfIsToldAndTheRestIsStillThere() throws Exception {
        RegistryMetrics stuck = new RegistryMetrics(CompletableFuture::new);
        endpoint.metrics().add(stuck);
        Scrape scrape = Scrape.of(endpoint.address());
        assertThat(scrape.names("photon_")).isEqualTo(List.of("photon_registry_answers"));
        assertThat(scrape.value("photon_registry_answers")).isZero();
        assertThat(scrape.types).containsKey("jvm_memory_used_bytes");
    }
}

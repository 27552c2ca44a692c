package photon.server.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import photon.core.error.ConfigException;
import photon.core.id.Incarnation;
import photon.core.rpc.HostPort;
import photon.dispatcher.DispatcherStatus;
import photon.eventstore.index.IndexFigures;
import photon.eventstore.server.EventStoreStatus;
import photon.joiner.JoinerStatus;
import photon.joiner.incarnation.LifeState;
import photon.storage.ledger.LedgerRetention;
import photon.verifier.repair.RepairStatus;
import photon.verifier.retention.RetentionStatus;

/** What a monitoring system meets, over real HTTP. */
class MetricsEndpointTest {
    private final MetricsEndpoint endpoint =
            MetricsEndpoint.open(HostPort.parse("127.0.0.1:0"), "metrics.listen");

    @AfterEach
    void close() {
        endpoint.close();
    }

    private void health(int status, String text) throws Exception {
        HttpResponse<String> answer = Scrape.get(endpoint.address(), "/healthz");
        assertThat(answer.statusCode()).isEqualTo(status);
        assertThat(answer.body()).isEqualTo(text + "\n");
    }

    @Test
    void healthIsStartingThenWhatTheDaemonSaysThenEnding() throws Exception {
        health(503, "starting");
        endpoint.serving(Optional::empty);
        health(200, "ok");
        endpoint.serving(() -> Optional.of("no incarnation"));
        health(503, "no incarnation");
        endpoint.ending();
        health(503, "ending");
        assertThat(Scrape.get(endpoint.address(), "/").statusCode()).isEqualTo(404);
        assertThat(Scrape.get(endpoint.address(), "/metrics/x").statusCode()).isEqualTo(404);
    }

    @Test
    void aTakenAddressIsRefused() {
        assertThatThrownBy(() -> MetricsEndpoint.open(endpoint.address(), "metrics.listen"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("Cannot listen on " + endpoint.address() + " for metrics")
                .hasMessageContaining("Expected metrics.listen as a free port");
        assertThatThrownBy(
                        () ->
                                MetricsEndpoint.open(
                                        HostPort.parse("no.such.host.invalid:9400"), "--metrics"))
                .isInstanceOf(ConfigException.class)
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
                                        5,
                                        3,
                                        20,
                                        2,
                                        4,
                                        9,
                                        new IndexFigures(10, 1, 2, 1_000, 64, 7, 12, 6),
                                        LedgerRetention.Figures.NOTHING_KNOWN)));
        documented("photon_dispatcher_", DaemonMetrics.dispatcher(() -> DispatcherStatus.NOTHING));
        documented("photon_verifier_", DaemonMetrics.verifier(() -> RepairStatus.NOTHING_KNOWN));
        documented("photon_retention_", RetentionMetrics.of(() -> RetentionStatus.NOTHING_KNOWN));
        JoinerStatus joiner =
                new JoinerStatus(
                        LifeState.SERVING,
                        1,
                        2,
                        3,
                        4,
                        5,
                        6,
                        7,
                        Optional.of(new Incarnation(1, 1)),
                        Optional.of(new Incarnation(2, 1)),
                        10,
                        8,
                        "",
                        11,
                        9,
                        true);
        documented(
                "photon_joiner_",
                DaemonMetrics.joiner(
                        () -> joiner, () -> Map.of(1_000_000L, 3L, 200_000_000_000L, 1L)));
        endpoint.metrics().add(DaemonMetrics.process("joiner", "east", "j\"0\\", "1", () -> 17));
        Scrape scrape = Scrape.of(endpoint.address());
        assertThat(scrape.value("photon_eventstore_lookups_total")).isEqualTo(20);
        assertThat(scrape.value("photon_joiner_restarts_total")).isEqualTo(8);
        assertThat(scrape.value("photon_messages_total")).isEqualTo(17);
        assertThat(scrape.names("photon_info")).isEqualTo(DocumentedMetrics.names("photon_info"));
        // Three at most a second, one beyond the last bound.
        assertThat(scrape.value("photon_joiner_durable_delay_seconds_bucket{le=\"0.5\"}")).isZero();
        assertThat(scrape.value("photon_joiner_durable_delay_seconds_bucket{le=\"1.0\"}"))
                .isEqualTo(3);
        assertThat(scrape.value("photon_joiner_durable_delay_seconds_bucket{le=\"86400.0\"}"))
                .isEqualTo(3);
        assertThat(scrape.value("photon_joiner_durable_delay_seconds_count")).isEqualTo(4);
        assertThat(scrape.types)
                .containsKeys(
                        "jvm_memory_used_bytes",
                        "jvm_gc_memory_allocated_bytes_total",
                        "jvm_threads_live_threads",
                        "jvm_compilation_time_ms_total",
                        "process_cpu_usage");
    }

    @Test
    void aServerThatDoesNotAnswerItselfIsToldAndTheRestIsStillThere() throws Exception {
        RegistryMetrics stuck = new RegistryMetrics(CompletableFuture::new);
        endpoint.metrics().add(stuck);
        endpoint.serving(stuck::trouble);
        Scrape scrape = Scrape.of(endpoint.address());
        assertThat(scrape.names("photon_")).isEqualTo(List.of("photon_registry_answers"));
        assertThat(scrape.value("photon_registry_answers")).isZero();
        assertThat(scrape.types).containsKey("jvm_memory_used_bytes");
        health(503, "the registry server has not answered within 2000 ms");
    }
}

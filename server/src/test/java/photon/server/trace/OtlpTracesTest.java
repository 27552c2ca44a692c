package photon.server.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.opentelemetry.proto.trace.v1.Span;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import photon.core.config.TracingConfig;
import photon.core.error.ConfigException;
import photon.core.id.EventId;
import photon.core.id.UserKey;
import photon.core.time.IntervalClock;
import photon.core.trace.AttemptTracer;
import photon.core.trace.TracedAttempt;
import photon.core.trace.TracedAttempt.Part;
import photon.core.trace.TracedAttempt.Stage;
import photon.server.metrics.DocumentedMetrics;

class OtlpTracesTest {
    private static final Duration LONG = Duration.ofMinutes(2);
    private static final long NOW_MICROS = 1_700_000_000_000_000L;
    private static final IntervalClock CLOCK =
            () -> new IntervalClock.Interval(NOW_MICROS - 500, NOW_MICROS + 500);
    private static final Traces.Source SOURCE =
            new Traces.Source("joiner", "ads", "east", "joiner-1", "1.2.3");
    private static final EventId ID =
            EventId.ofUser(NOW_MICROS - 7_000_000, UserKey.of(List.of("click-1")));

    private static TracingConfig config(URI endpoint, int alwaysPerSecondMax) {
        return new TracingConfig(
                endpoint, 0, Duration.ofSeconds(1), alwaysPerSecondMax, Optional.empty());
    }

    /** Waits for a slow collector for longer than a daemon does. */
    private static Traces to(URI endpoint, int alwaysPerSecondMax) {
        return OtlpTraces.to(config(endpoint, alwaysPerSecondMax), SOURCE, CLOCK, LONG, LONG);
    }

    private static long slow(AttemptTracer tracer, Part part, long parent) {
        AttemptTracer.Attempt attempt =
                new AttemptTracer.Attempt(part, ID, 5, parent, false, false, 1_000_000);
        tracer.ended(
                attempt,
                true,
                "joined",
                part == Part.DISPATCH ? 3_000 : -1,
                3_001_000_000L,
                () -> List.of(new Stage("first", 1_000_000), new Stage("second", 1_500_000)));
        return tracer.span(attempt);
    }

    private static double metric(Traces traces, String name) throws Exception {
        return TracesMetrics.of(traces).getOrDefault(name, Double.NaN);
    }

    @Test
    void theCollectorGetsOneTraceOfAllAttemptsAtAnEvent() throws Exception {
        try (FakeCollector collector = FakeCollector.start()) {
            Traces traces = to(collector.endpoint(), 10);
            long dispatch = slow(traces.tracer("east"), Part.DISPATCH, 0);
            slow(traces.tracer("east"), Part.JOIN, dispatch);
            slow(traces.tracer("west"), Part.DISPATCH, 0);
            traces.close();

            assertThat(collector.paths()).containsOnly("/v1/traces");
            List<FakeCollector.Received> spans = collector.spans();
            assertThat(spans).hasSize(9);
            assertThat(spans)
                    .extracting(s -> s.span().getTraceId())
                    .containsOnly(spans.get(0).span().getTraceId());
            assertThat(spans).extracting(s -> s.span().getSpanId()).doesNotHaveDuplicates();

            FakeCollector.Received attempt = spans.get(0);
            assertThat(attempt.span().getName()).isEqualTo("dispatch");
            assertThat(attempt.span().getParentSpanId().isEmpty()).isTrue();
            assertThat(attempt.span().getStartTimeUnixNano())
                    .isEqualTo((NOW_MICROS - 3_000_000) * 1_000);
            assertThat(attempt.span().getEndTimeUnixNano()).isEqualTo(NOW_MICROS * 1_000);
            assertThat(attempt.attribute("photon.event.id")).isEqualTo(ID.toString());
            assertThat(attempt.attribute("photon.pipeline")).isEqualTo("ads");
            assertThat(attempt.attribute("photon.datacenter")).isEqualTo("east");
            assertThat(attempt.attribute("photon.outcome")).isEqualTo("joined");
            assertThat(attempt.attribute("photon.trace.reason")).isEqualTo("slow");
            assertThat(attempt.attribute("photon.read_delay_ms")).isEqualTo("3");
            assertThat(attempt.source())
                    .containsEntry("service.name", "photon-joiner")
                    .containsEntry("service.namespace", "ads")
                    .containsEntry("service.instance.id", "joiner-1")
                    .containsEntry("service.version", "1.2.3");

            Span second = spans.get(2).span();
            assertThat(second.getName()).isEqualTo("second");
            assertThat(second.getParentSpanId()).isEqualTo(attempt.span().getSpanId());
            assertThat(second.getStartTimeUnixNano()).isEqualTo((NOW_MICROS - 2_000_000) * 1_000);
            assertThat(second.getEndTimeUnixNano()).isEqualTo((NOW_MICROS - 500_000) * 1_000);

            FakeCollector.Received join = spans.get(3);
            assertThat(join.span().getName()).isEqualTo("join");
            assertThat(join.span().getParentSpanId()).isEqualTo(attempt.span().getSpanId());
            assertThat(join.span().getKind()).isEqualTo(Span.SpanKind.SPAN_KIND_SERVER);
            assertThat(join.attribute("photon.read_delay_ms")).isEmpty();

            assertThat(metric(traces, "photon_tracing_attempts_total{reason=\"slow\"}"))
                    .isEqualTo(3);
            assertThat(metric(traces, "photon_tracing_spans_sent_total")).isEqualTo(9);
            assertThat(metric(traces, "photon_tracing_spans_lost_total")).isZero();
            assertThat(
                            TracesMetrics.of(traces).keySet().stream()
                                    .map(name -> name.replaceFirst("\\{.*", ""))
                                    .distinct())
                    .containsExactlyElementsOf(DocumentedMetrics.names("photon_tracing_"));
        }
    }

    @Test
    void aCollectorThatIsAwayCostsTracesAndNothingElse() throws Exception {
        URI nobody;
        try (ServerSocket free = new ServerSocket(0)) {
            nobody = URI.create("http://127.0.0.1:" + free.getLocalPort() + "/v1/traces");
        }
        Traces traces = Traces.of(Optional.of(config(nobody, 10)), SOURCE, CLOCK);
        slow(traces.tracer("east"), Part.DISPATCH, 0);
        traces.close();
        assertThat(metric(traces, "photon_tracing_spans_sent_total")).isZero();
        assertThat(metric(traces, "photon_tracing_spans_lost_total")).isEqualTo(3);
    }

    @Test
    void whatHasNoRoomIsCounted() throws Exception {
        try (FakeCollector collector = FakeCollector.start()) {
            Traces traces = to(collector.endpoint(), 1_000_000);
            AttemptTracer tracer = traces.tracer("east");
            int attempts = 20_000;
            for (int i = 0; i < attempts; i++) {
                slow(tracer, Part.DISPATCH, 0);
            }
            traces.close();
            double sent = metric(traces, "photon_tracing_spans_sent_total");
            double lost = metric(traces, "photon_tracing_spans_lost_total");
            assertThat(sent + lost).isEqualTo(3.0 * attempts);
            assertThat(collector.spans()).hasSize((int) sent);
        }
    }

    @Test
    void whatIsLeftOutIsCounted() throws Exception {
        try (FakeCollector collector = FakeCollector.start()) {
            Traces traces = to(collector.endpoint(), 1);
            AttemptTracer tracer = traces.tracer("east");
            slow(tracer, Part.DISPATCH, 0);
            slow(tracer, Part.DISPATCH, 0);
            traces.close();
            assertThat(collector.spans()).hasSize(3);
            assertThat(metric(traces, "photon_tracing_attempts_left_out_total")).isEqualTo(1);
        }
    }

    @Test
    void aTrustThatCannotBeReadIsNamed(@TempDir Path directory) throws Exception {
        Path none = directory.resolve("none.pem");
        Path wrong = Files.writeString(directory.resolve("wrong.pem"), "no certificate");
        for (Path file : List.of(none, wrong)) {
            TracingConfig config =
                    new TracingConfig(
                            URI.create("https://127.0.0.1:4318/v1/traces"),
                            0,
                            Duration.ofSeconds(1),
                            1,
                            Optional.of(file));
            assertThatThrownBy(() -> Traces.of(Optional.of(config), SOURCE, CLOCK))
                    .isInstanceOf(ConfigException.class)
                    .hasMessageContaining("tracing");
        }
    }

    @Test
    void withoutAConfigurationNothingIsTraced() throws Exception {
        Traces traces = Traces.of(Optional.empty(), SOURCE, CLOCK);
        assertThat(traces.tracer("east").isOn()).isFalse();
        assertThat(TracesMetrics.of(traces)).isEmpty();
        assertThat(traces).isSameAs(Traces.OFF);
        assertThat(TracedAttempt.Part.JOIN).hasToString("join");
    }
}

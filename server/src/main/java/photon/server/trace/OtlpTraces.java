package photon.server.trace;

import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporter;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporterBuilder;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.export.BatchSpanProcessor;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import io.opentelemetry.sdk.trace.samplers.Sampler;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.logging.Logger;
import photon.core.config.TracingConfig;
import photon.core.error.ConfigException;
import photon.core.error.IoText;
import photon.core.time.IntervalClock;
import photon.core.trace.AttemptTracer;
import photon.core.trace.TraceReason;
import photon.core.trace.TraceRule;
import photon.server.metrics.MetricSource;

/**
 * Sends traces of attempts at events to a collector, in batches, from a thread of its own. A
 * collector that is away costs traces and nothing else. Thread-safe.
 */
public final class OtlpTraces implements Traces {
    /** Spans that wait for the collector; what comes when there are so many is lost. */
    static final int QUEUE_MAX = 4_096;

    private static final Duration SEND_EVERY = Duration.ofSeconds(1);
    private static final Duration SEND_MAX = Duration.ofSeconds(5);
    private static final Duration CLOSE_MAX = Duration.ofSeconds(3);

    /** The library tells by it of each batch that is lost: {@link CountedExporter} does, once. */
    private static final Logger LIBRARY = Logger.getLogger("io.opentelemetry");

    private final TracingConfig config;
    private final SdkTracerProvider provider;
    private final AttemptSpans spans;
    private final List<AttemptTracer> tracers = new CopyOnWriteArrayList<>();
    private final CountedExporter exporter;
    private final Duration closeMax;

    private OtlpTraces(
            TracingConfig config,
            SdkTracerProvider provider,
            AttemptSpans spans,
            CountedExporter exporter,
            Duration closeMax) {
        this.config = config;
        this.closeMax = closeMax;
        this.provider = provider;
        this.spans = spans;
        this.exporter = exporter;
    }

    /**
     * @param clock by which spans are dated
     * @throws ConfigException if the collector's authorities cannot be read
     */
    public static OtlpTraces to(TracingConfig config, Source source, IntervalClock clock) {
        return to(config, source, clock, SEND_MAX, CLOSE_MAX);
    }

    /**
     * @param sendMax for the collector's answer to a batch
     * @param closeMax for all that waits at the end
     */
    static OtlpTraces to(
            TracingConfig config,
            Source source,
            IntervalClock clock,
            Duration sendMax,
            Duration closeMax) {
        LIBRARY.setLevel(Level.OFF);
        GivenIds ids = new GivenIds();
        CountedExporter exporter =
                new CountedExporter(exporter(config, sendMax), config.endpoint());
        SdkTracerProvider provider =
                SdkTracerProvider.builder()
                        .setResource(resource(source))
                        .setSampler(Sampler.alwaysOn())
                        .setIdGenerator(ids)
                        .addSpanProcessor(
                                BatchSpanProcessor.builder(exporter)
                                        .setMaxQueueSize(QUEUE_MAX)
                                        .setScheduleDelay(SEND_EVERY)
                                        .setExporterTimeout(sendMax)
                                        .build())
                        .build();
        AttemptSpans spans =
                new AttemptSpans(
                        provider.tracerBuilder("photon")
                                .setInstrumentationVersion(source.version())
                                .build(),
                        ids,
                        source.pipeline(),
                        clock,
                        exporter::hasRoom);
        return new OtlpTraces(config, provider, spans, exporter, closeMax);
    }

    /**
     * Sends no traces, to see whether the collector would take some.
     *
     * @param patience for its answer
     * @return why it would not; empty: it would
     * @throws ConfigException if the collector's authorities cannot be read
     */
    public static String trouble(TracingConfig config, Duration patience) {
        LIBRARY.setLevel(Level.OFF);
        try (SpanExporter exporter = exporter(config, SEND_MAX)) {
            CompletableResultCode answer = exporter.export(List.of());
            answer.join(patience.toMillis(), TimeUnit.MILLISECONDS);
            if (answer.isSuccess()) {
                return "";
            }
            Throwable failure = answer.getFailureThrowable();
            return failure == null
                    ? "no answer within %d ms".formatted(patience.toMillis())
                    : Objects.requireNonNullElse(failure.getMessage(), failure.toString());
        }
    }

    private static SpanExporter exporter(TracingConfig config, Duration sendMax) {
        URI endpoint = config.endpoint();
        OtlpHttpSpanExporterBuilder builder =
                OtlpHttpSpanExporter.builder()
                        .setEndpoint(endpoint.toString())
                        .setCompression("gzip")
                        .setConnectTimeout(sendMax)
                        .setTimeout(sendMax);
        try {
            config.trust().ifPresent(file -> builder.setTrustedCertificates(read(file)));
            return builder.build();
        } catch (IllegalArgumentException | IllegalStateException e) {
            throw new ConfigException(
                    "tracing: traces cannot be sent to %s%s: %s"
                            .formatted(
                                    endpoint,
                                    config.trust().map(file -> " with " + file).orElse(""),
                                    String.valueOf(e.getMessage())));
        }
    }

    private static byte[] read(Path file) {
        try {
            return Files.readAllBytes(file);
        } catch (IOException e) {
            throw new ConfigException(
                    "tracing.trust is '%s', which cannot be read: %s"
                            .formatted(file, IoText.of(e)));
        }
    }

    private static Resource resource(Source source) {
        return Resource.getDefault()
                .merge(
                        Resource.create(
                                Attributes.builder()
                                        .put("service.name", "photon-" + source.role())
                                        .put("service.namespace", source.pipeline())
                                        .put("service.instance.id", source.instance())
                                        .put("service.version", source.version())
                                        .put(
                                                AttributeKey.stringKey("photon.datacenter"),
                                                source.datacenter())
                                        .build()));
    }

    @Override
    public AttemptTracer tracer(String datacenter) {
        AttemptTracer tracer =
                new AttemptTracer(
                        datacenter,
                        new TraceRule(
                                config.sampleOneIn(), config.slow(), config.alwaysPerSecondMax()),
                        spans::add);
        tracers.add(tracer);
        return tracer;
    }

    @Override
    public MetricSource metrics() {
        return samples -> {
            for (TraceReason reason : TraceReason.values()) {
                samples.counter(
                        "photon_tracing_attempts",
                        "Attempts at events that were traced.",
                        spans.traced(reason),
                        "reason",
                        reason.name().toLowerCase(Locale.ROOT));
            }
            samples.counter(
                            "photon_tracing_attempts_left_out",
                            "Slow, retried or repaired attempts that were not traced, since there were more than tracing.alwaysPerSecondMax.",
                            tracers.stream().mapToLong(AttemptTracer::leftOut).sum())
                    .counter(
                            "photon_tracing_spans_sent",
                            "Spans that the collector has taken.",
                            exporter.sent())
                    .counter(
                            "photon_tracing_spans_lost",
                            "Spans that the collector did not take, or that had no room to wait for it.",
                            exporter.lost());
        };
    }

    /** Sends what waits, for no longer than a few seconds. */
    @Override
    public void close() {
        provider.shutdown().join(closeMax.toMillis(), TimeUnit.MILLISECONDS);
        exporter.ended();
    }
}

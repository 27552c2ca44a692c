package photon.server.metrics;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.jvm.ClassLoaderMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmCompilationMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmInfoMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.FileDescriptorMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.prometheus.metrics.model.registry.MultiCollector;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Everything that a process tells of itself, the Java VM among it. Thread-safe. */
public final class Metrics implements AutoCloseable {
    private final PrometheusMeterRegistry registry =
            new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final JvmGcMetrics gc = new JvmGcMetrics();
    private final List<MetricSource> sources = new CopyOnWriteArrayList<>();
    private final AtomicReference<@Nullable CompletableFuture<String>> underWay =
            new AtomicReference<>();

    public Metrics() {
        MeterRegistry to = registry;
        new JvmInfoMetrics().bindTo(to);
        new JvmMemoryMetrics().bindTo(to);
        gc.bindTo(to);
        new JvmThreadMetrics().bindTo(to);
        new JvmCompilationMetrics().bindTo(to);
        new ClassLoaderMetrics().bindTo(to);
        new ProcessorMetrics().bindTo(to);
        new FileDescriptorMetrics().bindTo(to);
        new UptimeMetrics().bindTo(to);
        MultiCollector own = this::collect;
        registry.getPrometheusRegistry().register(own);
    }

    /** From now on it is asked at each scrape. */
    public void add(MetricSource source) {
        sources.add(source);
    }

    private MetricSnapshots collect() {
        Samples samples = new Samples();
        sources.forEach(source -> source.addTo(samples));
        return samples.snapshots();
    }

    /**
     * As Prometheus' text format has them, version 0.0.4. Computed by the caller, unless a scrape
     * is under way: its result is that of all who ask meanwhile.
     */
    CompletableFuture<String> scrape() {
        CompletableFuture<String> own = new CompletableFuture<>();
        CompletableFuture<String> before = underWay.compareAndExchange(null, own);
        if (before != null) {
            return before;
        }
        return own.completeAsync(registry::scrape, Runnable::run)
                .whenComplete((text, failure) -> underWay.set(null));
    }

    @Override
    public void close() {
        gc.close();
        registry.close();
    }
}

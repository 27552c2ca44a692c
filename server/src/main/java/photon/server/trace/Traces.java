package photon.server.trace;

import java.util.Optional;
import photon.core.config.TracingConfig;
import photon.core.time.IntervalClock;
import photon.core.trace.AttemptTracer;
import photon.server.metrics.MetricSource;

/** Where the parts of a process tell of their attempts at events. Thread-safe. */
public interface Traces extends AutoCloseable {
    /** Nothing is traced. */
    Traces OFF =
            new Traces() {
                @Override
                public AttemptTracer tracer(String datacenter) {
                    return AttemptTracer.OFF;
                }

                @Override
                public MetricSource metrics() {
                    return samples -> {};
                }

                @Override
                public void close() {}
            };

    /**
     * Who sends traces.
     *
     * @param role such as {@code joiner}
     * @param instance its name among those of its role
     * @param version of Photon
     */
    record Source(
            String role, String pipeline, String datacenter, String instance, String version) {}

    /**
     * @param config empty: nothing is traced
     * @param clock by which spans are dated
     * @throws photon.core.error.ConfigException if the collector's authorities cannot be read
     */
    static Traces of(Optional<TracingConfig> config, Source source, IntervalClock clock) {
        return config.<Traces>map(to -> OtlpTraces.to(to, source, clock)).orElse(OFF);
    }

    /**
     * For a part whose attempts one thread tells of.
     *
     * @param datacenter whose they are
     */
    AttemptTracer tracer(String datacenter);

    /** What is traced, sent and lost. */
    MetricSource metrics();

    /** Sends what waits, for no longer than a few seconds. */
    @Override
    void close();
}

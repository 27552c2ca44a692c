package photon.server.roles;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import photon.core.rpc.HostPort;
import photon.server.health.HealthMonitor;
import photon.server.metrics.HealthMetrics;
import photon.server.metrics.MetricSource;
import photon.server.metrics.MetricsEndpoint;

/** A daemon's metrics, where they are wanted. Thread-safe. */
final class DaemonMetricsEndpoint implements AutoCloseable {
    private final @Nullable MetricsEndpoint endpoint;

    private DaemonMetricsEndpoint(@Nullable MetricsEndpoint endpoint) {
        this.endpoint = endpoint;
    }

    /**
     * Before the daemon starts, so that whoever looks sees that it does.
     *
     * @param process what is known before it serves
     * @throws photon.core.error.ConfigException if the address cannot be bound
     */
    static DaemonMetricsEndpoint open(
            Optional<HostPort> listen, HealthMonitor health, List<MetricSource> process) {
        MetricsEndpoint opened =
                listen.map(at -> MetricsEndpoint.open(at, "metrics.listen, or --metrics,", health))
                        .orElse(null);
        if (opened != null) {
            opened.metrics().add(HealthMetrics.of(health));
            process.forEach(opened.metrics()::add);
        }
        return new DaemonMetricsEndpoint(opened);
    }

    Optional<HostPort> address() {
        return Optional.ofNullable(endpoint).map(MetricsEndpoint::address);
    }

    void serving(MetricSource daemon) {
        if (endpoint != null) {
            endpoint.metrics().add(daemon);
        }
    }

    @Override
    public void close() {
        if (endpoint != null) {
            endpoint.close();
        }
    }
}

package photon.server.roles;

import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import photon.core.rpc.HostPort;
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
     * @throws photon.core.error.ConfigException if the address cannot be bound
     */
    static DaemonMetricsEndpoint open(Optional<HostPort> listen) {
        return new DaemonMetricsEndpoint(
                listen.map(at -> MetricsEndpoint.open(at, "metrics.listen, or --metrics,"))
                        .orElse(null));
    }

    Optional<HostPort> address() {
        return Optional.ofNullable(endpoint).map(MetricsEndpoint::address);
    }

    /**
     * @param trouble why it does not serve now; empty: it does
     */
    void serving(MetricSource process, MetricSource daemon, Supplier<Optional<String>> trouble) {
        if (endpoint != null) {
            endpoint.metrics().add(process);
            endpoint.metrics().add(daemon);
            endpoint.serving(trouble);
        }
    }

    void ending() {
        if (endpoint != null) {
            endpoint.ending();
        }
    }

    @Override
    public void close() {
        if (endpoint != null) {
            endpoint.close();
        }
    }
}

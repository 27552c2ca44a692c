package photon.server.trace;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import photon.core.rpc.HostPort;
import photon.server.health.HealthReport;
import photon.server.health.HealthSource;
import photon.server.metrics.MetricsEndpoint;
import photon.server.metrics.Scrape;

/** What Prometheus would read of a process's traces. */
final class TracesMetrics {
    private static final HealthSource HEALTHY =
            new HealthSource() {
                @Override
                public HealthReport live() {
                    return new HealthReport(List.of());
                }

                @Override
                public HealthReport ready() {
                    return new HealthReport(List.of());
                }
            };

    private TracesMetrics() {}

    /** Name and labels to value. */
    static Map<String, Double> of(Traces traces) throws IOException, InterruptedException {
        try (MetricsEndpoint endpoint =
                MetricsEndpoint.open(HostPort.parse("127.0.0.1:0"), "metrics.listen", HEALTHY)) {
            endpoint.metrics().add(traces.metrics());
            Map<String, Double> values = new TreeMap<>(Scrape.of(endpoint.address()).values);
            values.keySet().removeIf(name -> !name.startsWith("photon_"));
            return values;
        }
    }
}

package photon.tools.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import photon.core.rpc.HostPort;
import photon.server.health.HealthReport;
import photon.server.health.HealthSource;
import photon.server.metrics.DocumentedMetrics;
import photon.server.metrics.MetricsEndpoint;
import photon.server.metrics.Scrape;

/**
 * The metrics that a query may name: Photon's own as docs/metrics.md lists them, which tests of
 * {@code server} and {@code cli} hold against scrapes; those of the Java VM as a scrape has them;
 * and the two that Prometheus makes.
 */
final class ExposedMetrics {
    /** What Prometheus adds to each series. */
    private static final Set<String> OF_TARGETS = Set.of("job", "instance", "cluster");

    private static final Map<String, Set<String>> OF_PROMETHEUS =
            Map.of("up", Set.of(), "ALERTS", Set.of("alertname", "alertstate"));

    private final SortedMap<String, Set<String>> own = DocumentedMetrics.labels();
    private final Set<String> ofTheJavaVm;

    /** Nothing is looked at. */
    private static final class NothingToCheck implements HealthSource {
        @Override
        public HealthReport live() {
            return new HealthReport(List.of());
        }

        @Override
        public HealthReport ready() {
            return new HealthReport(List.of());
        }
    }

    ExposedMetrics() throws Exception {
        try (MetricsEndpoint endpoint =
                MetricsEndpoint.open(
                        HostPort.parse("127.0.0.1:0"), "a test", new NothingToCheck())) {
            ofTheJavaVm = new HashSet<>(Scrape.of(endpoint.address()).types.keySet());
        }
        assertThat(own).as("documented metrics").hasSizeGreaterThan(100);
        assertThat(ofTheJavaVm).as("metrics of the Java VM").hasSizeGreaterThan(20);
    }

    void check(String where, String query) {
        PromQuery.metrics(query)
                .forEach(
                        (name, labels) -> {
                            if (!ofTheJavaVm.contains(name)) {
                                Set<String> known = new HashSet<>(OF_TARGETS);
                                known.addAll(labelsOf(where, name));
                                assertThat(known)
                                        .as("labels of %s, in %s", name, where)
                                        .containsAll(labels);
                            }
                        });
    }

    private Set<String> labelsOf(String where, String name) {
        Set<String> ofPrometheus = OF_PROMETHEUS.get(name);
        if (ofPrometheus != null) {
            return ofPrometheus;
        }
        for (String family : PromQuery.families(name)) {
            Set<String> labels = own.get(family);
            if (labels != null) {
                return labels;
            }
        }
        throw new AssertionError(
                "%s asks for %s, which no daemon reports (docs/metrics.md)".formatted(where, name));
    }
}

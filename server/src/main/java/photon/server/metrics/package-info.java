/**
 * What a daemon tells monitoring systems: {@code /metrics} in Prometheus' text format, and whether
 * it is well, which {@code photon.server.health} knows. Parts count with plain counters and know
 * nothing of this; {@link photon.server.metrics.MetricSource}s read their status at each scrape.
 * Start at {@link photon.server.metrics.Metrics}. Names and meanings are in docs/metrics.md.
 */
@NullMarked
package photon.server.metrics;

import org.jspecify.annotations.NullMarked;

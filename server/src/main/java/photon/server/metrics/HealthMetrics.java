package photon.server.metrics;

import java.util.OptionalLong;
import java.util.function.LongSupplier;
import photon.core.loop.LoopProbe;
import photon.joiner.JoinerHealth;
import photon.server.health.CheckResult;
import photon.server.health.HealthMonitor;
import photon.server.health.HealthMonitor.PeerSilence;
import photon.server.health.HealthReport;

/** Tells whether a process is ready, and what keeps it from that. */
public final class HealthMetrics {
    private static final double NANOS_PER_SECOND = 1e9;

    private HealthMetrics() {}

    public static MetricSource of(HealthMonitor monitor) {
        return samples -> {
            HealthReport ready = monitor.ready();
            samples.gauge("photon_ready", "1 if /readyz says so.", ready.passes() ? 1 : 0);
            for (CheckResult check : ready.results()) {
                samples.gauge(
                        "photon_check_failed_seconds",
                        "For how long a check of /readyz has failed; 0: it passes.",
                        seconds(check.failing().toNanos()),
                        "check",
                        check.name());
            }
            for (PeerSilence peer : monitor.peers()) {
                samples.gauge(
                        "photon_peer_unreachable_seconds",
                        "For how long a peer has not answered, or could not do its work; 0: it does.",
                        seconds(peer.silent().toNanos()),
                        "peer",
                        peer.peer(),
                        "address",
                        peer.address());
            }
        };
    }

    /**
     * @param nanoTime the joiner's clock
     */
    public static MetricSource joiner(LoopProbe<JoinerHealth> probe, LongSupplier nanoTime) {
        return samples -> {
            JoinerHealth health = probe.last();
            OptionalLong oldest =
                    health == null ? OptionalLong.empty() : health.oldestCommitNanos();
            samples.gauge(
                    "photon_joiner_oldest_unanswered_commit_seconds",
                    "Age of the oldest commit that the registry has not answered; 0: none waits.",
                    oldest.isEmpty() ? 0 : seconds(nanoTime.getAsLong() - oldest.getAsLong()));
        };
    }

    private static double seconds(long nanos) {
        return nanos / NANOS_PER_SECOND;
    }
}

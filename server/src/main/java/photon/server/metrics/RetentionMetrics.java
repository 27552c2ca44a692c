package photon.server.metrics;

import java.util.function.Supplier;
import photon.verifier.retention.RetentionStatus;

/** What a verifier tells of retention. */
public final class RetentionMetrics {
    private RetentionMetrics() {}

    public static MetricSource of(Supplier<RetentionStatus> status) {
        return samples -> {
            RetentionStatus now = status.get();
            samples.gauge(
                            "photon_retention_retired_incarnations",
                            "Incarnations of this datacenter that were retired, ever.",
                            now.retired())
                    .gauge(
                            "photon_retention_retired_manifests",
                            "Manifests that these had.",
                            now.retiredManifests())
                    .gauge(
                            "photon_retention_retired_events",
                            "Events that these manifests named.",
                            now.retiredEvents())
                    .counter(
                            "photon_retention_removed_manifests",
                            "Manifests removed.",
                            now.removedManifests())
                    .counter(
                            "photon_retention_removed_folders",
                            "Work directories and tombstones removed.",
                            now.removedNames())
                    .counter(
                            "photon_retention_passes",
                            "Passes that came to their end.",
                            now.passes())
                    .counter(
                            "photon_retention_failed_passes",
                            "Passes that did not: the registry or a file did not answer.",
                            now.failedPasses());
            for (String reason : RetentionStatus.REASONS) {
                samples.gauge(
                        "photon_retention_waiting",
                        "Settled incarnations that wait to be retired, by why.",
                        now.waiting().getOrDefault(reason, 0L),
                        "reason",
                        reason);
            }
            DaemonMetrics.ledger("photon_retention_", samples, now.ledger());
        };
    }
}

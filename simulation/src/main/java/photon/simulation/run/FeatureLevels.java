package photon.simulation.run;

import java.time.Duration;
import java.util.List;
import photon.core.config.PipelineConfig;
import photon.idregistry.replicated.FeatureLevel;
import photon.simulation.kernel.Timeline;
import photon.simulation.parts.RegistryHost;
import photon.simulation.raft.SimulatedCluster;

/** Has the servers of a world tell what they understand, where something in it needs that. */
record FeatureLevels(Timeline timeline, SimulatedCluster cluster, List<RegistryHost> servers) {
    private static final Duration LOOKS = Duration.ofSeconds(5);

    /** Again and again, until the registry stands at that level or above. */
    void tellUpTo(int level) {
        if (cluster.committedControl().featureLevel() < level) {
            servers.forEach(RegistryHost::tellFeatureLevels);
            timeline.after(LOOKS, () -> tellUpTo(level));
        }
    }

    /** What its joiners need. */
    void tellFor(WorldSettings settings) {
        if (settings.unmatched().map(PipelineConfig.Unmatched::upgrade).orElse(false)) {
            tellUpTo(FeatureLevel.UNMATCHED_KIND);
        }
    }
}

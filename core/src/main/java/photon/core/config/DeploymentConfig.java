package photon.core.config;

import java.util.List;
import photon.core.rpc.HostPort;

/**
 * Where the parts of one datacenter run, for {@code photon run}.
 *
 * @param datacenter this datacenter
 * @param state directory of this datacenter's state
 * @param output directory of the published output; this datacenter's files stand in a folder of its
 *     name
 * @param registry all replicas of the IdRegistry, in all datacenters, in the same order everywhere
 */
public record DeploymentConfig(
        String datacenter,
        String state,
        String output,
        List<RegistryReplica> registry,
        HostPort eventStore,
        HostPort dispatcher,
        HostPort joiner) {

    public DeploymentConfig {
        registry = List.copyOf(registry);
    }

    /**
     * One replica.
     *
     * @param raft where replicas speak to each other
     * @param service where clients speak to it
     */
    public record RegistryReplica(
            String name, String datacenter, HostPort raft, HostPort service) {}
}

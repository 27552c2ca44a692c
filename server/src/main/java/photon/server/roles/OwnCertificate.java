package photon.server.roles;

import photon.core.config.DeploymentConfig;
import photon.core.error.ConfigException;
import photon.core.rpc.RpcSecurity;
import photon.core.security.PeerIdentity;
import photon.core.security.Role;

/** Whether a daemon's certificate is for the daemon that it is to be. */
final class OwnCertificate {
    private OwnCertificate() {}

    /**
     * Otherwise every peer would refuse it, each in its own log.
     *
     * @param name the registry replica's; of other roles it does not matter
     * @throws ConfigException if it is for somebody else
     */
    static void check(
            RpcSecurity security, DaemonRun.Role role, String name, DeploymentConfig deployment) {
        security.files()
                .ifPresent(
                        files ->
                                check(
                                        files.identity(),
                                        role == DaemonRun.Role.REGISTRY
                                                ? datacenterOf(name, deployment)
                                                : deployment.datacenter()));
    }

    private static String datacenterOf(String replica, DeploymentConfig deployment) {
        return deployment.registry().stream()
                .filter(known -> known.name().equals(replica))
                .findFirst()
                .orElseThrow()
                .datacenter();
    }

    private static void check(PeerIdentity own, String datacenter) {
        if (own.role() != Role.DAEMON || !own.datacenter().equals(datacenter)) {
            throw new ConfigException(
                    "security.certificate is of %s: expected one of a daemon of datacenter %s, where this process is, such as photon://%s/daemon/NAME"
                            .formatted(own, datacenter, datacenter));
        }
    }
}

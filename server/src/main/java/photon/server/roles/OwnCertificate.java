package photon.server.roles;

import photon.core.config.DeploymentConfig;
import photon.core.error.ConfigException;
import photon.core.rpc.RpcSecurity;
import photon.core.security.PeerIdentity;
import photon.core.security.Role;

/** Whether a daemon's certificate is for the daemon that it is to be. */
public final class OwnCertificate {
    private OwnCertificate() {}

    /**
     * Otherwise every peer would refuse it, each in its own log.
     *
     * @throws ConfigException if it is for somebody else
     */
    public static void check(
            RpcSecurity security, DaemonInstance daemon, DeploymentConfig deployment) {
        security.files().ifPresent(files -> check(files.identity(), daemon.datacenter(deployment)));
    }

    private static void check(PeerIdentity own, String datacenter) {
        if (own.role() != Role.DAEMON || !own.datacenter().equals(datacenter)) {
            throw new ConfigException(
                    "security.certificate is of %s: expected one of a daemon of datacenter %s, where this process is, such as photon://%s/daemon/NAME"
                            .formatted(own, datacenter, datacenter));
        }
    }
}

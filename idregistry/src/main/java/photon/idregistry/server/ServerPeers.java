package photon.idregistry.server;

import java.util.List;
import java.util.random.RandomGenerator;
import photon.core.rpc.HostPort;
import photon.idregistry.client.RegistryTransport;

/**
 * The registry as one of its servers reaches it: the way that clients do.
 *
 * @param servers service addresses, this server's first
 * @param transport to any of them; closed when the service stops
 * @param random for the jitter of pauses
 */
public record ServerPeers(
        List<HostPort> servers, RegistryTransport transport, RandomGenerator random) {
    public ServerPeers {
        servers = List.copyOf(servers);
    }

    /** As this server calls itself where it has something decided. */
    String actor() {
        return "registry " + servers.get(0);
    }

    List<String> addresses() {
        return servers.stream().map(HostPort::toString).toList();
    }
}

package photon.idregistry.server.groups;

import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import photon.core.rpc.HostPort;
import photon.proto.v1.Roster;
import photon.registry.client.RegistryTransport;

/**
 * The registry as one of its servers reaches it: the way that clients do.
 *
 * @param servers service addresses, this server's first
 * @param byName the same, by the servers' names; none where the members are always all of them
 * @param transport to any of them; closed when the service stops
 * @param random for the jitter of pauses
 */
public record ServerPeers(
        List<HostPort> servers,
        Map<String, HostPort> byName,
        RegistryTransport transport,
        RandomGenerator random) {
    public ServerPeers {
        servers = List.copyOf(servers);
        byName = Map.copyOf(byName);
    }

    /** All are members. */
    public ServerPeers(
            List<HostPort> servers, RegistryTransport transport, RandomGenerator random) {
        this(servers, Map.of(), transport, random);
    }

    /** As this server calls itself where it has something decided. */
    public String actor() {
        return "registry " + servers.get(0);
    }

    /**
     * Of the members, for a majority of them: their addresses, and the name of one whose address is
     * not known, which counts too.
     */
    public List<String> counted(Roster roster) {
        return byName.isEmpty() || roster.getVersion() == 0
                ? addresses()
                : roster.getServersList().stream().map(this::addressOf).toList();
    }

    private String addressOf(String name) {
        HostPort address = byName.get(name);
        return address == null ? name : address.toString();
    }

    public List<String> addresses() {
        return servers.stream().map(HostPort::toString).toList();
    }
}

package photon.idregistry.server.config;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import photon.core.error.ConfigException;
import photon.core.rpc.HostPort;
import photon.idregistry.batch.BatchLimits;
import photon.idregistry.leaders.Placement;
import photon.idregistry.leaders.PreferredLeaderBalancer;
import photon.idregistry.raft.RaftMember;
import photon.idregistry.raft.RaftTuning;

/**
 * Settings of one registry server.
 *
 * @param name this server's, one of {@code peers}
 * @param peers all servers whose addresses it knows: at the very first start these are the members;
 *     in an order that is the same in each one's settings: it says which leads which shard when all
 *     are up
 * @param data a directory of this server's own
 * @param tuning what depends on the network between the servers
 * @param maxSkew how far an id's timestamp may be ahead of the clock's latest: bounds how long a
 *     producer with a wrong clock can delay others
 * @param limits of the batching of each shard
 * @param reconcileEvery how often the control group's decisions are looked at
 * @param memoryBytes how much of the heap ids may take, about, before the oldest are put into
 *     files; while these are written it may be half as much again
 * @param leaderBalancing how calmly leadership returns to preferred leaders
 */
public record RegistryServerConfig(
        String name,
        List<Peer> peers,
        Path data,
        RaftTuning tuning,
        Duration maxSkew,
        BatchLimits limits,
        Duration reconcileEvery,
        long memoryBytes,
        PreferredLeaderBalancer.Pace leaderBalancing) {

    private static final Duration DEFAULT_RECONCILE_EVERY = Duration.ofMillis(100);

    /** The key of {@link #memoryBytes} in a configuration file. */
    public static final String MEMORY_KEY = "deployment.registryMemoryBytes";

    /** More would make an entry larger than the log takes. */
    private static final int IDS_PER_ENTRY_MAX = 16_384;

    /**
     * One of the servers.
     *
     * @param raft where the others reach its Raft port
     * @param raftListen where it listens for them: another address than {@code raft} behind a proxy
     *     or a translation of addresses
     * @param service where clients reach it
     * @param leaderWeight how much of the leadership it gets, compared with the others; from 0,
     *     where it leads only what no other can, to {@link Placement#WEIGHT_MAX}
     */
    public record Peer(
            String name, HostPort raft, HostPort raftListen, HostPort service, int leaderWeight) {
        /** One that listens where the others reach it, and leads as much as any other. */
        public Peer(String name, HostPort raft, HostPort service) {
            this(name, raft, raft, service);
        }

        /** One that leads as much as any other. */
        public Peer(String name, HostPort raft, HostPort raftListen, HostPort service) {
            this(name, raft, raftListen, service, Placement.WEIGHT_DEFAULT);
        }
    }

    public RegistryServerConfig {
        peers = List.copyOf(peers);
        List<String> problems = new ArrayList<>();
        Set<String> names = new HashSet<>();
        Set<HostPort> addresses = new HashSet<>();
        for (Peer peer : peers) {
            if (peer.name().isEmpty() || !names.add(peer.name())) {
                problems.add(
                        "Expected registry.peers with a name each, none twice, but got '"
                                + peer.name()
                                + "'");
            }
            for (HostPort address : List.of(peer.raft(), peer.service())) {
                if (address.port() == 0 || !addresses.add(address)) {
                    problems.add(
                            "Expected registry.peers with two ports each, none twice, but got "
                                    + address
                                    + " for "
                                    + peer.name());
                }
            }
        }
        if (!names.contains(name)) {
            problems.add(
                    "Expected registry.name as one of registry.peers "
                            + names
                            + ", but got '"
                            + name
                            + "'");
        }
        if (maxSkew.isNegative()) {
            problems.add("Expected registry.max-skew from 0 on, but got " + maxSkew);
        }
        if (limits.idsPerEntryMax() > IDS_PER_ENTRY_MAX) {
            problems.add(
                    "Expected registry.ids-per-entry-max of at most "
                            + IDS_PER_ENTRY_MAX
                            + ", but got "
                            + limits.idsPerEntryMax());
        }
        if (reconcileEvery.toMillis() < 1) {
            problems.add(
                    "Expected registry.reconcile-every of at least 1 ms, but got "
                            + reconcileEvery);
        }
        if (memoryBytes < 1) {
            problems.add("Expected " + MEMORY_KEY + " above 0, but got " + memoryBytes);
        }
        if (!problems.isEmpty()) {
            throw new ConfigException(problems);
        }
    }

    /** With defaults for a local network, and for a process that does other work beside it. */
    public static RegistryServerConfig of(String name, List<Peer> peers, Path data) {
        return new RegistryServerConfig(
                name,
                peers,
                data,
                RaftTuning.LAN,
                BatchLimits.DEFAULT_MAX_SKEW,
                BatchLimits.DEFAULTS,
                DEFAULT_RECONCILE_EVERY,
                memoryOfSharedProcess(Runtime.getRuntime().maxMemory()),
                PreferredLeaderBalancer.Pace.DEFAULT);
    }

    /**
     * Where a server is one of several parts in a process, as the three of {@code photon local}.
     *
     * @param heapBytes the process's
     */
    public static long memoryOfSharedProcess(long heapBytes) {
        return heapBytes / 8;
    }

    /**
     * Where a process is a server and nothing else. Ids come to 3/8 of the heap while a file is
     * being written, and as much again while a snapshot is, if every page of them changes
     * meanwhile; the rest is for the logs' caches and what is on its way.
     *
     * @param heapBytes the process's
     */
    public static long memoryOfOwnProcess(long heapBytes) {
        return heapBytes / 4;
    }

    /** The same with other memory for ids. */
    public RegistryServerConfig withMemory(long bytes) {
        return new RegistryServerConfig(
                name, peers, data, tuning, maxSkew, limits, reconcileEvery, bytes, leaderBalancing);
    }

    /** The same with another tuning. */
    public RegistryServerConfig with(RaftTuning other) {
        return new RegistryServerConfig(
                name,
                peers,
                data,
                other,
                maxSkew,
                limits,
                reconcileEvery,
                memoryBytes,
                leaderBalancing);
    }

    /** The same, but balances leadership at another pace. */
    public RegistryServerConfig with(PreferredLeaderBalancer.Pace other) {
        return new RegistryServerConfig(
                name, peers, data, tuning, maxSkew, limits, reconcileEvery, memoryBytes, other);
    }

    /** This server. */
    public Peer self() {
        return peers.stream().filter(peer -> peer.name().equals(name)).findFirst().orElseThrow();
    }

    /** All but this server. */
    public List<Peer> others() {
        return peers.stream().filter(peer -> !peer.name().equals(name)).toList();
    }

    /** Of all servers. */
    public List<String> names() {
        return peers.stream().map(Peer::name).toList();
    }

    /** Service addresses, this server's first. */
    public List<HostPort> servers() {
        List<HostPort> all = new ArrayList<>();
        all.add(self().service());
        others().forEach(peer -> all.add(peer.service()));
        return all;
    }

    /** Service addresses, by server. */
    public Map<String, HostPort> servicesByName() {
        return peers.stream().collect(Collectors.toMap(Peer::name, Peer::service));
    }

    /** The members of every group, at the very first start. */
    public List<RaftMember> members() {
        return peers.stream().map(peer -> new RaftMember(peer.name(), peer.raft())).toList();
    }

    /**
     * Which server should lead which group.
     *
     * @param members the servers that are members; none: it is not known yet, and all are
     */
    public Placement placement(Collection<String> members) {
        List<Peer> placed = peers.stream().filter(peer -> members.contains(peer.name())).toList();
        return new Placement(
                (placed.isEmpty() ? peers : placed)
                        .stream()
                                .map(peer -> new Placement.Server(peer.name(), peer.leaderWeight()))
                                .toList());
    }
}

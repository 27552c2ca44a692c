package photon.core.config;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import photon.core.rpc.HostPort;
import photon.core.share.EventStoreShares;

/**
 * Where the parts of one datacenter run, for {@code photon run}.
 *
 * @param datacenter this datacenter
 * @param state directory of what this machine alone uses: Raft, log index, locks
 * @param shared directory of what the datacenter's daemons share on whichever machine they run, or
 *     its URI: checkpoints, journal, ledgers, records of repairs; {@code state} if none is given
 * @param partitions number of parts into which the foreign logs are divided: at most this many
 *     dispatchers share the work; read when the datacenter's state is made
 * @param output directory of the published output, or its URI; this datacenter's files stand in a
 *     folder of its name
 * @param registry all replicas of the IdRegistry, in all datacenters, in the same order everywhere
 * @param eventStores of this datacenter; at least one, each name once
 * @param eventStoreCopies how many of them keep each primary event
 * @param joiners of this datacenter; at least one, each name once
 * @param registryNetwork what lies between the replicas of the IdRegistry
 * @param registryMemoryBytes of its heap, what each replica keeps recent ids in; empty: a part of
 *     its heap
 * @param clock how well the clock of a registry replica's machine is known
 */
public record DeploymentConfig(
        String datacenter,
        String state,
        String shared,
        int partitions,
        String output,
        List<RegistryReplica> registry,
        List<EventStore> eventStores,
        int eventStoreCopies,
        HostPort dispatcher,
        List<Joiner> joiners,
        Network registryNetwork,
        OptionalLong registryMemoryBytes,
        Clock clock) {

    /** The event store that is meant where none is named, and the name of one that is alone. */
    public static final String EVENT_STORE_DEFAULT = "eventstore-0";

    /** Where there are several event stores. */
    public static final int EVENT_STORE_COPIES_DEFAULT = 2;

    /** The joiner that is meant where none is named. */
    public static final String JOINER_DEFAULT = "joiner-0";

    /** Where the state is shared. */
    public static final int PARTITIONS_DEFAULT = 8;

    public static final int PARTITIONS_MAX = 256;

    public static final int LEADER_WEIGHT_DEFAULT = 1;
    public static final int LEADER_WEIGHT_MAX = 100;

    public DeploymentConfig {
        registry = List.copyOf(registry);
        eventStores = List.copyOf(eventStores);
        joiners = List.copyOf(joiners);
    }

    /** Which of the event stores keeps what, each by its place in {@link #eventStores}. */
    public EventStoreShares eventStoreShares() {
        return new EventStoreShares(
                eventStores.stream().map(EventStore::name).toList(), eventStoreCopies);
    }

    /** Where the event stores listen. */
    public List<HostPort> eventStoreAddresses() {
        return eventStores.stream().map(EventStore::address).toList();
    }

    /** Whether daemons on several machines may work with the datacenter's state. */
    public boolean sharesState() {
        return !shared.equals(state);
    }

    /** In which datacenter the server at an address is. */
    public Map<HostPort, String> datacentersByAddress() {
        Map<HostPort, String> known = new HashMap<>();
        registry.forEach(replica -> known.put(replica.service(), replica.datacenter()));
        eventStores.forEach(store -> known.put(store.address(), datacenter));
        known.put(dispatcher, datacenter);
        joiners.forEach(joiner -> known.put(joiner.address(), datacenter));
        return known;
    }

    /**
     * Where the bound of the clock's error comes from.
     *
     * @param bound a person vouches for it; empty: chronyd measures it
     * @param chronyc the program that asks chronyd
     */
    public record Clock(Optional<Duration> bound, String chronyc) {
        /** chronyd measures it, asked by the {@code chronyc} that is found. */
        public static final Clock CHRONY = new Clock(Optional.empty(), "chronyc");
    }

    /** How far processes are from one another. */
    public enum Network {
        /** Round trips of a few milliseconds at most. */
        LAN,
        /** Round trips of up to some 300 ms. */
        WAN
    }

    /**
     * One event store.
     *
     * @param name the same in all its lives: it decides which primary events the store keeps
     */
    public record EventStore(String name, HostPort address) {}

    /**
     * One joiner.
     *
     * @param name its slot within the datacenter, such as {@code joiner-0}: stable, one process
     */
    public record Joiner(String name, HostPort address) {}

    /**
     * One replica.
     *
     * @param raft where the other replicas reach it
     * @param raftListen where it listens for them: another address than {@code raft} behind a proxy
     *     or a translation of addresses
     * @param service where clients speak to it
     * @param leaderWeight how much of the leadership it gets, compared with the others; from 0,
     *     where it leads only what no other can, to {@link #LEADER_WEIGHT_MAX}
     */
    public record RegistryReplica(
            String name,
            String datacenter,
            HostPort raft,
            HostPort raftListen,
            HostPort service,
            int leaderWeight) {}
}

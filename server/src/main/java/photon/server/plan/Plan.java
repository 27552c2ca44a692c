package photon.server.plan;

import java.util.ArrayList;
import java.util.List;
import photon.core.config.DeploymentConfig;
import photon.core.share.EventStoreShares;

/**
 * What a deployment needs.
 *
 * @param registry each server, on a machine of its own
 * @param registryServers in all
 * @param thirdPlace whether one of them is in a place without a datacenter, so that the loss of any
 *     place takes a minority
 * @param datacenter each datacenter, all its daemons together
 * @param network between the places
 * @param commitMillis from a joiner's commit to its answer, half of the time
 * @param eventsInFlightMax what {@code limits.eventsInFlightMax} has to be at least
 * @param notes what a person has to know before using the figures
 */
public record Plan(
        PlanRequest request,
        Server registry,
        int registryServers,
        boolean thirdPlace,
        int shards,
        Datacenter datacenter,
        Network network,
        double commitMillis,
        long eventsInFlightMax,
        List<String> notes) {
    private static final int SHARDS_MIN = 2;
    private static final int SERVER_CORES_MIN = 2;
    private static final double MICROS = 1e6;

    /** A larger heap for an index is nothing that anybody has tried. */
    private static final double HEAP_MAX = 64.0 * (1L << 30);

    private static final int COPIES = DeploymentConfig.EVENT_STORE_COPIES_DEFAULT;

    /** At or above this the servers need the settings of a wide network. */
    private static final double LAN_MILLIS_MAX = 5;

    /**
     * A registry server.
     *
     * @param idsHeld of which each server holds all
     */
    public record Server(int cores, double heapBytes, double diskBytes, double idsHeld) {}

    /**
     * A datacenter, which must be able to join everything alone.
     *
     * @param cores for all daemons, at three times what the rate needs
     * @param eventStores as many as it takes that none needs more heap than anybody has tried; if
     *     several, each is on a machine of its own
     * @param storeHeapBytes of each event store
     * @param heapBytes of all daemons
     * @param storeDiskBytes of each event store's index
     * @param outputBytesPerDay that it publishes, while all datacenters are up
     */
    public record Datacenter(
            int machines,
            double cores,
            int eventStores,
            double storeHeapBytes,
            double heapBytes,
            double storeDiskBytes,
            double outputBytesPerDay) {}

    /**
     * Bits per second at the peak.
     *
     * @param logsIntoEach datacenter, if each of them writes an equal part of the logs
     * @param commitsOutOfLeader from where the leaders are to the other places
     * @param commitsIntoLeader from the joiners elsewhere
     */
    public record Network(
            double logsIntoEach, double commitsOutOfLeader, double commitsIntoLeader) {}

    public Plan {
        notes = List.copyOf(notes);
    }

    public static Plan of(PlanRequest request) {
        double foreign = request.foreignPerSecond();
        int servers = request.datacenters() <= 3 ? 3 : 5;
        int shards = (int) Math.max(SHARDS_MIN, Math.ceil(foreign / Figure.SHARD_IDS.value()));
        // From a joiner to a leader elsewhere, and from there to a majority.
        double commitMillis =
                request.roundTrip().toNanos() / 1e6 * (1 + Figure.COMMIT_ROUND_TRIPS.value());
        Server registry = registry(request, foreign, shards);
        Datacenter datacenter = datacenter(request, foreign);
        Plan plan =
                new Plan(
                        request,
                        registry,
                        servers,
                        servers > request.datacenters(),
                        shards,
                        datacenter,
                        network(request, foreign, servers),
                        commitMillis,
                        (long) Math.ceil(foreign * commitMillis / 1e3),
                        List.of());
        return plan.withNotes();
    }

    private static Server registry(PlanRequest request, double foreign, int shards) {
        double ids = foreign * request.retentionSeconds();
        double cores =
                foreign * Figure.REGISTRY_MICROS.value() / MICROS * Figure.PEAK_FACTOR.value();
        return new Server(
                (int) Math.max(SERVER_CORES_MIN, Math.ceil(cores)),
                Figure.DAEMON_HEAP_BYTES.value() + ids * Figure.REGISTRY_HEAP_BYTES.value(),
                ids * Figure.REGISTRY_DISK_BYTES.value() * Figure.REGISTRY_DISK_FACTOR.value()
                        + shards * Figure.REGISTRY_LOG_BYTES.value(),
                ids);
    }

    private static Datacenter datacenter(PlanRequest request, double foreign) {
        double held =
                request.primaryPerSecond()
                        * request.retentionSeconds()
                        * Figure.STORE_RETENTIONS.value();
        int stores = stores(held);
        // Of several, each keeps a share; of one, all.
        double kept = stores == 1 ? held : held * COPIES / stores;
        double micros =
                request.eventsPerSecond() * Figure.READ_MICROS.value()
                        + (stores - 1) * storeMicros(request)
                        + foreign * Figure.JOIN_MICROS.value();
        double cores = micros / MICROS * Figure.PEAK_FACTOR.value();
        double storeHeap = storeHeap(kept);
        int machines =
                (int)
                        Math.max(
                                stores, // at least 1; a machine that dies takes one of them
                                Math.ceil(cores / request.machineCores()));
        // Beside the event stores: a dispatcher and a verifier, and a joiner per machine.
        double heap = stores * storeHeap + (2 + machines) * Figure.DAEMON_HEAP_BYTES.value();
        double disk =
                kept
                        * (Figure.STORE_DISK_BYTES.value()
                                + request.eventBytes() * Figure.STORE_COMPRESSION.value());
        double output =
                foreign
                        / request.datacenters()
                        * (2 * request.eventBytes() + Figure.OUTPUT_BYTES.value())
                        * 86_400;
        return new Datacenter(machines, cores, stores, storeHeap, heap, disk, output);
    }

    /**
     * One alone, or enough that the share of each fits.
     *
     * @param held primary events
     */
    private static int stores(double held) {
        if (storeHeap(held) <= HEAP_MAX) {
            return 1;
        }
        double fits = HEAP_MAX - Figure.DAEMON_HEAP_BYTES.value();
        return (int) Math.ceil(held * COPIES * Figure.STORE_HEAP_BYTES.value() / fits);
    }

    private static double storeHeap(double kept) {
        return Figure.DAEMON_HEAP_BYTES.value() + kept * Figure.STORE_HEAP_BYTES.value();
    }

    /** Each event store reads all primary logs. */
    private static double storeMicros(PlanRequest request) {
        return request.primaryPerSecond() * Figure.READ_MICROS.value();
    }

    private static Network network(PlanRequest request, double foreign, int servers) {
        int places = request.datacenters();
        double elsewhere = (double) (places - 1) / places;
        double commits = foreign * Figure.COMMIT_BYTES.value() * 8;
        return new Network(
                request.eventsPerSecond() * request.eventBytes() * 8.0 * elsewhere,
                commits * (servers - 1),
                commits * elsewhere);
    }

    private Plan withNotes() {
        List<String> found = new ArrayList<>();
        if (request.eventsPerSecond() > Figure.MEASURED_EVENTS.value()) {
            found.add(
                    "%,d events/s is beyond what was measured, %,.0f in one process: measure before you buy"
                            .formatted(request.eventsPerSecond(), Figure.MEASURED_EVENTS.value()));
        }
        noteEventStores(found);
        if (registry.heapBytes() > HEAP_MAX) {
            found.add(
                    "a registry server's heap is above 64 GiB, which nobody has tried: a shorter retention");
        }
        if (eventsInFlightMax > Figure.EVENTS_IN_FLIGHT.value()) {
            found.add(
                    "limits.eventsInFlightMax must be %,d at least: that is how many events are under way while their commits travel"
                            .formatted(eventsInFlightMax));
        }
        if (request.roundTrip().toMillis() >= LAN_MILLIS_MAX) {
            found.add("deployment.registryNetwork: wan");
        }
        if (thirdPlace) {
            found.add(
                    "%d of the registry's servers stand in further places, so that the loss of any place takes only a minority"
                            .formatted(registryServers - request.datacenters()));
        }
        return new Plan(
                request,
                registry,
                registryServers,
                thirdPlace,
                shards,
                datacenter,
                network,
                commitMillis,
                eventsInFlightMax,
                found);
    }

    private void noteEventStores(List<String> found) {
        int stores = datacenter.eventStores();
        if (stores > EventStoreShares.STORES_MAX) {
            found.add(
                    "%,d event stores are more than a datacenter can have, %d: a shorter retention, or fewer primary events by 'where'"
                            .formatted(stores, EventStoreShares.STORES_MAX));
        } else if (stores > 1) {
            found.add(
                    "deployment.eventStores lists %d in each datacenter, each on a machine of its own: each keeps %d/%d of the primary events and reads all primary logs, which was not measured"
                            .formatted(stores, COPIES, stores));
        }
        double cores = storeMicros(request) / MICROS * Figure.PEAK_FACTOR.value();
        if (cores > request.machineCores()) {
            found.add(
                    "reading all primary logs takes each event store %.1f cores for catching up, and its machine has %d: more event stores do not share that"
                            .formatted(cores, request.machineCores()));
        }
    }

    /** Of the registry and of all datacenters. */
    public int machines() {
        return registryServers + request.datacenters() * datacenter.machines();
    }
}

package photon.dispatcher.lease;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import photon.storage.document.DocumentFolder;
import photon.storage.files.FileStore;
import photon.storage.lease.Lease;
import photon.storage.lease.LeaseDocument;
import photon.storage.lease.NodeList;
import photon.storage.state.StateHome;
import photon.storage.state.StatePartitions;

/** Which dispatcher works on which partition of a datacenter's state, as the leases say. */
public final class PartitionOwners {
    private PartitionOwners() {}

    /**
     * Who works on a partition.
     *
     * @param address where that dispatcher takes requests; empty: nobody does
     * @param number of the lease; 0: nobody has ever taken it
     */
    public record Owner(int partition, String address, long number) {}

    /**
     * One for each partition, in order; empty where there is no state. One that has died is named
     * as long as nobody has taken over.
     *
     * @param home of the dispatcher's states: a {@link StateHome}
     */
    public static List<Owner> read(FileStore files, String home) throws IOException {
        List<Owner> owners = new ArrayList<>();
        StateHome states = new StateHome(files, home);
        Optional<UUID> identity = states.identity();
        if (identity.isEmpty()) {
            return owners;
        }
        StatePartitions state = StatePartitions.read(files, states.path(identity.get()));
        Map<String, NodeList.Entry> nodes = new NodeList(files, state.nodes()).look();
        DocumentFolder leases = new DocumentFolder(files, state.leases());
        for (int partition = 0; partition < state.count(); partition++) {
            Optional<Lease> lease =
                    new LeaseDocument(leases, StatePartitions.leaseName(partition)).read().lease();
            NodeList.Entry holder =
                    lease.filter(l -> !l.released()).map(l -> nodes.get(l.holder())).orElse(null);
            owners.add(
                    new Owner(
                            partition,
                            holder == null ? "" : holder.node().address(),
                            lease.map(Lease::number).orElse(0L)));
        }
        return owners;
    }
}

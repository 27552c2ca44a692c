package photon.simulation.run;

import java.util.List;
import java.util.Optional;
import photon.simulation.checks.Checkers;
import photon.simulation.parts.RegistryHost;
import photon.simulation.parts.SimulatedDatacenter;
import photon.simulation.parts.Surroundings;
import photon.simulation.raft.SimulatedCluster;

/** What an operator does in some worlds while all else goes on, as the documentation says. */
final class PlannedWork {
    private final Optional<DatacenterRetirement> retirement;
    private final Optional<StoreListChange> storeListChange;

    PlannedWork(
            Additions additions,
            Surroundings surroundings,
            SimulatedCluster cluster,
            List<RegistryHost> servers,
            List<SimulatedDatacenter> datacenters) {
        retirement =
                DatacenterRetirement.of(additions, surroundings, cluster, servers, datacenters);
        storeListChange =
                additions
                        .storesChange()
                        .map(
                                random ->
                                        new StoreListChange(
                                                surroundings.timeline(), datacenters, random));
    }

    /** From the time on at which the input begins. */
    void begin() {
        retirement.ifPresent(DatacenterRetirement::begin);
        storeListChange.ifPresent(StoreListChange::begin);
    }

    /** Nothing goes wrong any more. */
    void calm() {
        retirement.ifPresent(DatacenterRetirement::calm);
        storeListChange.ifPresent(StoreListChange::calm);
    }

    void tell(Checkers checkers) {
        retirement.ifPresent(planned -> planned.tell(checkers));
    }

    /** True for a datacenter that is retired or shall be. */
    boolean retires(String datacenter) {
        return retirement.filter(planned -> planned.concerns(datacenter)).isPresent();
    }

    boolean done() {
        return retirement.map(DatacenterRetirement::done).orElse(true);
    }

    void addTo(Totals totals) {
        totals.put(
                "datacentersRetired",
                retirement.filter(DatacenterRetirement::done).isPresent() ? 1 : 0);
        totals.put("retirementsRefused", retirement.map(DatacenterRetirement::refused).orElse(0));
        totals.put(
                "eventStoreListsChanged", storeListChange.map(StoreListChange::changed).orElse(0));
    }
}

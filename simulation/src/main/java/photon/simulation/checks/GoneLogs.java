package photon.simulation.checks;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import photon.core.id.EventId;
import photon.storage.ledger.LedgerEntry;

/**
 * Events whose lines a datacenter has no more: what a dead incarnation of it had lost of these
 * cannot be read again, and is reported as an outcome that is lost, by its id; so are upgrades.
 */
final class GoneLogs {
    private final List<DatacenterFiles> datacenters;
    private final List<PassedEvents> gone = new ArrayList<>();

    GoneLogs(List<DatacenterFiles> datacenters) {
        this.datacenters = List.copyOf(datacenters);
        datacenters.forEach(
                datacenter -> gone.add(new PassedEvents(datacenter, datacenter.goneLogs())));
    }

    /** Those that are reported so where their lines are gone, and only those. */
    Set<EventId> outcomesLost() throws IOException {
        TreeSet<EventId> lost = new TreeSet<>();
        for (int i = 0; i < datacenters.size(); i++) {
            Set<EventId> lines = gone.get(i).all();
            if (!lines.isEmpty()) {
                DatacenterFiles datacenter = datacenters.get(i);
                StoredState state = new StoredState(datacenter, datacenter.files().copy());
                lines.stream()
                        .flatMap(id -> Stream.of(id, id.upgrade()))
                        .filter(id -> state.inLedger(LedgerEntry.Kind.OUTCOME_LOST, id))
                        .forEach(lost::add);
            }
        }
        return lost;
    }
}

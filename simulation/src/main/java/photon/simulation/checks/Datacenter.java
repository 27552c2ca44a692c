package photon.simulation.checks;

import java.util.List;
import photon.core.config.StreamConfig;
import photon.storage.files.MemoryFileStore;

/**
 * Where one datacenter's files lie.
 *
 * @param outputDirectory absolute; may not exist yet
 * @param dispatcherState a {@link photon.dispatcher.StateDirectory}; may not exist yet
 * @param otherLedgers directories of the other daemons' ledgers
 * @param foreign with this datacenter's own paths, which are no other's
 */
public record Datacenter(
        String name,
        MemoryFileStore files,
        String outputDirectory,
        String dispatcherState,
        List<String> otherLedgers,
        StreamConfig foreign) {
    public Datacenter {
        otherLedgers = List.copyOf(otherLedgers);
    }
}

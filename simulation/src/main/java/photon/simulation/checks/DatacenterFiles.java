package photon.simulation.checks;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import photon.core.config.StreamConfig;
import photon.storage.files.MemoryFileStore;

/**
 * Where one datacenter's files lie.
 *
 * @param outputDirectory absolute; may not exist yet
 * @param dispatcherState directory of its dispatcher's states, a {@link
 *     photon.storage.state.StateHome}; may not exist yet
 * @param verifierState directory of its verifier's state; may not exist yet
 * @param otherLedgers directories of the other daemons' ledgers
 * @param foreign with this datacenter's own paths, which are no other's
 * @param goneLogs globs of foreign logs that its processes do not see any more
 * @param seenLedgers what its ledgers have held
 */
public record DatacenterFiles(
        String name,
        MemoryFileStore files,
        String outputDirectory,
        String dispatcherState,
        String verifierState,
        List<String> otherLedgers,
        StreamConfig foreign,
        List<String> goneLogs,
        SeenLedgers seenLedgers) {
    public DatacenterFiles {
        otherLedgers = List.copyOf(otherLedgers);
        goneLogs = List.copyOf(goneLogs);
    }

    /** One whose ledgers nobody has seen. */
    public DatacenterFiles(
            String name,
            MemoryFileStore files,
            String outputDirectory,
            String dispatcherState,
            String verifierState,
            List<String> otherLedgers,
            StreamConfig foreign,
            List<String> goneLogs) {
        this(
                name,
                files,
                outputDirectory,
                dispatcherState,
                verifierState,
                otherLedgers,
                foreign,
                goneLogs,
                new SeenLedgers(files, List.of(), Duration.ZERO));
    }

    /** One whose foreign logs stay. */
    public DatacenterFiles(
            String name,
            MemoryFileStore files,
            String outputDirectory,
            String dispatcherState,
            String verifierState,
            List<String> otherLedgers,
            StreamConfig foreign) {
        this(
                name,
                files,
                outputDirectory,
                dispatcherState,
                verifierState,
                otherLedgers,
                foreign,
                List.of());
    }

    /** All globs of foreign logs, those that are gone too. */
    List<String> allLogs() {
        List<String> all = new ArrayList<>(foreign.paths());
        all.addAll(goneLogs);
        return all;
    }
}

package photon.server.datacenters;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import photon.core.config.OutputConfig;
import photon.core.crash.CrashPoints;
import photon.core.id.Incarnation;
import photon.core.time.IntervalClock;
import photon.dispatcher.state.StateDirectory;
import photon.server.datacenters.DatacenterFacts.Journal;
import photon.server.datacenters.DatacenterFacts.Published;
import photon.storage.files.FileStore;
import photon.storage.journal.RetryJournal;
import photon.storage.output.OutputDirectory;
import photon.storage.output.OutputDirectory.StoredManifest;
import photon.storage.output.OutputIdentity;
import photon.storage.output.format.OutputFormats;
import photon.storage.state.StateHome;

/** Reads what a datacenter has left in files. Changes nothing. */
public final class DatacenterLook {
    private final FileStore files;
    private final IntervalClock clock;
    private final UUID pipeline;

    public DatacenterLook(FileStore files, IntervalClock clock, UUID pipeline) {
        this.files = files;
        this.clock = clock;
        this.pipeline = pipeline;
    }

    /** Empty: the datacenter's output of this pipeline is not there. */
    public Optional<Published> published(DatacenterPaths paths) throws IOException {
        Optional<OutputIdentity> owner =
                OutputDirectory.identity(files, paths.outputDirectory())
                        .filter(
                                identity ->
                                        identity.pipelineUuid().equals(pipeline.toString())
                                                && identity.datacenter()
                                                        .equals(paths.datacenter()));
        if (owner.isEmpty()) {
            return Optional.empty();
        }
        OutputDirectory output =
                OutputDirectory.open(
                        files,
                        paths.outputDirectory(),
                        owner.get(),
                        OutputFormats.of(OutputConfig.DEFAULTS), // writes nothing
                        CrashPoints.none(),
                        clock);
        long count = output.retirement().retired().sum().manifests();
        long events = output.retirement().retired().sum().events();
        for (Incarnation incarnation : output.incarnations()) {
            for (StoredManifest stored : output.storedManifests(incarnation)) {
                count++;
                events += stored.forEach((id, token) -> {}).entries();
            }
        }
        return Optional.of(new Published(paths.outputDirectory(), count, events));
    }

    /**
     * @param registered the state that counts
     * @return empty: that state is not there, or not the journal of each of its partitions
     */
    public Optional<Journal> journal(DatacenterPaths paths, Optional<UUID> registered)
            throws IOException {
        StateHome home = new StateHome(files, paths.dispatcher());
        if (registered.isEmpty() || !home.identity().equals(registered)) {
            return Optional.empty();
        }
        String state = home.path(registered.get());
        List<StateDirectory> partitions = StateDirectory.ofPartitions(files, state);
        long[] rows = new long[2];
        for (StateDirectory partition : partitions) {
            if (files.stat(partition.journal()) == null) {
                return Optional.empty();
            }
            RetryJournal.forEachRow(
                    files,
                    partition.journal(),
                    row -> rows[row.key().lostToken() == null ? 1 : 0]++);
        }
        String where = partitions.size() == 1 ? partitions.get(0).journal() : state;
        return Optional.of(new Journal(where, rows[0], rows[1]));
    }
}

package photon.simulation.parts;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import photon.dispatcher.DispatcherStatus;
import photon.dispatcher.StateDirectory;
import photon.eventstore.tail.TailProgress;
import photon.joiner.JoinerStatus;
import photon.simulation.disk.DatacenterDisk;
import photon.storage.document.VersionedDocument;
import photon.storage.files.FileStore;
import photon.storage.files.FileStore.FileInfo;
import photon.storage.files.MemoryFileStore;
import photon.storage.tail.Checkpoint;
import photon.storage.tail.FilePosition;
import photon.verifier.repair.RepairStatus;

/** One datacenter: its disk, its producers, and one machine a process. Nothing runs at first. */
public final class SimulatedDatacenter {
    private final SimulatedSite site;
    private final InputLogs inputs;
    private final EventStoreHost eventStore;
    private final JoinerHost joiner;
    private final DispatcherHost dispatcher;
    private final VerifierHost verifier;
    private final List<ProcessHost> hosts;

    /**
     * @param number from 0; each has another registry server nearest
     */
    public SimulatedDatacenter(Surroundings world, String name, int number) {
        this.site = new SimulatedSite(new Layout(name), number, world);
        this.inputs = new InputLogs(world.timeline(), site.disk.unharmed(), site.layout);
        this.eventStore = new EventStoreHost(site);
        this.joiner = new JoinerHost(site);
        this.dispatcher = new DispatcherHost(site);
        this.verifier = new VerifierHost(site);
        this.hosts = List.of(eventStore, joiner, dispatcher, verifier);
    }

    public String name() {
        return site.datacenter();
    }

    public Layout layout() {
        return site.layout;
    }

    /** As the checkers know it. */
    public photon.simulation.checks.DatacenterFiles checked() {
        return new photon.simulation.checks.DatacenterFiles(
                name(),
                site.disk.store(),
                site.layout.output(),
                site.layout.state(DispatcherHost.ROLE),
                List.of(
                        site.layout.ledger(EventStoreHost.ROLE),
                        site.layout.ledger(VerifierHost.ROLE)),
                site.config.foreign(),
                List.of(site.layout.putAway() + "/*.jsonl"));
    }

    /** The foreign logs that the dispatcher's durable checkpoint has passed are gone. */
    public void putForeignLogsAway() {
        inputs.beginFiles();
        FileStore files = site.disk.unharmed();
        try {
            files.createDirectories(site.layout.putAway());
            for (FilePosition passed : durableCheckpoint()) {
                for (FileInfo file : files.list(site.layout.foreignLogs())) {
                    if (file.key().equals(passed.key())
                            && file.length() == passed.offset()
                            && !InputLogs.isActive(file.path())) {
                        String name = file.path().substring(file.path().lastIndexOf('/') + 1);
                        files.rename(file.path(), site.layout.putAway() + "/" + name);
                    }
                }
            }
            files.syncDirectory(site.layout.foreignLogs());
            files.syncDirectory(site.layout.putAway());
        } catch (IOException e) {
            throw new UncheckedIOException("Expected the producers' disk to be in order", e);
        }
    }

    private List<FilePosition> durableCheckpoint() throws IOException {
        MemoryFileStore durable = site.disk.store().durableCopy();
        String path = new StateDirectory(site.layout.state(DispatcherHost.ROLE)).checkpoint();
        if (durable.stat(path) == null) {
            return List.of();
        }
        return new VersionedDocument(durable, path, StateDirectory.CHECKPOINT)
                .read()
                .map(version -> Checkpoint.decode(version.content()).positions())
                .orElse(List.of());
    }

    public DatacenterDisk disk() {
        return site.disk;
    }

    public InputLogs inputs() {
        return inputs;
    }

    /** Every process's machine, always in the same order. */
    public List<ProcessHost> hosts() {
        return hosts;
    }

    public JoinerHost joiner() {
        return joiner;
    }

    public DispatcherHost dispatcher() {
        return dispatcher;
    }

    public EventStoreHost eventStore() {
        return eventStore;
    }

    /** Starts what does not run; the producers write on. */
    public void startAll() {
        inputs.powerBack();
        hosts.forEach(ProcessHost::start);
    }

    /**
     * Ends every process; nothing runs before {@link #startAll}.
     *
     * @param powerLoss true: what was not synced is lost or torn, and the producers stop, too
     */
    public void killAll(boolean powerLoss) {
        hosts.forEach(host -> host.shutDown(powerLoss ? "power lost" : "killed with all"));
        if (powerLoss) {
            site.world.timeline().trace().add(name(), "loses power");
            inputs.powerLost();
            eventStore.powerLost();
            site.disk.losePower();
        }
    }

    /** Null while it does not serve. */
    public @Nullable DispatcherStatus dispatcherStatus() {
        return dispatcher.status();
    }

    /** Null while it does not run. */
    public @Nullable JoinerStatus joinerStatus() {
        return joiner.status();
    }

    /** Null while it does not run. */
    public @Nullable RepairStatus repairStatus() {
        return verifier.status();
    }

    /** Null while it does not run. */
    public @Nullable TailProgress eventStoreProgress() {
        return eventStore.progress();
    }
}

package photon.simulation.parts;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import photon.core.time.IntervalClock;
import photon.dispatcher.state.DispatcherStatus;
import photon.dispatcher.state.StateDirectory;
import photon.eventstore.tail.TailProgress;
import photon.simulation.checks.SeenLedgers;
import photon.simulation.checks.UnmatchedInTime;
import photon.simulation.disk.DatacenterDisk;
import photon.storage.files.FileStore;
import photon.storage.files.FileStore.FileInfo;
import photon.storage.files.MemoryFileStore;
import photon.storage.output.LostFiles;
import photon.storage.state.StateHome;
import photon.storage.tail.Checkpoint;
import photon.storage.tail.CheckpointFiles;
import photon.storage.tail.FilePosition;
import photon.verifier.repair.RepairStatus;

/** One datacenter: its disk, its producers, and one machine a process. Nothing runs at first. */
public final class SimulatedDatacenter {
    private final SimulatedSite site;
    private final InputLogs inputs;
    private final List<EventStoreHost> eventStores = new ArrayList<>();
    private final List<JoinerHost> joiners = new ArrayList<>();
    private final List<DispatcherHost> dispatchers = new ArrayList<>();
    private final VerifierHost verifier;
    private final List<ProcessHost> hosts = new ArrayList<>();
    private final SeenLedgers seenLedgers;

    /**
     * @param number from 0; each has another registry server nearest
     */
    public SimulatedDatacenter(Surroundings world, String name, int number) {
        this.site = new SimulatedSite(new Layout(name), number, world);
        this.seenLedgers = watchLedgers(site);
        this.inputs =
                new InputLogs(
                        world.timeline(), site.disk.unharmed(), site.layout, world.compression());
        for (String store : world.eventStores().names()) {
            eventStores.add(new EventStoreHost(site, store));
        }
        DispatcherHost dispatcher = new DispatcherHost(site);
        this.verifier = new VerifierHost(site);
        for (int joiner = 0; joiner < world.joiners(); joiner++) {
            joiners.add(new JoinerHost(site, joiner));
        }
        hosts.addAll(eventStores);
        hosts.addAll(joiners);
        hosts.add(dispatcher);
        hosts.add(verifier);
        dispatchers.add(dispatcher);
        if (world.sharedWork().isPresent()) {
            DispatcherHost second = DispatcherHost.second(site);
            dispatchers.add(second);
            hosts.add(second);
        }
    }

    private static SeenLedgers watchLedgers(SimulatedSite site) {
        SeenLedgers seen =
                new SeenLedgers(
                        site.disk.store(),
                        Stream.concat(
                                        Stream.of(site.layout.state(DispatcherHost.ROLE)),
                                        ledgers(site).stream())
                                .toList(),
                        site.config.limits().keepLedgers());
        site.disk.setWatch(
                (life, operation, path) -> {
                    if (operation == MemoryFileStore.Operation.RENAME
                            || operation == MemoryFileStore.Operation.DELETE) {
                        seen.changes(path, life.clock().now().latestMicros());
                    }
                });
        return seen;
    }

    /** Of those that have no other state to keep. */
    private static List<String> ledgers(SimulatedSite site) {
        return Stream.concat(EventStoreHost.allRoles(site).stream(), Stream.of(VerifierHost.ROLE))
                .map(site.layout::ledger)
                .toList();
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
                site.layout.state(VerifierHost.ROLE),
                ledgers(site),
                site.config.foreign(),
                List.of(site.layout.putAway() + "/*.jsonl"),
                seenLedgers);
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
        String state = new StateHome(durable, site.layout.state(DispatcherHost.ROLE)).path();
        List<FilePosition> positions = new ArrayList<>();
        for (StateDirectory partition : StateDirectory.ofPartitions(durable, state)) {
            CheckpointFiles.read(durable, partition.checkpoint())
                    .map(Checkpoint::positions)
                    .ifPresent(positions::addAll);
        }
        return positions;
    }

    /** The state that is on the dispatcher's disk, durable or not. */
    public Optional<UUID> dispatcherState() {
        try {
            return new StateHome(site.disk.unharmed(), site.layout.state(DispatcherHost.ROLE))
                    .identity();
        } catch (IOException e) {
            throw new UncheckedIOException("Expected one state of the dispatcher at most", e);
        }
    }

    /** The dispatcher ends, and starts again on an empty disk. */
    public void loseDispatcherState() {
        String lost = site.layout.state(DispatcherHost.ROLE);
        dispatchers.forEach(one -> one.shutDown("its disk is lost"));
        FileStore files = site.disk.unharmed();
        try {
            files.delete(lost);
            files.syncDirectory(lost.substring(0, lost.lastIndexOf('/')));
        } catch (IOException e) {
            throw new UncheckedIOException("Expected a disk that can be emptied", e);
        }
        dispatchers.forEach(ProcessHost::start);
    }

    /** An operator's word; each start of the dispatcher is told from now on. */
    public void declareStateLost(UUID lost) {
        site.declareStateLost(lost);
    }

    /** Published files, by path. */
    public List<String> publishedFiles() {
        List<String> paths = new ArrayList<>();
        collectPublished(site.layout.output(), paths);
        return paths;
    }

    private void collectPublished(String folder, List<String> paths) {
        for (FileInfo entry : site.disk.store().peek(folder)) {
            if (entry.directory() && !entry.path().startsWith("_", folder.length() + 1)) {
                collectPublished(entry.path(), paths);
            } else if (LostFiles.named(entry.path()).isPresent() && entry.length() > 0) {
                paths.add(entry.path());
            }
        }
    }

    /** It is gone for good, also after a power cut. */
    public void loseFile(String path) {
        FileStore files = site.disk.unharmed();
        try {
            files.delete(path);
            files.syncDirectory(path.substring(0, path.lastIndexOf('/')));
        } catch (IOException e) {
            throw new UncheckedIOException("Expected a disk whose files can be lost", e);
        }
    }

    /**
     * An operator's word on a file of an incarnation that is fenced.
     *
     * @param timesReopened of the incarnation
     * @param takeAway is given the paths of files of the same publication that are whole, and must
     *     lose them, too
     * @return false: it is there after all, since the sealing has published it
     */
    public boolean declareFileLost(
            String path, int timesReopened, Consumer<List<String>> takeAway) {
        try {
            long now = site.world.timeline().nowMicros();
            StoredOutput stored =
                    StoredOutput.open(
                            site.disk.unharmed(),
                            site.layout.output(),
                            () -> new IntervalClock.Interval(now, now));
            return stored.declareLost(
                    path,
                    timesReopened,
                    now,
                    whole ->
                            takeAway.accept(
                                    whole.stream()
                                            .map(one -> site.layout.output() + "/" + one)
                                            .toList()));
        } catch (IOException e) {
            throw new UncheckedIOException("Expected an output that can be sealed", e);
        }
    }

    public DatacenterDisk disk() {
        return site.disk;
    }

    public InputLogs inputs() {
        return inputs;
    }

    /** Every process's machine, always in the same order. */
    public List<ProcessHost> hosts() {
        return Collections.unmodifiableList(hosts);
    }

    public UnmatchedInTime.Site checkedSite() {
        return new UnmatchedInTime.Site() {
            @Override
            public long highestToldMicros() {
                return joiners.stream()
                        .mapToLong(joiner -> joiner.clock().highestToldMicros())
                        .max()
                        .orElseThrow();
            }

            @Override
            public boolean clocksWereRight() {
                return joiners.stream().noneMatch(joiner -> joiner.clock().wasWrong());
            }

            @Override
            public OptionalLong primaryCameMicros(String line) {
                return inputs.primaryCameMicros(line);
            }
        };
    }

    /** The other list of event stores is its configuration's now; what starts reads it. */
    public void changeEventStores() {
        site.changeEventStores();
    }

    /** All that it ever lists, whether they run or not. */
    public List<EventStoreHost> eventStores() {
        return Collections.unmodifiableList(eventStores);
    }

    public List<JoinerHost> joiners() {
        return Collections.unmodifiableList(joiners);
    }

    /** More than one where they share a state. */
    public List<DispatcherHost> dispatchers() {
        return Collections.unmodifiableList(dispatchers);
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
            site.disk.losePower();
        }
    }

    /**
     * Its processes end, and nothing can start one before {@link #open}. The producers write on.
     *
     * @param orderly false: as kill -9 does; true: it takes some time
     */
    void close(boolean orderly) {
        site.closed = true;
        hosts.forEach(orderly ? ProcessHost::restartOrderly : host -> host.shutDown("stopped"));
    }

    void open() {
        site.closed = false;
        startAll();
    }

    /** By its operator. */
    public boolean isClosed() {
        return site.closed;
    }

    SimulatedSite site() {
        return site;
    }

    /** Of all its dispatchers; null while nobody works on some partition. */
    public @Nullable DispatcherStatus dispatcherStatus() {
        DispatcherStatus sum = null;
        TreeSet<Integer> worked = new TreeSet<>();
        int partitions = 1;
        for (DispatcherHost one : dispatchers) {
            DispatcherStatus status = one.status();
            if (status != null) {
                sum = sum == null ? status : sum.and(status);
                worked.addAll(one.worked().partitions());
                partitions = Math.max(partitions, one.worked().of());
            }
        }
        return worked.size() < partitions ? null : sum;
    }

    /** Null while it does not run. */
    public @Nullable RepairStatus repairStatus() {
        return verifier.status();
    }

    /** Of the first event store; null while it does not run. */
    public @Nullable TailProgress eventStoreProgress() {
        return eventStores.get(0).progress();
    }
}

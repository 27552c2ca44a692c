package photon.server.resets;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import photon.core.config.DeploymentConfig;
import photon.core.config.PipelineConfig;
import photon.core.config.StreamConfig;
import photon.core.error.ConfigException;
import photon.core.error.FailedException;
import photon.core.rpc.HostPort;
import photon.core.rpc.RpcSecurity;
import photon.core.time.IntervalClock;
import photon.dispatcher.flow.LogRange;
import photon.dispatcher.flow.StateReset;
import photon.dispatcher.lease.RunningDispatchers;
import photon.dispatcher.rules.PositionsThere;
import photon.dispatcher.rules.ResetPlan;
import photon.dispatcher.rules.ResetPlan.Facts;
import photon.dispatcher.rules.ResetPlan.Fate;
import photon.dispatcher.rules.ResetPlan.FileReset;
import photon.dispatcher.rules.ResetTarget;
import photon.dispatcher.state.StateDirectory;
import photon.registry.admin.ControlSession;
import photon.registry.api.ControlClient;
import photon.registry.api.RegistrationRefusedException;
import photon.server.datacenters.DatacenterPaths;
import photon.server.lifecycle.StateLock;
import photon.server.roles.DaemonRun.Role;
import photon.storage.document.DocumentFolder;
import photon.storage.files.FileStore;
import photon.storage.files.FileStore.FileInfo;
import photon.storage.files.Globs;
import photon.storage.files.StreamFiles;
import photon.storage.journal.RetryJournal;
import photon.storage.lease.LeaseDocument;
import photon.storage.lease.Node;
import photon.storage.lease.NodeList;
import photon.storage.state.StateHome;
import photon.storage.state.StatePartitions;
import photon.storage.tail.Checkpoint;
import photon.storage.tail.CheckpointFiles;
import photon.storage.tail.CheckpointHistory;
import photon.storage.tail.FilePosition;
import photon.storage.tail.FileRecognition;
import photon.storage.tail.LogPartition;
import photon.storage.tail.ResetNotes;

/** Plans and applies a reset of the dispatcher of one datacenter, by its files and the registry. */
public final class ResetSession {
    /** By how much clocks may differ. */
    private static final Duration SLACK = Duration.ofMinutes(1);

    private static final Duration LOOK_EVERY = Duration.ofMillis(500);

    private final FileStore files;
    private final StreamConfig foreign;
    private final DeploymentConfig deployment;
    private final IntervalClock clock;
    private final StatePartitions partitions;
    private final UUID identity;
    private final KnownIds registry;
    private final LogRange logs;

    private ResetSession(
            FileStore files,
            StreamConfig foreign,
            DeploymentConfig deployment,
            IntervalClock clock,
            UUID identity,
            StatePartitions partitions,
            KnownIds registry) {
        this.files = files;
        this.foreign = foreign;
        this.deployment = deployment;
        this.clock = clock;
        this.identity = identity;
        this.partitions = partitions;
        this.registry = registry;
        this.logs = new LogRange(files, foreign, clock);
    }

    /**
     * A plan.
     *
     * @param partitions in order
     * @param count what is read again, or skipped
     * @param boundaryMicros ids below it are refused; {@link Long#MIN_VALUE}: there is none
     */
    public record Planned(
            ResetTarget target,
            Optional<String> glob,
            List<PartitionPlan> partitions,
            CountedEvents count,
            long boundaryMicros) {
        public List<FileReset> of(Fate fate) {
            return ResetSession.of(partitions, fate);
        }

        public boolean changesNothing() {
            return partitions.stream().allMatch(one -> one.plan().changesNothing());
        }
    }

    /**
     * Finds the state that the registry has registered.
     *
     * @param patience how long to wait for the registry, each time
     * @throws FailedException if it is not here, or the registry does not answer
     */
    public static ResetSession open(
            PipelineConfig pipeline,
            DeploymentConfig deployment,
            FileStore files,
            RpcSecurity security,
            Duration patience,
            IntervalClock clock)
            throws IOException {
        String datacenter = deployment.datacenter();
        List<HostPort> servers =
                deployment.registry().stream()
                        .map(DeploymentConfig.RegistryReplica::service)
                        .toList();
        Optional<UUID> registered =
                registered(new ControlSession(servers, patience, security), pipeline, datacenter);
        String home = DatacenterPaths.of(datacenter, deployment).dispatcher();
        StateHome states = new StateHome(files, home);
        Optional<UUID> here = states.identity();
        if (registered.isEmpty() || !here.equals(registered)) {
            throw new FailedException(
                    "the registry has state %s registered for the dispatcher of %s, but %s holds %s"
                            .formatted(
                                    registered.map(UUID::toString).orElse("none"),
                                    datacenter,
                                    home,
                                    here.map(UUID::toString).orElse("none")));
        }
        return new ResetSession(
                files,
                pipeline.foreign(),
                deployment,
                clock,
                registered.get(),
                StatePartitions.read(files, states.path(registered.get())),
                new KnownIds(servers, pipeline.pipeline(), security, patience));
    }

    private static Optional<UUID> registered(
            ControlSession control, PipelineConfig pipeline, String datacenter) {
        try {
            // Without shards it is not made where it is not known.
            ControlClient.Pipeline held =
                    control.ask(
                            connection ->
                                    connection
                                            .control()
                                            .openPipeline(
                                                    pipeline.pipeline(), new UUID(0, 0), "", 0));
            return control.ask(
                            connection -> connection.states().registered(held.uuid(), datacenter))
                    .state();
        } catch (RegistrationRefusedException e) {
            throw new FailedException(
                    "the registry does not know pipeline %s".formatted(pipeline.pipeline()));
        } catch (TimeoutException e) {
            throw new FailedException("the registry does not answer: run the command again");
        }
    }

    /** Which state it is. */
    public UUID identity() {
        return identity;
    }

    /**
     * What a reset would do. Changes nothing, also while dispatchers work.
     *
     * @param glob the logs that it is about; empty: all
     */
    public Planned plan(ResetTarget target, Optional<String> glob) throws IOException {
        List<String> missing = Globs.missingDirectories(files, foreign.paths());
        if (!missing.isEmpty()) {
            throw new FailedException(
                    "the directory %s is not there: its logs could not be reset"
                            .formatted(missing.get(0)));
        }
        Optional<Set<String>> chosen = Optional.empty();
        if (glob.isPresent()) {
            Set<String> keys =
                    files.glob(glob.get()).stream().map(FileInfo::key).collect(Collectors.toSet());
            chosen = Optional.of(keys);
        }
        List<FileInfo> there = List.copyOf(StreamFiles.now(files, foreign));
        if (chosen.isPresent()
                && there.stream().map(FileInfo::key).noneMatch(chosen.get()::contains)) {
            throw new FailedException(
                    "%s matches none of the foreign logs".formatted(glob.orElse("")));
        }
        long boundary = registry.boundaryMicros();
        EventCount skipped = new EventCount();
        List<PartitionPlan> plans = new ArrayList<>();
        for (int i = 0; i < partitions.count(); i++) {
            plans.add(plan(target, i, there, chosen, boundary, skipped));
        }
        EventCount count = skipped;
        if (target.kind() == ResetTarget.Kind.LATEST) {
            count.ofBytes(of(plans, Fate.FORWARD).stream().mapToLong(FileReset::bytes).sum());
        } else {
            count = EventCount.sample(logs, of(plans, Fate.BACK));
        }
        registry.ask(count);
        return new Planned(target, glob, plans, count.counted(), boundary);
    }

    private static List<FileReset> of(List<PartitionPlan> plans, Fate fate) {
        return plans.stream().flatMap(one -> one.plan().of(fate).stream()).toList();
    }

    private PartitionPlan plan(
            ResetTarget target,
            int partition,
            List<FileInfo> all,
            Optional<Set<String>> chosen,
            long boundary,
            EventCount skipped)
            throws IOException {
        LogPartition share = new LogPartition(partition, partitions.count());
        Map<String, FileInfo> there = new LinkedHashMap<>();
        all.stream().filter(share::has).forEach(file -> there.putIfAbsent(file.key(), file));
        StateDirectory state = new StateDirectory(partitions.directory(partition));
        Checkpoint standing =
                CheckpointFiles.read(files, state.checkpoint())
                        .orElse(new Checkpoint(0, List.of()));
        Checkpoint checkpoint =
                new Checkpoint(
                        standing.owner(), here(there, standing.positions()), standing.gone());
        Optional<CheckpointHistory.Entry> asOf = Optional.empty();
        Map<String, FilePosition> ends = Map.of();
        switch (target.kind()) {
            case EARLIEST -> {}
            case TIME ->
                    asOf =
                            CheckpointHistory.read(files, state.checkpoint())
                                    .before(target.at().minus(SLACK).toEpochMilli())
                                    .map(then -> here(there, then));
            case LATEST -> ends = ends(checkpoint, there, chosen, skipped);
        }
        ResetPlan plan =
                ResetPlan.of(target, new Facts(checkpoint, there, chosen, asOf, ends, boundary));
        return new PartitionPlan(
                partition,
                state,
                standing,
                plan,
                asOf.map(entry -> Instant.ofEpochMilli(entry.atMillis())),
                waiting(state));
    }

    private CheckpointHistory.Entry here(
            Map<String, FileInfo> there, CheckpointHistory.Entry entry) {
        return new CheckpointHistory.Entry(entry.atMillis(), here(there, entry.positions()));
    }

    private List<FilePosition> here(Map<String, FileInfo> there, List<FilePosition> positions) {
        return PositionsThere.of(
                there,
                positions,
                (file, position) ->
                        !FileRecognition.recognise(
                                        files, FilePosition.unread(file), List.of(position))
                                .orElseThrow(
                                        () ->
                                                new FailedException(
                                                        "%s cannot be read now, so it cannot be told how far it was read: run the command again"
                                                                .formatted(file.path())))
                                .isEmpty());
    }

    /** A journal that a dispatcher writes cannot be read as a whole. */
    private OptionalLong waiting(StateDirectory state) {
        long[] rows = {0};
        try {
            RetryJournal.forEachRow(files, state.journal(), row -> rows[0]++);
        } catch (IOException e) {
            return OptionalLong.empty();
        }
        return OptionalLong.of(rows[0]);
    }

    /** Reads all that would be skipped: the end is where the last whole record ends. */
    private Map<String, FilePosition> ends(
            Checkpoint checkpoint,
            Map<String, FileInfo> there,
            Optional<Set<String>> chosen,
            EventCount skipped)
            throws IOException {
        Map<String, FilePosition> from = new HashMap<>();
        checkpoint.positions().forEach(position -> from.put(position.key(), position));
        Map<String, FilePosition> ends = new HashMap<>();
        for (FileInfo file : there.values()) {
            Optional<FilePosition> position = Optional.ofNullable(from.get(file.key()));
            boolean isDone = position.filter(p -> p.offset() == file.length()).isPresent();
            if (!isDone && (chosen.isEmpty() || chosen.get().contains(file.key()))) {
                EventCount.toTheEnd(
                                logs, file.path(), position.filter(p -> p.offset() > 0), skipped)
                        .ifPresent(end -> ends.put(file.key(), end));
            }
        }
        return ends;
    }

    /**
     * Applies a plan, while no dispatcher works.
     *
     * @param say told what is waited for
     * @throws FailedException if a dispatcher works
     * @throws IOException if one has started meanwhile, or files cannot be read or written; what
     *     was reset by then stays so, and the command may be run again
     */
    @SuppressWarnings("try") // A lock is held, not used.
    public void apply(Planned planned, Consumer<String> say) throws IOException {
        try (StateLock lock = lock()) {
            Optional<List<LeaseDocument.Standing>> leases = awaitStopped(say);
            ResetNotes.Note note = note(planned);
            for (PartitionPlan one : planned.partitions()) {
                if (!one.plan().changesNothing()) {
                    new StateReset(files, one.state(), logs)
                            .apply(
                                    leases.map(seen -> shared(one.partition(), seen)),
                                    one.checkpoint(),
                                    one.plan(),
                                    note);
                }
            }
        }
    }

    private ResetNotes.Note note(Planned planned) {
        return new ResetNotes.Note(
                clock.now().latestMicros() / 1_000,
                ControlSession.actor(),
                planned.target().toString(),
                planned.glob().orElse(""),
                planned.of(Fate.BACK).size(),
                planned.of(Fate.FORWARD).size());
    }

    /** Keeps out one of this machine, also one that starts. */
    private StateLock lock() throws IOException {
        Path locks =
                DatacenterPaths.of(deployment.datacenter(), deployment).state().resolve("locks");
        try {
            return StateLock.take(locks.resolve(Role.DISPATCHER.label()), "dispatcher's state");
        } catch (ConfigException e) {
            throw new FailedException(
                    "the dispatcher of %s on this machine works, at %s: stop it first (%s)"
                            .formatted(
                                    deployment.datacenter(),
                                    deployment.dispatcher(),
                                    e.getMessage()));
        }
    }

    /** The leases as they stand then; empty: the work is not shared. */
    private Optional<List<LeaseDocument.Standing>> awaitStopped(Consumer<String> say)
            throws IOException {
        if (!deployment.sharesState()) {
            return Optional.empty();
        }
        RunningDispatchers rule = new RunningDispatchers();
        NodeList nodes = new NodeList(files, partitions.nodes());
        for (boolean first = true; ; first = false) {
            long asked = System.nanoTime();
            List<LeaseDocument.Standing> leases = new ArrayList<>();
            for (int i = 0; i < partitions.count(); i++) {
                leases.add(lease(i).read());
            }
            Map<String, NodeList.Entry> entries = nodes.look();
            RunningDispatchers.Verdict verdict = rule.looked(entries, asked, System.nanoTime());
            if (!verdict.running().isEmpty()) {
                throw new FailedException(
                        "dispatchers of %s work, at %s: stop them first"
                                .formatted(deployment.datacenter(), addresses(verdict.running())));
            }
            if (verdict.unsure().isEmpty()) {
                return Optional.of(leases);
            }
            if (first) {
                say.accept(
                        "Looks for up to %d s whether the dispatchers at %s still work"
                                .formatted(
                                        verdict.unsure().stream()
                                                .mapToLong(
                                                        node -> node.term().toSeconds() * 11 / 10)
                                                .max()
                                                .orElse(0),
                                        addresses(verdict.unsure())));
            }
            LockSupport.parkNanos(LOOK_EVERY.toNanos());
        }
    }

    private static String addresses(List<Node> nodes) {
        return nodes.stream().map(Node::address).collect(Collectors.joining(", "));
    }

    private LeaseDocument lease(int partition) {
        return new LeaseDocument(
                new DocumentFolder(files, partitions.leases()),
                StatePartitions.leaseName(partition));
    }

    private StateReset.Shared shared(int partition, List<LeaseDocument.Standing> seen) {
        return new StateReset.Shared(
                lease(partition), seen.get(partition), "a reset by " + ControlSession.actor());
    }
}

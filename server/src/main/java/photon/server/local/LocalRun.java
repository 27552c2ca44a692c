package photon.server.local;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import photon.core.config.PipelineConfig;
import photon.core.crash.CrashPoints;
import photon.core.error.BugHandler;
import photon.core.error.FailedException;
import photon.core.error.IoText;
import photon.core.rpc.ProcessRpcs;
import photon.core.time.SystemClock;
import photon.registry.api.ControlClient;
import photon.server.configtest.SettingsCheck;
import photon.server.configtest.StartCheck;
import photon.server.datacenters.DatacenterPaths;
import photon.server.lifecycle.Shutdown;
import photon.server.lifecycle.StateLock;
import photon.server.roles.Environment;
import photon.server.roles.LeftOutDatacenters;
import photon.server.roles.OpenedPipeline;
import photon.server.roles.Roles;
import photon.server.trace.Traces;
import photon.storage.files.FileStore;
import photon.storage.files.HadoopFileStore;
import photon.storage.output.OutputDirectory;

/** One run of {@code photon local}, from the locks to the books. */
public final class LocalRun {
    private static final Logger log = LoggerFactory.getLogger(LocalRun.class);
    private static final Duration LOOK_EVERY = Duration.ofMillis(100);

    /** How long nothing may move in a registry that is waited for. */
    private static final Duration REGISTRY_PATIENCE = Duration.ofMinutes(5);

    /** One machine, one clock: its error against itself. */
    private static final Duration CLOCK_BOUND = Duration.ofMillis(10);

    private final PipelineConfig config;
    private final String output;
    private final Path state;
    private final Environment environment;
    private final Shutdown shutdown;
    private final Progress progress;

    private LocalRun(
            PipelineConfig config,
            String output,
            Path state,
            Environment environment,
            Shutdown shutdown,
            Progress progress) {
        this.config = config;
        this.output = output;
        this.state = state;
        this.environment = environment;
        this.shutdown = shutdown;
        this.progress = progress;
    }

    /**
     * Prints the books.
     *
     * @param output where joined events are published: an absolute path of this machine, or a URI
     * @param files in which logs are read and output is written
     * @param stateLost the registered state of a datacenter's dispatcher, which is lost for good
     * @param untilIdle empty: until SIGTERM
     * @param json print the books as JSON instead of a table
     * @return exit status
     */
    public static int run(
            PipelineConfig config,
            String output,
            Path state,
            FileStore files,
            Optional<Duration> untilIdle,
            boolean json,
            Optional<UUID> stateLost,
            CrashPoints crashPoints)
            throws IOException {
        return run(
                config,
                output,
                state,
                files,
                untilIdle.map(quiet -> new Idle(quiet, () -> true)),
                !json,
                stateLost,
                crashPoints,
                Progress.UNWATCHED,
                report -> report.print(System.out, System.err, json));
    }

    /**
     * When a run ends by itself.
     *
     * @param quiet for so long nothing has come, and nothing is left to do
     * @param logsAreWhole false while whoever writes the logs may yet write: a writer that stands
     *     still for a moment has not ended
     */
    public record Idle(Duration quiet, BooleanSupplier logsAreWhole) {}

    /** Hears how far a run is. */
    @FunctionalInterface
    public interface Progress {
        /** Of a run that nobody measures. */
        Progress UNWATCHED = (read, joined) -> {};

        /**
         * @param read events of both logs, counted once per datacenter
         * @param joined by all datacenters together
         */
        void at(long read, long joined);
    }

    /** Judges all that has come of a run. */
    @FunctionalInterface
    private interface Ending {
        /**
         * @return exit status
         */
        int of(RunReport report) throws IOException;
    }

    /** Prints what has come of a run. */
    @FunctionalInterface
    public interface Verdict {
        /**
         * @return exit status
         */
        int of(LocalBooks books) throws IOException;
    }

    /**
     * A run under a load that its caller makes. A line on a terminal tells how far it is.
     *
     * @param shutdown the caller's: it ends the process when it has done its own
     * @param progress called by one thread, ten times a second
     */
    public static void live(
            PipelineConfig config,
            Path output,
            Path state,
            Idle untilIdle,
            Shutdown shutdown,
            Progress progress,
            Verdict verdict)
            throws IOException {
        run(
                config,
                output.toString(),
                state,
                new HadoopFileStore(),
                Optional.of(untilIdle),
                true,
                Optional.empty(),
                CrashPoints.none(),
                shutdown,
                progress,
                report -> verdict.of(report.books()));
    }

    /**
     * A run that is measured: ends by itself, and reports how far it is.
     *
     * @param progress called by one thread, ten times a second
     * @return exit status
     */
    public static int measured(
            PipelineConfig config,
            Path output,
            Path state,
            Idle untilIdle,
            Progress progress,
            Verdict verdict)
            throws IOException {
        return run(
                config,
                output.toString(),
                state,
                new HadoopFileStore(),
                Optional.of(untilIdle),
                false,
                Optional.empty(),
                CrashPoints.none(),
                progress,
                report -> verdict.of(report.books()));
    }

    private static int run(
            PipelineConfig config,
            String output,
            Path state,
            FileStore files,
            Optional<Idle> untilIdle,
            boolean showStatus,
            Optional<UUID> stateLost,
            CrashPoints crashPoints,
            Progress progress,
            Ending ending)
            throws IOException {
        try (Shutdown shutdown = Shutdown.install()) {
            // A script that waits for the end of the logs must not take it for success.
            shutdown.startingWith(untilIdle.isPresent() ? 1 : 0);
            int status =
                    run(
                            config,
                            output,
                            state,
                            files,
                            untilIdle,
                            showStatus,
                            stateLost,
                            crashPoints,
                            shutdown,
                            progress,
                            ending);
            shutdown.finished(status);
            return status;
        }
    }

    @SuppressWarnings("try") // A lock is held, not used.
    private static int run(
            PipelineConfig config,
            String output,
            Path state,
            FileStore files,
            Optional<Idle> untilIdle,
            boolean showStatus,
            Optional<UUID> stateLost,
            CrashPoints crashPoints,
            Shutdown shutdown,
            Progress progress,
            Ending ending)
            throws IOException {
        Environment environment =
                new Environment(
                        files,
                        new SystemClock(CLOCK_BOUND),
                        new SecureRandom(),
                        new ProcessRpcs(),
                        crashPoints,
                        BugHandler.stopProcess(),
                        Traces.OFF);
        SettingsCheck.check(config, true);
        StateOwner.check(state);
        OpenedPipeline.checkState(config, environment.files(), state);
        StartCheck.check(config, environment.files(), environment.clock());
        // Of logs that are yet to be written there is nothing to tell.
        if (untilIdle.isEmpty() || untilIdle.get().logsAreWhole().getAsBoolean()) {
            // A mistyped glob looks like a pipeline without events: nothing else would tell.
            StartCheck.notes(config, files).forEach(note -> System.err.println("photon: " + note));
        }
        try (StateLock stateLock = StateLock.take(state, "state");
                StateLock outputLock = StateLock.takeBeside(output, "output")) {
            LocalRun run = new LocalRun(config, output, state, environment, shutdown, progress);
            RunReport report = run.join(untilIdle, showStatus, stateLost);
            log.info("Ended");
            return ending.of(report);
        } catch (UncheckedIOException e) {
            throw new FailedException(IoText.of(e));
        }
    }

    private RunReport join(Optional<Idle> untilIdle, boolean showStatus, Optional<UUID> stateLost)
            throws IOException {
        long started = System.nanoTime();
        long startedMicros = environment.clock().now().earliestMicros();
        List<LocalDatacenter> datacenters = new ArrayList<>();
        List<DatacenterPaths> paths = new ArrayList<>();
        List<OutputDirectory> outputs = new ArrayList<>();
        try (LocalRegistry registry = LocalRegistry.start(state.resolve("registry"), environment)) {
            log.info("Registry replicas started");
            Roles roles = new Roles(config, environment);
            OpenedPipeline admission = enter(registry);
            LeftOutDatacenters.checkAll(config, environment.files(), admission.held(), output);
            log.info("Pipeline {} is {}", config.pipeline(), admission.pipeline());
            RetiredOutputs retired =
                    RetiredOutputs.read(admission, roles, environment, state, output);
            awaitBoundary(registry, admission, startedMicros);
            try {
                for (int i = 0; i < config.datacenters().size(); i++) {
                    DatacenterPaths own =
                            DatacenterPaths.of(config.datacenters().get(i), state, output);
                    LocalDatacenter datacenter =
                            LocalDatacenter.start(
                                    roles,
                                    own,
                                    admission.by(registry.servicesNearestTo(i)),
                                    stateLost);
                    datacenters.add(datacenter);
                    paths.add(own);
                    outputs.add(datacenter.output());
                }
                shutdown.started();
                log.info("All parts started");
                watch(datacenters, untilIdle, showStatus, admission.held());
                log.info("Ending");
            } finally {
                LocalDatacenter.closeAll(datacenters);
            }
            LocalBooks.Costs costs = costs(registry, datacenters, started);
            // The books are read from files alone.
            registry.beginEnd();
            LocalBooks books = books(datacenters, paths, outputs, retired, costs);
            log.info("Books read");
            return RunReport.of(
                    books,
                    datacenters.stream().map(LocalDatacenter::statusAtClose).toList(),
                    config,
                    environment.files());
        }
    }

    private LocalBooks.Costs costs(
            LocalRegistry registry, List<LocalDatacenter> datacenters, long startedNanos) {
        return new LocalBooks.Costs(
                datacenters.stream().mapToLong(d -> d.statusAtClose().joiner().unmatched()).sum(),
                datacenters.stream()
                        .mapToLong(d -> d.statusAtClose().dispatcher().latePrimaries())
                        .sum(),
                datacenters.stream()
                        .mapToLong(d -> d.statusAtClose().joiner().wastedAttempts())
                        .sum(),
                registry.idsPerCommitEntry(),
                environment.rpcs().total(),
                datacenters.stream()
                                .mapToLong(d -> d.statusAtClose().dispatcher().eventsRead())
                                .sum()
                        / Math.max(1, datacenters.size()),
                (System.nanoTime() - startedNanos) / 1e9);
    }

    private LocalBooks books(
            List<LocalDatacenter> datacenters,
            List<DatacenterPaths> paths,
            List<OutputDirectory> outputs,
            RetiredOutputs retired,
            LocalBooks.Costs costs)
            throws IOException {
        List<String> alarms = new ArrayList<>(retired.alarms());
        datacenters.forEach(d -> alarms.addAll(d.statusAtClose().repair().unfinished()));
        return LocalBooks.read(
                config,
                environment.files(),
                environment.clock(),
                paths,
                outputs,
                retired.records(),
                state,
                costs,
                alarms);
    }

    private OpenedPipeline enter(LocalRegistry registry) throws IOException {
        try {
            return OpenedPipeline.enter(
                    config,
                    1,
                    state.toAbsolutePath().toString(),
                    registry.servicesNearestTo(0),
                    registry.whileItMoves(REGISTRY_PATIENCE),
                    environment);
        } catch (TimeoutException e) {
            throw noRegistry(registry);
        }
    }

    /** What was too old when the run began is not joined. */
    private void awaitBoundary(
            LocalRegistry registry, OpenedPipeline admission, long startedMicros) {
        try {
            LocalRetention.settle(
                    config.retention(), registry, admission, startedMicros, REGISTRY_PATIENCE);
        } catch (TimeoutException e) {
            throw noRegistry(registry);
        }
    }

    private static FailedException noRegistry(LocalRegistry registry) {
        return new FailedException(
                "the registry does not answer and has made no progress for %d minutes: %s. Check the log (PHOTON_LOG=INFO)"
                        .formatted(REGISTRY_PATIENCE.toMinutes(), registry.standing()));
    }

    /** Returns when the run is to end. */
    private void watch(
            List<LocalDatacenter> datacenters,
            Optional<Idle> untilIdle,
            boolean showStatus,
            ControlClient.Pipeline held)
            throws IOException {
        boolean settingsLeft = false;
        @Nullable IdleWatch idle =
                untilIdle
                        .map(
                                end ->
                                        new IdleWatch(
                                                end.quiet(),
                                                () ->
                                                        datacenters.forEach(
                                                                d -> d.dispatcher().tryDeferred()),
                                                () -> retryAllWaiting(datacenters),
                                                () ->
                                                        datacenters.forEach(
                                                                LocalDatacenter::publishNow)))
                        .orElse(null);
        BooleanSupplier logsAreWhole = untilIdle.map(Idle::logsAreWhole).orElse(() -> true);
        try (ProgressLine line = ProgressLine.onTerminal(showStatus)) {
            while (!shutdown.awaitRequest(LOOK_EVERY)) {
                // Before the parts: what they say then is of the whole logs.
                boolean whole = logsAreWhole.getAsBoolean();
                List<LocalDatacenter.Status> all =
                        datacenters.stream().map(LocalDatacenter::status).toList();
                for (LocalDatacenter datacenter : datacenters) {
                    datacenter
                            .failure()
                            .ifPresent(
                                    why -> {
                                        throw why;
                                    });
                }
                if (!settingsLeft && all.stream().allMatch(LocalDatacenter.Status::serving)) {
                    // Only now is it sure that state and output are this pipeline's.
                    PipelineJson.write(config, held.retired(), output, state);
                    settingsLeft = true;
                }
                log.debug("{}", all);
                line.show(all, System.nanoTime());
                progress.at(
                        all.stream().mapToLong(LocalDatacenter.Status::eventsRead).sum(),
                        all.stream().mapToLong(status -> status.joiner().joined()).sum());
                if (idle != null && idle.isDone(observation(all, whole), System.nanoTime())) {
                    return;
                }
            }
        }
    }

    private static IdleRule.Observation observation(
            List<LocalDatacenter.Status> all, boolean logsAreWhole) {
        return new IdleRule.Observation(
                all.stream().mapToLong(LocalDatacenter.Status::progress).sum(),
                logsAreWhole && all.stream().allMatch(LocalDatacenter.Status::caughtUp),
                all.stream().flatMap(LocalDatacenter.Status::polls).toList(),
                all.stream().mapToLong(LocalDatacenter.Status::busy).sum(),
                all.stream().mapToLong(s -> s.dispatcher().unsettled()).sum(),
                all.stream().mapToLong(s -> s.dispatcher().deferred()).sum(),
                all.stream().mapToLong(s -> s.joiner().unpublishedRecords()).sum());
    }

    private static CompletableFuture<?> retryAllWaiting(List<LocalDatacenter> datacenters) {
        return CompletableFuture.allOf(
                datacenters.stream()
                        .map(d -> d.dispatcher().retryAllWaiting())
                        .toArray(CompletableFuture[]::new));
    }
}

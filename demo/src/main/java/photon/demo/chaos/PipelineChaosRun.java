package photon.demo.chaos;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import photon.core.error.FailedException;
import photon.core.time.IntervalClock;
import photon.demo.DemoBooks;
import photon.demo.DemoLayout;
import photon.demo.FleetStart;
import photon.demo.JoinedIdentity;
import photon.demo.OutputWatch;
import photon.demo.generate.Answer;
import photon.demo.generate.GeneratorSettings;
import photon.demo.generate.LiveGenerator;
import photon.demo.generate.LogStore;
import photon.demo.generate.model.LoadShape;
import photon.server.lifecycle.Shutdown;
import photon.server.local.LocalBooks;
import photon.storage.files.FileStore;
import photon.testbed.process.EndedEarlyException;
import photon.testbed.process.Fleet;
import photon.testbed.process.JavaCommand;
import photon.testbed.process.ProcessName;

/**
 * One run, from its first process to its verdict: two datacenters with two joiners each and a
 * registry of five replicas, a live load, faults by a schedule, and the books when everything has
 * ended. One thread.
 */
final class PipelineChaosRun {
    private static final Duration LOOK_EVERY = Duration.ofMillis(200);

    /** Of load before the first fault. */
    private static final Duration QUIET = Duration.ofSeconds(5);

    /** A repair may have to wait for a fence, for logs that were away, and for others. */
    private static final Duration LAST_JOINS_MAX = Duration.ofMinutes(10);

    private static final Duration STOP_MAX = Duration.ofMinutes(3);
    private static final int SAMPLES = 200;
    private static final Duration SAMPLE_EVERY_MIN = Duration.ofSeconds(2);
    private static final int STARTS_MAX = 3;
    private static final int JOINERS = 2;
    private static final int HEAP_MEGABYTES = 192;

    private static final int LOGGING_PROCESSES = 3;
    private static final double ODD_SHARE = 0.02;
    private static final Duration CLICK_DELAY_MEDIAN = Duration.ofMillis(100);
    private static final double CLICK_DELAY_SPREAD = 1.9;
    private static final Duration CLOCKS_OFF = Duration.ofMillis(50);
    private static final long ROTATE_BYTES = 4 << 20;
    private static final Duration ROTATE_EVERY = Duration.ofSeconds(20);

    /** Each datacenter has a mount of its own. */
    private static final String STREAMS =
            """
            retention: unlimited
            limits: {publishEvery: 1s}
            repair: {fenceAfter: 15s}
            primary:
              paths: ["volumes/%1$s/primary/*.log*"]
              format: {type: json-lines}
              id: {server: server, process: process, timestamp: timestamp}
            foreign:
              paths: ["volumes/%1$s/foreign/*.log*"]
              format: {type: json-lines}
              id: {server: server, process: process, timestamp: timestamp}
              primaryId: {server: primary.server, process: primary.process, timestamp: primary.timestamp}
            """;

    private final PipelineChaosOptions options;
    private final FileStore files;
    private final IntervalClock clock;
    private final Shutdown shutdown;
    private final Path home;
    private final Consumer<String> progress;

    /** Of dispatchers, the last that they have lost: to say it again does no harm. */
    private final Map<ProcessName, UUID> lostStates = new ConcurrentHashMap<>();

    private long beganNanos = System.nanoTime();

    /**
     * @param home where the repository stands
     * @param progress told what happens
     */
    PipelineChaosRun(
            PipelineChaosOptions options,
            FileStore files,
            IntervalClock clock,
            Shutdown shutdown,
            Path home,
            Consumer<String> progress) {
        this.options = options;
        this.files = files;
        this.clock = clock;
        this.shutdown = shutdown;
        this.home = home;
        this.progress = progress;
    }

    /**
     * Runs in a directory that must be empty.
     *
     * @throws EndedEarlyException if a signal came
     * @throws FailedException if a process ends that nobody has killed
     */
    PipelineChaosResult run(Path work) throws IOException, InterruptedException {
        for (int attempt = 1; ; attempt++) {
            Path directory = Files.createDirectories(work.resolve("run-" + attempt));
            DemoLayout layout = new DemoLayout(directory, JOINERS, new SecureRandom());
            layout.write(datacenter -> STREAMS.formatted(datacenter));
            Map<String, LogVolume> volumes = new TreeMap<>();
            for (String datacenter : DemoLayout.DATACENTERS) {
                Path mount = directory.resolve("volumes").resolve(datacenter);
                volumes.put(datacenter, LogVolume.mounted(mount, layout.logs()));
            }
            try (Fleet fleet = new Fleet(p -> command(layout, p), layout.daemonLogs())) {
                tell("starting %d processes".formatted(layout.processes().size()));
                try {
                    FleetStart.all(fleet, layout.processes(), this::pause, left -> {});
                } catch (FleetStart.PortTakenException e) {
                    if (attempt < STARTS_MAX) {
                        continue;
                    }
                    throw new FailedException(String.valueOf(e.getCause()));
                }
                beganNanos = System.nanoTime();
                return new Loaded(layout, fleet, volumes).run();
            }
        }
    }

    private List<String> command(DemoLayout layout, ProcessName process) {
        List<String> arguments = new ArrayList<>(layout.arguments(process));
        UUID lost = lostStates.get(process);
        if (lost != null) {
            arguments.add("--state-is-lost=" + lost);
        }
        return JavaCommand.of(HEAP_MEGABYTES, layout.temporary(), arguments);
    }

    private void pause() {
        EndedEarlyException.pause(shutdown, LOOK_EVERY);
    }

    private long nowMillis() {
        return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - beganNanos);
    }

    private void tell(String text) {
        progress.accept(String.format(Locale.ROOT, "%7.1f s  %s", nowMillis() / 1e3, text));
    }

    private GeneratorSettings load() {
        LoadShape shape =
                new LoadShape(
                        options.seed(),
                        LOGGING_PROCESSES,
                        2.0 * options.rate(),
                        0,
                        1,
                        CLICK_DELAY_MEDIAN,
                        CLICK_DELAY_SPREAD,
                        ODD_SHARE,
                        ODD_SHARE,
                        ODD_SHARE,
                        CLOCKS_OFF,
                        CLOCKS_OFF);
        return new GeneratorSettings(
                shape,
                GeneratorSettings.Format.JSON_LINES,
                GeneratorSettings.EVENTS_MAX,
                0,
                Duration.ZERO,
                ROTATE_BYTES,
                ROTATE_EVERY,
                true);
    }

    /** The part with a load. */
    private final class Loaded {
        private final DemoLayout layout;
        private final Fleet fleet;
        private final FaultActions actions;
        private final Deque<FaultSchedule.Planned> left;
        private final OutputWatch output;
        private final ResourceWatch resources;
        private final List<ResourceSample> samples = new ArrayList<>();
        private final long sampleEveryMillis =
                Math.max(SAMPLE_EVERY_MIN.toMillis(), options.time().toMillis() / SAMPLES);

        Loaded(DemoLayout layout, Fleet fleet, Map<String, LogVolume> volumes) {
            this.layout = layout;
            this.fleet = fleet;
            this.actions =
                    new FaultActions(
                            layout, fleet, volumes, files, lostStates, PipelineChaosRun.this::tell);
            this.left =
                    new ArrayDeque<>(
                            FaultSchedule.of(
                                    options.seed(),
                                    QUIET.toMillis(),
                                    options.time().toMillis(),
                                    options.faults()));
            Map<String, String> outputs = new TreeMap<>();
            DemoLayout.DATACENTERS.forEach(
                    name -> outputs.put(name, layout.output(name).toString()));
            this.output = new OutputWatch(files, outputs, JoinedIdentity.ofNativeFields());
            this.resources = new ResourceWatch(layout, fleet);
        }

        PipelineChaosResult run() throws IOException, InterruptedException {
            try (LiveGenerator load =
                    LiveGenerator.start(
                            layout.logs(), load(), LogStore.of(files), clock, (a, b, c) -> {})) {
                tell("all serve, the load begins");
                while (nowMillis() < options.time().toMillis()) {
                    load.failure().ifPresent(PipelineChaosRun::loadFailed);
                    turn(load.joinable());
                }
                actions.undoAll();
                Answer answer = load.stop();
                tell("nothing more happens: waiting for the last joins and repairs");
                awaitTheLast(answer.joinable());
                List<String> unfinished = verifiers("alarms");
                unfinished.addAll(verifiers("waiting"));
                fleet.stopAll(STOP_MAX);
                tell("all have ended: reading the books");
                return judge(answer, unfinished);
            }
        }

        private void turn(long joinable) throws IOException, InterruptedException {
            pause();
            long now = nowMillis();
            actions.undo(now);
            while (!left.isEmpty() && left.element().atMillis() <= now) {
                actions.begin(left.remove(), now);
            }
            fleet.checkAlive(actions.shouldRun());
            output.poll(now);
            if (samples.isEmpty() || now - lastSampleMillis() >= sampleEveryMillis) {
                samples.add(resources.look(now / 1e3, joinable, output.distinct()));
            }
        }

        private long lastSampleMillis() {
            return (long) (samples.get(samples.size() - 1).atSeconds() * 1e3);
        }

        /** Until all is published and repaired, or for a time in which it should be. */
        private void awaitTheLast(long expected) throws IOException, InterruptedException {
            long end = nowMillis() + LAST_JOINS_MAX.toMillis();
            do {
                turn(expected);
            } while ((output.distinct() < expected || repairsAreUnderWay()) && nowMillis() < end);
        }

        private boolean repairsAreUnderWay() {
            return !verifiers("waiting").isEmpty()
                    || DemoLayout.DATACENTERS.stream()
                            .map(name -> new ProcessName(name, ProcessName.VERIFIER, ""))
                            .anyMatch(v -> fleet.status(v).isEmpty() || !isIdle(v));
        }

        private boolean isIdle(ProcessName verifier) {
            return fleet.status(verifier)
                    .filter(line -> line.status().path("pending").asLong() == 0)
                    .filter(line -> line.status().path("fullLooks").asLong() > 0)
                    .isPresent();
        }

        /** What the verifiers' lists of this name say now. */
        private List<String> verifiers(String list) {
            List<String> all = new ArrayList<>();
            for (String datacenter : DemoLayout.DATACENTERS) {
                fleet.status(new ProcessName(datacenter, ProcessName.VERIFIER, ""))
                        .ifPresent(
                                line ->
                                        line.status()
                                                .path(list)
                                                .forEach(
                                                        each ->
                                                                all.add(
                                                                        each.isTextual()
                                                                                ? each.asText()
                                                                                : each
                                                                                        .toString())));
            }
            return all;
        }

        private PipelineChaosResult judge(Answer answer, List<String> unfinished)
                throws IOException {
            output.poll(nowMillis());
            DemoBooks reader = new DemoBooks(layout, files);
            LocalBooks.Costs none = new LocalBooks.Costs(0, 0, 0, 0, 0, 0, nowMillis() / 1e3);
            LocalBooks books = reader.read(none, unfinished);
            return new PipelineChaosResult(
                    options,
                    answer.joinable(),
                    books.toJson(),
                    output.duplicates(),
                    reader.audit(home),
                    actions.story(),
                    samples);
        }
    }

    private static void loadFailed(Throwable why) {
        throw new FailedException("The load has stopped: " + why);
    }
}

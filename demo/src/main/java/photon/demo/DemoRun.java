package photon.demo;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import photon.core.error.FailedException;
import photon.core.time.IntervalClock;
import photon.core.time.Standstill;
import photon.demo.DemoEvent.Kind;
import photon.demo.generate.Answer;
import photon.server.lifecycle.Shutdown;
import photon.server.local.LocalBooks;
import photon.storage.files.FileStore;
import photon.testbed.process.EndedEarlyException;
import photon.testbed.process.Fleet;
import photon.testbed.process.JavaCommand;
import photon.testbed.process.ProcessName;

/**
 * A demo from its first process to its result: two datacenters and a registry as processes, a live
 * load, what is killed, and the books. One thread.
 */
public final class DemoRun {
    private static final Duration LOOK_EVERY = Duration.ofMillis(200);
    private static final Duration STOP_MAX = Duration.ofMinutes(3);

    /**
     * How long nothing may move: while a datacenter comes back, for which the load goes on, and
     * while the last events are joined.
     */
    private static final Duration PATIENCE = Duration.ofMinutes(3);

    /** A port may go to somebody else between its choice and its use. */
    private static final int STARTS_MAX = 3;

    private static final int HEAP_MEGABYTES = 192;

    /** Names its logs by the directories of {@link DemoLayout#logs}. */
    static final String STREAMS =
            """
            retention: unlimited
            limits: {publishEvery: 1s}
            primary:
              paths: ["logs/primary/*.log*"]
              format: {type: json-lines}
              id: {server: server, process: process, timestamp: timestamp}
            foreign:
              paths: ["logs/foreign/*.log*"]
              format: {type: json-lines}
              id: {server: server, process: process, timestamp: timestamp}
              primaryId: {server: primary.server, process: primary.process, timestamp: primary.timestamp}
            """;

    private final DemoOptions options;
    private final FileStore files;
    private final IntervalClock clock;
    private final Shutdown shutdown;
    private final Path home;

    /**
     * @param home where the repository stands
     */
    DemoRun(
            DemoOptions options,
            FileStore files,
            IntervalClock clock,
            Shutdown shutdown,
            Path home) {
        this.options = options;
        this.files = files;
        this.clock = clock;
        this.shutdown = shutdown;
        this.home = home;
    }

    /**
     * Runs in a directory that must be empty.
     *
     * @throws EndedEarlyException if a signal came
     * @throws FailedException if a part of it cannot run
     */
    DemoReport run(Path work) throws IOException {
        for (int attempt = 1; ; attempt++) {
            Path directory = Files.createDirectories(work.resolve("run-" + attempt));
            try (DemoGround ground = ground(directory)) {
                Optional<DemoReport> report = run(directory, ground, attempt == STARTS_MAX);
                if (report.isPresent()) {
                    return report.get();
                }
            }
        }
    }

    private DemoGround ground(Path directory) throws IOException {
        return options.hdfs()
                ? DemoGround.hdfs(directory, home, new SecureRandom())
                : DemoGround.local(files);
    }

    /**
     * @param last what fails now fails for good
     * @return empty: other ports may help
     */
    private Optional<DemoReport> run(Path directory, DemoGround ground, boolean last)
            throws IOException {
        DemoLayout layout =
                new DemoLayout(
                        directory,
                        options.killJoiners() || options.hdfs() ? 2 : 1,
                        ground.places(),
                        new SecureRandom());
        layout.write(datacenter -> streams(ground.places(), datacenter));
        try (Fleet fleet = fleet(layout);
                LiveView view = LiveView.onStderr()) {
            try {
                start(layout, ground, fleet, view);
            } catch (FleetStart.PortTakenException e) {
                if (last) {
                    throw new FailedException(String.valueOf(e.getCause()));
                }
                return Optional.empty();
            }
            return Optional.of(new Joining(layout, ground, fleet, view).run());
        }
    }

    static String streams(DemoPlaces places, String datacenter) {
        return places.areLocal()
                ? STREAMS
                : STREAMS.replace("\"logs/", "\"" + places.logs(datacenter) + "/");
    }

    private void start(DemoLayout layout, DemoGround ground, Fleet fleet, LiveView view)
            throws IOException {
        List<ProcessName> all = layout.processes();
        long began = System.nanoTime();
        int processes = all.size() + ground.processes();
        // HDFS is there before those that need it.
        ground.start(this::pause, left -> starting(view, began, left, all.size(), processes));
        FleetStart.all(fleet, all, this::pause, left -> starting(view, began, left, 0, processes));
    }

    /**
     * @param later how many have not been started yet
     */
    private static void starting(
            LiveView view, long began, List<ProcessName> left, int later, int processes) {
        List<String> labels = new ArrayList<>(left.stream().map(ProcessName::label).toList());
        labels.addAll(Collections.nCopies(later, "one that waits for HDFS"));
        view.starting(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - began), labels, processes);
    }

    private static Fleet fleet(DemoLayout layout) {
        return new Fleet(
                process ->
                        JavaCommand.of(
                                HEAP_MEGABYTES, layout.temporary(), layout.arguments(process)),
                layout.daemonLogs());
    }

    private void pause() {
        EndedEarlyException.pause(shutdown, LOOK_EVERY);
    }

    /** The part with a load. */
    private final class Joining {
        private final DemoLayout layout;
        private final DemoGround ground;
        private final Fleet fleet;
        private final LiveView view;
        private final Timetable timetable = options.timetable();
        private final long began = System.nanoTime();

        Joining(DemoLayout layout, DemoGround ground, Fleet fleet, LiveView view) {
            this.layout = layout;
            this.ground = ground;
            this.fleet = fleet;
            this.view = view;
        }

        private long nowMillis() {
            return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - began);
        }

        DemoReport run() throws IOException {
            try (DemoLoad load =
                    DemoLoad.start(
                            layout.logs(),
                            options.load(),
                            ground.logs(layout.logs()),
                            clock,
                            this::nowMillis)) {
                DemoObserver observer =
                        new DemoObserver(layout, fleet, ground.files(), load, timetable);
                DemoKills kills = kills(observer);
                observer.happened(
                        0,
                        Kind.INFO,
                        "%d processes serve, the load begins"
                                .formatted(layout.processes().size() + ground.processes()));
                while (nowMillis() < timetable.endMillis()) {
                    load.check();
                    turn(observer, kills, "load");
                }
                awaitReturn(load, observer, kills);
                Answer answer = load.stop();
                observer.happened(
                        nowMillis(), Kind.INFO, "the load has ended, the last events are joined");
                boolean all = awaitLastJoins(observer, kills, answer.joinable());
                List<String> alarms = alarms();
                view.show(state(observer, all ? "all joined" : "not all joined"));
                view.note(nowMillis(), "the processes end");
                stopAll();
                observer.look(nowMillis());
                return report(observer, kills, answer, alarms);
            }
        }

        private DemoKills kills(DemoObserver observer) {
            Optional<Fleet> servers = ground.servers();
            return servers.isEmpty()
                    ? new Kills(layout, fleet, observer, timetable)
                    : new WorkerKills(
                            layout,
                            fleet,
                            servers.get(),
                            ground.files(),
                            observer,
                            timetable,
                            new Random(options.seed()));
        }

        private void turn(DemoObserver observer, DemoKills kills, String phase) throws IOException {
            pause();
            kills.act(nowMillis(), ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now()));
            fleet.checkAlive(kills.shouldRun());
            observer.look(nowMillis());
            view.show(state(observer, phase));
        }

        private ViewState state(DemoObserver observer, String phase) {
            return new ViewState(
                    observer.samples(),
                    observer.events(),
                    nowMillis(),
                    timetable.endMillis(),
                    layout.replicas().size(),
                    observer.repairsPending(),
                    observer.outcomesLost(),
                    phase);
        }

        /** The load goes on: there must be something left to join for one that comes back. */
        private void awaitReturn(DemoLoad load, DemoObserver observer, DemoKills kills)
                throws IOException {
            Standstill standstill =
                    new Standstill(PATIENCE, kills.awaitedProgress(), System.nanoTime());
            kills.awaited()
                    .ifPresent(
                            what ->
                                    observer.happened(
                                            nowMillis(),
                                            Kind.INFO,
                                            "the load goes on until " + what));
            while (kills.awaited().isPresent()
                    && !standstill.reached(kills.awaitedProgress(), System.nanoTime())) {
                load.check();
                turn(observer, kills, "load");
            }
        }

        /**
         * Until all is published that can be, or nothing has moved for a while.
         *
         * @return all is
         */
        private boolean awaitLastJoins(DemoObserver observer, DemoKills kills, long expected)
                throws IOException {
            Standstill standstill =
                    new Standstill(PATIENCE, joinProgress(observer), System.nanoTime());
            do {
                turn(observer, kills, "the last joins");
                if (standstill.reached(joinProgress(observer), System.nanoTime())) {
                    observer.happened(
                            nowMillis(),
                            Kind.INFO,
                            "given up: %,d of %,d events are published, and there was no progress for %d minutes"
                                    .formatted(
                                            observer.output().distinct(),
                                            expected,
                                            PATIENCE.toMinutes()));
                    return false;
                }
            } while (observer.output().distinct() < expected);
            return true;
        }

        private Object joinProgress(DemoObserver observer) {
            return List.of(
                    observer.output().distinct(),
                    observer.repairsPending(),
                    DemoLayout.DATACENTERS.stream().map(observer::recordsReadBy).toList());
        }

        private void stopAll() {
            List<ProcessName> disorderly = fleet.stopAll(STOP_MAX);
            if (!disorderly.isEmpty()) {
                view.note(
                        nowMillis(),
                        "these processes did not end in good order, or not within %d minutes: %s"
                                .formatted(STOP_MAX.toMinutes(), FleetStart.labels(disorderly)));
            }
        }

        private List<String> alarms() {
            List<String> alarms = new ArrayList<>();
            for (String datacenter : DemoLayout.DATACENTERS) {
                fleet.status(new ProcessName(datacenter, ProcessName.VERIFIER, ""))
                        .ifPresent(
                                line ->
                                        line.status()
                                                .path("alarms")
                                                .forEach(alarm -> alarms.add(alarm.asText())));
            }
            return alarms;
        }

        private DemoReport report(
                DemoObserver observer, DemoKills kills, Answer answer, List<String> alarms)
                throws IOException {
            view.note(nowMillis(), "the books are read from the files");
            DemoBooks reader = new DemoBooks(layout, ground.files());
            LocalBooks books = reader.read(observer.costs(nowMillis() / 1e3), alarms);
            view.note(nowMillis(), "the auditor, a Python program, reads the same files");
            DemoFigures figures =
                    new DemoFigures(
                            answer.joinable(),
                            kills.outage(),
                            observer.leaderChanges(),
                            reader.repairSeconds(kills.killedJoiners(), observer.output()),
                            observer.delays(),
                            observer.stages(),
                            reader.audit(home),
                            kills.workers());
            return new DemoReport(
                    new DemoResult(books.toJson(), figures),
                    title(),
                    new Plot(title(), observer.samples(), observer.events()).svg(),
                    observer.events(),
                    layout.work());
        }

        private String title() {
            String what =
                    options.killDatacenter()
                            ? "a datacenter dies and comes back"
                            : options.killWorkers()
                                    ? "on HDFS, a worker is killed every 5 s"
                                    : options.killJoiners()
                                            ? "a joiner is killed every 5 s"
                                            : options.hdfs() ? "on HDFS" : "a calm run";
            return "photon demo: %,.0f clicks per second, %s"
                    .formatted(options.clicksPerSecond(), what);
        }
    }
}

package photon.demo.chaos;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.stream.Stream;
import photon.demo.DemoLayout;
import photon.storage.files.FileStore;
import photon.storage.state.StateHome;
import photon.testbed.process.Fleet;
import photon.testbed.process.ProcessName;

/**
 * Does what is planned and undoes it when its time is over. What is down or paused already is left
 * alone, and a majority of the registry's replicas runs at any time. Not thread-safe.
 */
final class FaultActions {
    private final DemoLayout layout;
    private final Fleet fleet;
    private final Map<String, LogVolume> volumes;
    private final FileStore files;
    private final Map<ProcessName, UUID> lostStates;
    private final Consumer<String> told;
    private final Set<ProcessName> affected = new HashSet<>();
    private final Queue<Undo> undoing =
            new PriorityQueue<>(Comparator.comparingLong(Undo::atMillis));
    private final List<FaultRecord> story = new ArrayList<>();

    /**
     * What was done.
     *
     * @param target a process, a datacenter; empty: there was nothing to do it to
     */
    record FaultRecord(long atMillis, PipelineFault fault, String target, long holdMillis) {}

    private record Undo(long atMillis, String what, Step step) {}

    private interface Step {
        void run() throws IOException, InterruptedException;
    }

    /**
     * @param volumes of each datacenter
     * @param lostStates is told which state a process is to be started without
     * @param told of all that is done
     */
    FaultActions(
            DemoLayout layout,
            Fleet fleet,
            Map<String, LogVolume> volumes,
            FileStore files,
            Map<ProcessName, UUID> lostStates,
            Consumer<String> told) {
        this.layout = layout;
        this.fleet = fleet;
        this.volumes = volumes;
        this.files = files;
        this.lostStates = lostStates;
        this.told = told;
    }

    List<FaultRecord> story() {
        return List.copyOf(story);
    }

    /** Those that should run now. */
    Collection<ProcessName> shouldRun() {
        return layout.processes().stream().filter(process -> !affected.contains(process)).toList();
    }

    /** Undoes what is due. */
    void undo(long nowMillis) throws IOException, InterruptedException {
        while (!undoing.isEmpty() && undoing.element().atMillis() <= nowMillis) {
            Undo due = undoing.remove();
            due.step().run();
            told.accept(due.what());
        }
    }

    /** Undoes all. */
    void undoAll() throws IOException, InterruptedException {
        undo(Long.MAX_VALUE);
    }

    void begin(FaultSchedule.Planned planned, long nowMillis)
            throws IOException, InterruptedException {
        List<String> datacenters = new ArrayList<>(DemoLayout.DATACENTERS);
        if (planned.pick() % 2 == 1) {
            Collections.reverse(datacenters);
        }
        String target = "";
        for (String datacenter : datacenters) {
            if (target.isEmpty()) {
                target = begin(planned, datacenter, nowMillis + planned.hold().toMillis());
            }
        }
        story.add(new FaultRecord(nowMillis, planned.fault(), target, planned.hold().toMillis()));
        told.accept(
                target.isEmpty()
                        ? planned.fault().label() + ": nothing is left that it could be done to"
                        : "%s %s for %.1f s"
                                .formatted(
                                        planned.fault().label(),
                                        target,
                                        planned.hold().toMillis() / 1e3));
    }

    /**
     * @return to whom it was done; empty: there is nobody in this datacenter
     */
    private String begin(FaultSchedule.Planned planned, String datacenter, long until)
            throws IOException, InterruptedException {
        return switch (planned.fault()) {
            case KILL_JOINER, RESTART_JOINER -> kill(one(joiners(datacenter), planned), until);
            case PAUSE_JOINER -> pause(one(joiners(datacenter), planned), until);
            case KILL_DISPATCHER -> kill(only(datacenter, ProcessName.DISPATCHER), until);
            case PAUSE_DISPATCHER -> pause(only(datacenter, ProcessName.DISPATCHER), until);
            case KILL_EVENT_STORE -> kill(only(datacenter, ProcessName.EVENT_STORE), until);
            case KILL_VERIFIER -> kill(only(datacenter, ProcessName.VERIFIER), until);
            case PAUSE_VERIFIER -> pause(only(datacenter, ProcessName.VERIFIER), until);
            case KILL_REPLICA -> kill(one(replicas(), planned), until);
            case LOGS_AWAY -> unmount(datacenter, planned, until);
            case STATE_LOST -> loseState(only(datacenter, ProcessName.DISPATCHER), until);
            case KILL_DATACENTER -> killAll(datacenter, until);
        };
    }

    private List<ProcessName> joiners(String datacenter) {
        return unaffected(layout.joiners(datacenter));
    }

    private List<ProcessName> only(String datacenter, String role) {
        return unaffected(List.of(new ProcessName(datacenter, role, "")));
    }

    /** None while another is down: two at once are a datacenter's. */
    private List<ProcessName> replicas() {
        List<ProcessName> up = unaffected(layout.replicas());
        return up.size() == layout.replicas().size() ? up : List.of();
    }

    private List<ProcessName> unaffected(List<ProcessName> processes) {
        return processes.stream().filter(process -> !affected.contains(process)).toList();
    }

    private static List<ProcessName> one(List<ProcessName> of, FaultSchedule.Planned planned) {
        return of.isEmpty() ? of : List.of(of.get(planned.pick() / 2 % of.size()));
    }

    private static String labels(List<ProcessName> processes) {
        return String.join(", ", processes.stream().map(ProcessName::label).toList());
    }

    private String kill(List<ProcessName> processes, long until) {
        if (!processes.isEmpty()) {
            affected.addAll(processes);
            fleet.kill(processes);
            later(until, labels(processes) + " is started again", () -> start(processes));
        }
        return labels(processes);
    }

    private void start(List<ProcessName> processes) throws IOException {
        for (ProcessName process : processes) {
            fleet.start(process);
        }
        processes.forEach(affected::remove);
    }

    private String pause(List<ProcessName> processes, long until)
            throws IOException, InterruptedException {
        for (ProcessName process : processes) {
            affected.add(process);
            fleet.pause(process);
            later(
                    until,
                    process.label() + " goes on",
                    () -> {
                        fleet.goOn(process);
                        affected.remove(process);
                    });
        }
        return labels(processes);
    }

    private String killAll(String datacenter, long until) {
        if (replicas().isEmpty()) {
            return "";
        }
        // What is down or paused there comes back by itself.
        kill(unaffected(layout.processesIn(datacenter)), until);
        return datacenter;
    }

    private String unmount(String datacenter, FaultSchedule.Planned planned, long until)
            throws IOException {
        LogVolume volume = volumes.get(datacenter);
        if (volume == null || volume.isAway()) {
            return "";
        }
        volume.unmount(planned.pick() / 2 % 2 == 0);
        later(until, "the logs of " + datacenter + " are there again", volume::mount);
        return datacenter;
    }

    /**
     * It is started with the word that the state is lost, as the refusal to start would ask for.
     */
    private String loseState(List<ProcessName> dispatchers, long until) throws IOException {
        for (ProcessName dispatcher : dispatchers) {
            Path home = layout.state(dispatcher.datacenter()).resolve("dispatcher");
            Optional<UUID> lost = new StateHome(files, home.toString()).identity();
            if (lost.isPresent()) {
                kill(dispatchers, until);
                deleteAll(home);
                lostStates.put(dispatcher, lost.get());
                return labels(dispatchers);
            }
        }
        return ""; // it has just begun, and has none yet
    }

    private static void deleteAll(Path directory) throws IOException {
        try (Stream<Path> all = Files.walk(directory)) {
            for (Path file : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }

    private void later(long atMillis, String what, Step step) {
        undoing.add(new Undo(atMillis, what, step));
    }
}

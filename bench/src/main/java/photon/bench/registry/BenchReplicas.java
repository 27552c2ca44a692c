package photon.bench.registry;

import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import photon.core.error.FailedException;
import photon.server.lifecycle.Shutdown;
import photon.testbed.process.EndedEarlyException;
import photon.testbed.process.Fleet;
import photon.testbed.process.ProcessName;

/** The replicas of a run as they are now, and what they and this process have used. One thread. */
final class BenchReplicas {
    private static final Duration LOOK_EVERY = Duration.ofMillis(100);
    private static final Duration START_MAX = Duration.ofMinutes(10);

    private final Fleet fleet;
    private final BenchLayout layout;
    private final Shutdown shutdown;

    BenchReplicas(Fleet fleet, BenchLayout layout, Shutdown shutdown) {
        this.fleet = fleet;
        this.layout = layout;
        this.shutdown = shutdown;
    }

    /** Returns when all serve. */
    void start() throws IOException {
        for (ProcessName replica : layout.replicas()) {
            fleet.start(replica);
        }
        long began = System.nanoTime();
        while (!layout.replicas().stream().allMatch(fleet::serving)) {
            look();
            if (System.nanoTime() - began > START_MAX.toNanos()) {
                throw new FailedException(
                        "Expected all replicas to serve within %s s"
                                .formatted(START_MAX.toSeconds()));
            }
        }
    }

    /**
     * Waits a moment.
     *
     * @throws EndedEarlyException if a signal came
     * @throws FailedException if a replica has ended
     */
    void look() {
        EndedEarlyException.pause(shutdown, LOOK_EVERY);
        fleet.checkAlive(layout.replicas());
    }

    /** Does something at each look, for so long. */
    void pass(Duration time, Runnable meanwhile) {
        long end = System.nanoTime() + time.toNanos();
        while (System.nanoTime() - end < 0) {
            look();
            meanwhile.run();
        }
    }

    void pass(Duration time) {
        pass(time, () -> {});
    }

    /** SIGKILL, and started again at once. */
    void killAndStart(int replica) throws IOException {
        ProcessName name = layout.replicas().get(replica);
        fleet.kill(name);
        fleet.start(name);
    }

    /** The number of the first replica that leads a shard; the first of all if nobody says so. */
    int leader() {
        for (int i = 0; i < layout.replicas().size(); i++) {
            boolean leads =
                    fleet.status(layout.replicas().get(i)).stream()
                            .flatMap(line -> line.status().path("leads").properties().stream())
                            .anyMatch(
                                    group ->
                                            !group.getKey().equals("control")
                                                    && group.getValue().asBoolean());
            if (leads) {
                return i;
            }
        }
        return 0;
    }

    /** By name, this process last. */
    Map<String, Long> pids() {
        Map<String, Long> pids = new LinkedHashMap<>();
        for (ProcessName replica : layout.replicas()) {
            fleet.pid(replica).ifPresent(pid -> pids.put(replica.name(), pid));
        }
        pids.put(BenchResult.LOAD, ProcessHandle.current().pid());
        return pids;
    }

    /** What each process has used since its start. */
    Map<String, ProcessFigures> figures() {
        Map<String, ProcessFigures> figures = new LinkedHashMap<>();
        pids().forEach((name, pid) -> figures.put(name, ProcessFigures.of(pid)));
        return figures;
    }

    /** Commit entries of all leaders, and the ids in them. */
    record Entries(long entries, long ids) {
        Entries since(Entries before) {
            return new Entries(entries - before.entries, ids - before.ids);
        }
    }

    /** As the replicas last told, a moment ago. */
    Entries entries() {
        long entries = 0;
        long ids = 0;
        for (ProcessName replica : layout.replicas()) {
            for (var line : fleet.status(replica).stream().toList()) {
                entries += line.status().path("commitEntries").asLong();
                ids += line.status().path("committedIds").asLong();
            }
        }
        return new Entries(entries, ids);
    }
}

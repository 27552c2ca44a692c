package photon.bench.registry;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;

/** Flight recordings and threads' times of all processes of a run, from one moment to another. */
final class Recordings {
    private final BenchReplicas replicas;
    private final Path directory;
    private final boolean profile;
    private final Map<String, FlightRecording> running = new LinkedHashMap<>();
    private Map<String, Map<Long, Long>> threadsBefore = Map.of();
    private Map<String, Map<Long, Long>> threadsAfter = Map.of();
    private Instant from = Instant.MAX;
    private Instant to = Instant.MIN;

    /**
     * @param profile where time went is wanted too, of this process as well
     */
    Recordings(BenchReplicas replicas, Path directory, boolean profile) {
        this.replicas = replicas;
        this.directory = directory;
        this.profile = profile;
    }

    /** Makes ready, which takes the processes some time of their own. */
    void begin() throws IOException {
        for (Map.Entry<String, Long> process : replicas.pids().entrySet()) {
            if (profile || !process.getKey().equals(BenchResult.LOAD)) {
                FlightRecording.begin(process.getValue(), directory, profile)
                        .ifPresent(recording -> running.put(process.getKey(), recording));
            }
        }
    }

    /** From here on it counts. */
    void from() throws IOException {
        from = Instant.now();
        threadsBefore = threads();
    }

    /** And to here. */
    void to() throws IOException {
        to = Instant.now();
        threadsAfter = threads();
    }

    private Map<String, Map<Long, Long>> threads() throws IOException {
        Map<String, Map<Long, Long>> threads = new LinkedHashMap<>();
        if (profile) {
            for (Map.Entry<String, Long> process : replicas.pids().entrySet()) {
                threads.put(process.getKey(), ThreadTimes.micros(process.getValue()));
            }
        }
        return threads;
    }

    /** What the processes recorded, by name; those that are gone, or cannot, are not there. */
    Map<String, FlightRecording.Recorded> end() throws IOException {
        Map<String, FlightRecording.Recorded> recorded = new LinkedHashMap<>();
        for (Map.Entry<String, FlightRecording> recording : running.entrySet()) {
            recording.getValue().end(from, to).ifPresent(r -> recorded.put(recording.getKey(), r));
        }
        return recorded;
    }

    /** Microseconds by kind of thread, by process; nothing without a profile. */
    Map<String, Map<String, Long>> threadTimes() throws IOException {
        Map<String, Map<String, Long>> used = new LinkedHashMap<>();
        for (Map.Entry<String, Map<Long, Long>> process : threadsAfter.entrySet()) {
            String name = process.getKey();
            Long pid = replicas.pids().get(name);
            if (pid != null) {
                Path output = directory.resolve(name + "-threads.txt");
                used.put(
                        name,
                        ThreadTimes.byKind(
                                threadsBefore.getOrDefault(name, Map.of()),
                                process.getValue(),
                                ThreadTimes.kinds(
                                        Jcmd.run(pid, output, "Thread.print").orElse(""))));
            }
        }
        return used;
    }
}

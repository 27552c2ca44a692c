package photon.bench.pipeline;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;

/** Which part of a system a thread works for, by its name as Linux has it: 15 characters. */
final class ThreadParts {
    /** Threads of no part, and what threads used that ended between two scans. */
    static final String OTHER = "other";

    private static final String COMPILER = "JIT";
    private static final String COLLECTOR = "GC";

    /** All parts of {@code photon local}. */
    static final ThreadParts PHOTON =
            new ThreadParts()
                    .with("event store", "eventstore-|rocksdb:")
                    .with("dispatcher", ".*-dispatch")
                    .with("joiner", ".*/joiner-")
                    .with(
                            "registry",
                            "r\\d+[-@]|registry-|id-registry|admission|control|timer\\d|JvmPauseMonitor")
                    .with("gRPC", "grpc-|.*-boss-|.*-server-wo")
                    .ofVm();

    static final ThreadParts FLINK =
            new ThreadParts()
                    .with("sources", "Source: |Source Data Fe|SourceCoordinat")
                    .with("join and sink", "join -> ")
                    .with("checkpoints", "AsyncOperations|jobmanager-io|Checkpoint")
                    .with("RPC", "flink-pekko|flink-akka")
                    .ofVm();

    private final Map<String, Pattern> patterns = new LinkedHashMap<>();

    private ThreadParts with(String part, String pattern) {
        patterns.put(part, Pattern.compile("(" + pattern + ").*"));
        return this;
    }

    private ThreadParts ofVm() {
        return with(COMPILER, "C[12] Comp|Sweeper")
                .with(COLLECTOR, "GC Thread|ParGC|G1 |VM Thread");
    }

    /** Microseconds by part; what the threads' sum lacks of the process's is of {@link #OTHER}. */
    Map<String, Long> micros(Map<String, Long> byThread, long processMicros) {
        Map<String, Long> parts = new LinkedHashMap<>();
        patterns.keySet().forEach(part -> parts.put(part, 0L));
        byThread.forEach((thread, micros) -> parts.merge(part(thread), micros, Long::sum));
        long known = parts.values().stream().mapToLong(Long::longValue).sum();
        parts.merge(OTHER, Math.max(0, processMicros - known), Long::sum);
        return parts;
    }

    String part(String thread) {
        for (Map.Entry<String, Pattern> part : patterns.entrySet()) {
            if (part.getValue().matcher(thread).matches()) {
                return part.getKey();
            }
        }
        return OTHER;
    }
}

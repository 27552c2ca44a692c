package photon.bench.registry;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What a run of {@code photon bench registry} is to do.
 *
 * @param replicas processes of the registry
 * @param shards Raft groups that share the ids
 * @param connections of the load, each with a thread of its own
 * @param callers that commit side by side
 * @param batch ids a call
 * @param inFlight calls that a caller has under way at one time
 * @param rate ids a second, offered whether the ones before are answered or not (open loop); empty:
 *     each caller sends its next call when one is answered (closed loop)
 * @param contestedPercent of the ids are committed by two callers at the same time
 * @param wanDelay one way, between replicas
 * @param preload ids that are committed first, with timestamps of the last three days
 * @param drop the preloaded ids are dropped in the second half of the measured time
 * @param seconds that are measured
 * @param warmUp before that, with the same load
 * @param lookups the load of lookups, after the commits; empty: none
 * @param lookupSeconds that are measured of it
 * @param lookupBatch ids a lookup
 * @param replicaHeapBytes of each replica
 * @param replicaOptions more options of the replicas' Java VMs
 * @param directory where to make the run's directory; empty: the system's for temporary files
 * @param keep the run's directory stays
 * @param profile tell where the processors' time went
 */
public record RegistryBenchOptions(
        int replicas,
        int shards,
        int connections,
        int callers,
        int batch,
        int inFlight,
        OptionalLong rate,
        int contestedPercent,
        Duration wanDelay,
        long preload,
        boolean drop,
        int seconds,
        Duration warmUp,
        Optional<Lookups> lookups,
        int lookupSeconds,
        int lookupBatch,
        long replicaHeapBytes,
        List<String> replicaOptions,
        Optional<Path> directory,
        boolean keep,
        boolean profile) {

    /** Less leaves the compiler at work while the clock runs. */
    public static final Duration WARM_UP_MIN = Duration.ofSeconds(30);

    /** As many as one request may hold. */
    static final int BATCH_MAX = 4_096;

    private static final long HEAP_MIN = 128L << 20;
    private static final long IDS_OUTSTANDING_MAX = 1L << 22;

    /**
     * Local lookups.
     *
     * @param rate ids a second; empty: closed loop
     */
    public record Lookups(OptionalLong rate) {}

    public RegistryBenchOptions {
        replicaOptions = List.copyOf(replicaOptions);
    }

    /** Ids that the callers have outstanding at one time, at the most, in a closed loop. */
    long idsOutstandingMax() {
        return (long) callers * inFlight * batch;
    }

    boolean warmedUp() {
        return warmUp.compareTo(WARM_UP_MIN) >= 0;
    }

    /** What a user has to mend, each as a sentence; empty if nothing. */
    public List<String> problems() {
        List<String> problems = new ArrayList<>();
        if (replicas != 1 && replicas != 3 && replicas != 5) {
            problems.add("--replicas is %d: expected 1, 3 or 5".formatted(replicas));
        }
        range(problems, "--shards", shards, 1, 64);
        range(problems, "--connections", connections, 1, 64);
        range(problems, "--callers", callers, 1, 100_000);
        range(problems, "--batch", batch, 1, BATCH_MAX);
        range(problems, "--in-flight", inFlight, 1, 10_000);
        range(problems, "--contested", contestedPercent, 0, 100);
        range(problems, "--wan-delay in milliseconds", wanDelay.toMillis(), 0, 2_000);
        range(problems, "--preload", preload, 0, 10_000_000_000L);
        range(problems, "--duration in seconds", seconds, 1, 86_400);
        range(problems, "--warm-up in seconds", warmUp.toSeconds(), 0, 86_400);
        range(problems, "--lookup-duration in seconds", lookupSeconds, 1, 86_400);
        range(problems, "--lookup-batch", lookupBatch, 1, BATCH_MAX);
        rate.ifPresent(r -> range(problems, "--rate", r, 1, 100_000_000));
        lookups.flatMap(l -> l.rate().stream().boxed().findFirst())
                .ifPresent(r -> range(problems, "--lookups", r, 1, 1_000_000_000));
        if (contestedPercent > 0 && callers < 2) {
            problems.add("--contested with one caller: expected --callers of at least 2");
        }
        if (drop && preload == 0) {
            problems.add("--drop without --preload: expected ids that can be dropped");
        }
        if (drop && lookups.isPresent()) {
            problems.add("--drop with --lookups: expected --lookups none, as old ids are gone");
        }
        if (drop && Duration.ofSeconds(seconds).compareTo(DropPhase.SECONDS_MIN) < 0) {
            problems.add(
                    "--drop with --duration %ds: expected at least %ds"
                            .formatted(seconds, DropPhase.SECONDS_MIN.toSeconds()));
        }
        if (idsOutstandingMax() > IDS_OUTSTANDING_MAX) {
            problems.add(
                    "--callers x --in-flight x --batch is %d ids: expected at most %d"
                            .formatted(idsOutstandingMax(), IDS_OUTSTANDING_MAX));
        }
        if (replicaHeapBytes < HEAP_MIN) {
            problems.add(
                    "--replica-heap is %d MiB: expected at least %d MiB"
                            .formatted(replicaHeapBytes >> 20, HEAP_MIN >> 20));
        }
        return problems;
    }

    private static void range(
            List<String> problems, String option, long value, long least, long most) {
        if (value < least || value > most) {
            problems.add("%s is %d: expected from %d to %d".formatted(option, value, least, most));
        }
    }
}

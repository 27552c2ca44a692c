package photon.bench.registry;

import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import photon.registry.api.IdRegistry;

/** Local lookups at one replica, while nobody commits. */
final class LookupPhase {
    private static final Duration WARM_UP_MAX = Duration.ofSeconds(10);
    private static final Duration END_MAX = Duration.ofMinutes(1);

    private final RegistryBenchOptions options;
    private final BenchReplicas replicas;
    private final BenchLayout layout;

    LookupPhase(RegistryBenchOptions options, BenchReplicas replicas, BenchLayout layout) {
        this.options = options;
        this.replicas = replicas;
        this.layout = layout;
    }

    /**
     * @param replica which is asked
     * @param oldEnd numbers below this are old
     */
    void run(int replica, BenchIds ids, Referee referee, long oldEnd, BenchResult result) {
        try (LoadConnection connection = LoadConnection.to(List.of(layout.service(replica)))) {
            IdRegistry registry = connection.registry();
            CaughtUp.await(registry, ids, replicas::look);
            LookupLoad load =
                    new LookupLoad(
                            registry,
                            new LookupLoad.Questions(
                                    ids,
                                    options.lookupBatch(),
                                    oldEnd,
                                    ids.end(),
                                    new SplittableRandom()),
                            referee,
                            options.lookups().orElseThrow().rate());
            load.start();
            replicas.pass(
                    options.warmUp().compareTo(WARM_UP_MAX) < 0 ? options.warmUp() : WARM_UP_MAX);
            long began = System.nanoTime();
            Latencies latencies = new Latencies(began, options.lookupSeconds());
            load.measure(latencies);
            long before = load.answered();
            replicas.pass(Duration.ofSeconds(options.lookupSeconds()));
            long answered = load.answered() - before;
            long nanos = System.nanoTime() - began;
            load.stop();
            LoadConnection.await(load.ended(), END_MAX);
            result.lookups(answered, nanos, latencies, oldEnd > 0);
        }
    }
}

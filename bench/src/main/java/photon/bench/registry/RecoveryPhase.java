package photon.bench.registry;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import photon.registry.api.IdRegistry;
import photon.registry.api.LookupAnswers;

/** A replica is killed and started again: how long until it knows all, and does it? */
final class RecoveryPhase {
    private static final Duration ANSWER_MAX = Duration.ofMinutes(1);
    private static final int LOOKUPS = 200;
    private static final int BATCH = 1_024;

    private final BenchReplicas replicas;
    private final BenchLayout layout;

    RecoveryPhase(BenchReplicas replicas, BenchLayout layout) {
        this.replicas = replicas;
        this.layout = layout;
    }

    /**
     * @param replica which is killed
     * @param oldEnd numbers below this are old
     */
    void run(int replica, BenchIds ids, Referee referee, long oldEnd, BenchResult result)
            throws IOException {
        long wrongBefore = referee.wrong();
        long killed = System.nanoTime();
        replicas.killAndStart(replica);
        try (LoadConnection connection = LoadConnection.to(List.of(layout.service(replica)))) {
            IdRegistry registry = connection.registry();
            CaughtUp.await(registry, ids, replicas::look);
            long nanos = System.nanoTime() - killed;
            LookupLoad.Questions questions =
                    new LookupLoad.Questions(ids, BATCH, oldEnd, ids.end(), new SplittableRandom());
            for (int i = 0; i < LOOKUPS; i++) {
                long[] numbers = questions.numbers();
                LookupAnswers answers =
                        LoadConnection.await(
                                registry.lookup(
                                        questions.ask(numbers),
                                        IdRegistry.Freshness.LOCAL,
                                        ANSWER_MAX),
                                ANSWER_MAX);
                questions.judge(numbers, answers, referee);
            }
            String name = layout.replicas().get(replica).name();
            result.recovered(
                    name,
                    nanos,
                    (long) LOOKUPS * BATCH,
                    referee.wrong() - wrongBefore,
                    replicas.figures().getOrDefault(name, ProcessFigures.NONE).residentBytes());
        }
    }
}

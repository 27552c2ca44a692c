package photon.joiner;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import photon.core.id.CommitToken;
import photon.core.id.EventId;
import photon.joiner.MemoryEventStore.Mode;
import photon.proto.v1.JoinResult.Status;
import photon.storage.output.WorkRecord;

/**
 * Thousands of events through a joiner whose registry answers late, twice and out of order, whose
 * output fails, and which is fenced now and then; the main and the output loop take turns at
 * random.
 */
class JoinerModelTest {
    private static final int EVENTS = 3_000;
    private static final int IDS = 1_500;

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16})
    void everyAcceptedTokenIsWrittenOnceAtMostAndEveryEventIsAnsweredOnce(long seed) {
        Random random = new Random(seed);
        JoinerBench bench =
                new JoinerBench(
                        JoinerBench.settings("merge", JoinerBench.limits(200, 20)), seed, true);
        bench.registry.decideAtOnce = false;
        bench.eventStore.mode = () -> random.nextInt(30) == 0 ? Mode.BREAK : Mode.ANSWER;
        bench.files.fails = call -> random.nextInt(400) == 0;
        Map<Long, Long> clickOf = new HashMap<>();
        int sent = 0;
        while (sent < EVENTS) {
            switch (random.nextInt(8)) {
                case 0, 1 -> {
                    for (int i = random.nextInt(8); i >= 0 && sent < EVENTS; i--) {
                        long click = random.nextInt(IDS);
                        clickOf.put(bench.send(click), click);
                        sent++;
                    }
                }
                case 2, 3 -> bench.main.runUntilIdle();
                case 4 -> bench.output.runUntilIdle();
                case 5 -> decideSome(bench, random);
                case 6 -> {
                    Duration step = Duration.ofMillis(random.nextInt(300));
                    bench.main.advance(step);
                    bench.output.advance(step);
                }
                default -> {
                    if (random.nextInt(40) == 0) {
                        bench.registry.lowestLive = bench.registry.infos.size() + 1;
                    }
                }
            }
        }
        bench.files.fails = call -> false;
        for (int i = 0; i < 200; i++) {
            bench.main.advance(Duration.ofMillis(200));
            bench.output.advance(Duration.ofMillis(200));
            bench.registry.decideAll(random.nextInt(10) == 0);
        }
        assertThat(bench.answers.keySet()).isEqualTo(clickOf.keySet());
        assertThat(bench.joiner.status().admitted()).isZero();
        assertThat(bench.joiner.status().admittedBytes()).isZero();
        assertThat(bench.joiner.status().inFlight()).isZero();
        assertThat(bench.joiner.status().restarts()).isPositive();
        checkRecords(bench);
        checkAnswers(bench, clickOf);
    }

    private static void decideSome(JoinerBench bench, Random random) {
        for (int i = random.nextInt(60); i >= 0 && !bench.registry.waiting.isEmpty(); i--) {
            ModelRegistry.Waiting next =
                    random.nextBoolean()
                            ? bench.registry.waiting.removeFirst()
                            : bench.registry.waiting.removeLast();
            if (random.nextInt(5) == 0) {
                // A first copy was decided, its answer lost.
                bench.registry.apply(next.commit());
                bench.registry.decide(next, true);
            } else if (random.nextInt(10) == 0) {
                bench.registry.waiting.addLast(next);
            } else {
                bench.registry.decide(next, false);
            }
        }
    }

    private static void checkRecords(JoinerBench bench) {
        Set<EventId> ids = new HashSet<>();
        Set<CommitToken> tokens = new HashSet<>();
        for (WorkRecord record : bench.files.appended) {
            assertThat(bench.registry.held)
                    .as("only accepted events are written")
                    .containsEntry(record.id(), record.token());
            assertThat(tokens.add(record.token())).as("token %s once", record.token()).isTrue();
            assertThat(ids.add(record.id())).as("id %s once", record.id()).isTrue();
        }
        assertThat(bench.files.published).isNotEmpty().doesNotHaveDuplicates();
    }

    private static void checkAnswers(JoinerBench bench, Map<Long, Long> clickOf) {
        Set<EventId> synced = new HashSet<>();
        bench.files.synced.forEach(record -> synced.add(record.id()));
        Map<Status, Integer> counts = new HashMap<>();
        bench.answers.forEach(
                (number, result) -> {
                    counts.merge(result.getStatus(), 1, Integer::sum);
                    EventId id = Events.id(clickOf.getOrDefault(number, -1L));
                    if (result.getStatus() == Status.JOINED) {
                        assertThat(synced).as("joined means flushed").contains(id);
                    }
                    if (result.getStatus() == Status.JOINED_ELSEWHERE) {
                        assertThat(bench.registry.held).containsKey(id);
                    }
                });
        assertThat(counts).containsKeys(Status.JOINED, Status.ABANDONED, Status.RETRY_ALL);
        assertThat(List.of(Status.REJECTED, Status.SKIPPED)).noneMatch(counts::containsKey);
    }
}

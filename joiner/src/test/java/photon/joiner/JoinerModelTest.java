package photon.joiner;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
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
import photon.registry.api.RegistryClient.Commit;
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
        bench.registry.cancelAtOnce = false;
        List<Commit> late = new ArrayList<>();
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
                case 5 -> decideSome(bench, random, late);
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
            bench.registry.cancelAll();
        }
        late.forEach(bench.registry::apply);
        assertThat(bench.answers.keySet()).isEqualTo(clickOf.keySet());
        assertThat(bench.joiner.status().admitted()).isZero();
        assertThat(bench.joiner.status().admittedBytes()).isZero();
        assertThat(bench.joiner.status().inFlight()).isZero();
        assertThat(bench.joiner.status().restarts()).isPositive();
        checkRecords(bench);
        checkHeld(bench);
        checkAnswers(bench, clickOf);
    }

    /** Copies come at any time later, also when their commit is long answered. */
    private static void decideSome(JoinerBench bench, Random random, List<Commit> late) {
        if (random.nextBoolean()) {
            bench.registry.cancelAll();
        }
        for (int i = random.nextInt(3); i > 0 && !late.isEmpty(); i--) {
            bench.registry.apply(late.remove(random.nextInt(late.size())));
        }
        if (random.nextInt(20) == 0) {
            // Whoever holds these elsewhere is repaired.
            bench.registry.held.values().removeIf(holder -> holder.slot() == 9);
        }
        for (int i = random.nextInt(60); i >= 0 && !bench.registry.waiting.isEmpty(); i--) {
            ModelRegistry.Waiting next =
                    random.nextBoolean()
                            ? bench.registry.waiting.removeFirst()
                            : bench.registry.waiting.removeLast();
            if (random.nextInt(5) == 0) {
                // A first copy was decided, its answer lost.
                bench.registry.apply(next.commit());
                bench.registry.decide(next, true);
            } else if (random.nextInt(5) == 0) {
                // A first copy is on its way still; elsewhere holds the id perhaps.
                late.add(next.commit());
                if (random.nextBoolean()) {
                    bench.registry.held.putIfAbsent(next.commit().id(), new CommitToken(9, 1, 1));
                }
                bench.registry.decide(next, true);
            } else if (random.nextInt(10) == 0) {
                bench.registry.waiting.addLast(next);
            } else {
                bench.registry.decide(next, false);
            }
        }
    }

    /** What a live token holds is written: nobody repairs it. */
    private static void checkHeld(JoinerBench bench) {
        Set<CommitToken> synced = new HashSet<>();
        bench.files.synced.forEach(record -> synced.add(record.token()));
        bench.registry.held.forEach(
                (id, holder) -> {
                    if (holder.slot() != 9 && holder.generation() >= bench.registry.lowestLive) {
                        assertThat(synced).as("%s holds %s", holder, id).contains(holder);
                    }
                });
        assertThat(bench.registry.calls).anyMatch(call -> call.startsWith("cancel"));
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
                });
        assertThat(counts).containsKeys(Status.JOINED, Status.ABANDONED, Status.RETRY_ALL);
        assertThat(List.of(Status.REJECTED, Status.SKIPPED)).noneMatch(counts::containsKey);
    }
}

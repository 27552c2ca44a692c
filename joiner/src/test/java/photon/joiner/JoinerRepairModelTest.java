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
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import photon.core.id.CommitToken;
import photon.core.id.EventId;
import photon.core.id.Incarnation;
import photon.proto.v1.JoinResult;
import photon.proto.v1.JoinResult.Status;
import photon.registry.api.RegistryClient.Commit;
import photon.storage.output.WorkRecord;

/**
 * A dispatcher that sends each event until it is finished, a repair of every incarnation that has
 * ended, copies of commits that arrive long after their answer: in the end each event is published
 * exactly once, by the token that the registry holds.
 */
class JoinerRepairModelTest {
    private static final int CLICKS = 700;

    private final Map<Long, Sent> sent = new HashMap<>();
    private final List<Sent> toSend = new ArrayList<>();
    private final Map<EventId, Long> clickOf = new HashMap<>();
    private final Set<Incarnation> repaired = new HashSet<>();
    private final List<Commit> delayedCopies = new ArrayList<>();

    /** An event of a log, or a repair row. */
    private record Sent(long click, @Nullable CommitToken lost) {}

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(
            longs = {
                1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23,
                24
            })
    void everyEventIsPublishedExactlyOnceWhateverEndsAndIsRepaired(long seed) {
        Random random = new Random(seed);
        JoinerBench bench =
                new JoinerBench(
                        JoinerBench.settings("merge", JoinerBench.limits(100, 20)), seed, true);
        bench.registry.decideAtOnce = false;
        for (long click = 0; click < CLICKS; click++) {
            clickOf.put(Events.id(click), click);
            toSend.add(new Sent(click, null));
            if (random.nextInt(4) == 0) {
                toSend.add(new Sent(click, null));
            }
        }
        bench.files.fails = call -> random.nextInt(150) == 0;
        for (int step = 0; step < 4_000; step++) {
            step(bench, random);
        }
        bench.files.fails = call -> false;
        int quiet = 0;
        for (int i = 0; i < 5_000 && quiet < 20; i++) {
            quiet = sent.isEmpty() && toSend.isEmpty() ? quiet + 1 : 0;
            step(bench, random, random.nextInt(7));
            bench.main.advance(Duration.ofMillis(500));
            bench.output.advance(Duration.ofMillis(500));
            bench.registry.decideAll(false);
            repair(bench, random);
        }
        assertThat(sent).isEmpty();
        assertThat(toSend).isEmpty();
        assertThat(repaired).as("incarnations that ended").hasSizeGreaterThan(2);
        checkPublished(bench);
    }

    private void step(JoinerBench bench, Random random) {
        step(bench, random, random.nextInt(9));
    }

    private void step(JoinerBench bench, Random random, int what) {
        switch (what) {
            case 0 -> send(bench, random);
            case 1 -> bench.main.runUntilIdle();
            case 2 -> bench.output.runUntilIdle();
            case 3, 4 -> decideSome(bench, random);
            case 5 -> {
                Duration step = Duration.ofMillis(random.nextInt(400));
                bench.main.advance(step);
                bench.output.advance(step);
            }
            case 6 -> settle(bench);
            case 7 -> {
                if (random.nextInt(10) == 0) {
                    repair(bench, random);
                }
            }
            default -> {
                if (random.nextInt(40) == 0) {
                    bench.registry.lowestLive = bench.registry.infos.size() + 1;
                }
            }
        }
    }

    private void send(JoinerBench bench, Random random) {
        for (int i = random.nextInt(3); i >= 0 && !toSend.isEmpty(); i--) {
            Sent next = toSend.remove(random.nextInt(toSend.size()));
            sent.put(bench.send(next.click(), next.lost()), next);
        }
    }

    private void settle(JoinerBench bench) {
        for (Map.Entry<Long, JoinResult> answer : bench.answers.entrySet()) {
            Sent event = sent.remove(answer.getKey());
            Status status = answer.getValue().getStatus();
            if (event != null && status != Status.JOINED && status != Status.JOINED_ELSEWHERE) {
                toSend.add(event);
            }
        }
    }

    private void decideSome(JoinerBench bench, Random random) {
        if (!delayedCopies.isEmpty() && random.nextInt(3) == 0) {
            bench.registry.apply(delayedCopies.remove(random.nextInt(delayedCopies.size())));
        }
        for (int i = random.nextInt(30); i >= 0 && !bench.registry.waiting.isEmpty(); i--) {
            ModelRegistry.Waiting next = bench.registry.waiting.remove();
            boolean again = random.nextInt(4) == 0;
            if (again) {
                delayedCopies.add(next.commit());
            }
            bench.registry.decide(next, again);
        }
    }

    /** Every incarnation that is fenced: sealed, and what its tokens hold unpublished sent anew. */
    private void repair(JoinerBench bench, Random random) {
        for (int generation = 1; generation < bench.registry.lowestLive; generation++) {
            Incarnation dead = new Incarnation(7, generation);
            bench.files.seal(dead, random);
            if (repaired.add(dead)) {
                Set<CommitToken> published = new HashSet<>();
                bench.files.published.forEach(record -> published.add(record.token()));
                bench.registry.held.forEach(
                        (id, token) -> {
                            if (token.isOf(dead) && !published.contains(token)) {
                                toSend.add(new Sent(clickOf.getOrDefault(id, -1L), token));
                            }
                        });
            }
        }
    }

    private static void checkPublished(JoinerBench bench) {
        Set<EventId> ids = new HashSet<>();
        for (WorkRecord record : bench.files.published) {
            assertThat(ids.add(record.id())).as("%s once", record.id()).isTrue();
            assertThat(bench.registry.held).containsEntry(record.id(), record.token());
        }
        assertThat(ids).as("published").hasSize(CLICKS);
    }
}

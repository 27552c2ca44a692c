package photon.simulation.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import photon.simulation.run.SeedResult.Violation;

class AllSeedsTest {
    private static final List<String> KINDS = List.of("CRASH", "PAUSE");
    private static final long HOUR_NANOS = Duration.ofHours(1).toNanos();

    private final AtomicLong wallNanos = new AtomicLong();

    private static SeedResult result(long seed, long hash, List<String> trace, String... broken) {
        List<Violation> violations = new ArrayList<>();
        for (String text : broken) {
            violations.add(new Violation("I1", text));
        }
        TreeMap<String, Long> totals = new TreeMap<>(Map.of("fault.CRASH", 2L, "restarts", seed));
        return new SeedResult(seed, violations, hash, trace, List.of(), totals, HOUR_NANOS, 1_000);
    }

    private static SeedResult good(long seed) {
        return result(seed, seed * 31, List.of());
    }

    private RunSummary run(SeedRun world, long from, long count, long failuresMax)
            throws InterruptedException {
        return run(world, from, count, failuresMax, AllSeeds.Watcher.NONE);
    }

    private RunSummary run(
            SeedRun world, long from, long count, long failuresMax, AllSeeds.Watcher watcher)
            throws InterruptedException {
        return new AllSeeds(world, wallNanos::get, watcher)
                .run(new AllSeeds.Settings(from, count, 3, failuresMax, KINDS));
    }

    @Test
    void everySeedRunsOnceAndIsCounted() throws Exception {
        Map<Long, Integer> runs = new ConcurrentHashMap<>();
        RunSummary summary =
                run(
                        (seed, keepTrace) -> {
                            runs.merge(seed, 1, Integer::sum);
                            wallNanos.addAndGet(500_000_000);
                            return good(seed);
                        },
                        10,
                        40,
                        10);
        assertThat(runs).hasSize(40).containsEntry(10L, 2).containsEntry(49L, 1);
        assertThat(runs.values().stream().mapToInt(n -> n).sum()).isEqualTo(41);
        assertThat(summary.passed()).isTrue();
        assertThat(summary.stoppedEarly()).isFalse();
        assertThat(summary.seedsRun()).isEqualTo(40);
        assertThat(summary.seedsRunTwice()).isEqualTo(1);
        assertThat(summary.totals())
                .isEqualTo(Map.of("fault.CRASH", 80L, "restarts", (10L + 49) * 20));
        assertThat(summary.steps()).isEqualTo(40_000);
        assertThat(summary.simulatedHours()).isEqualTo(40);
        assertThat(summary.seconds()).isEqualTo(20.5);
        assertThat(summary.simulatedHoursPerSecond()).isEqualTo(40 / 20.5);
    }

    @Test
    void oneInAHundredRunsTwiceAndOneOfEveryRun() {
        assertThat(twice(1, 1_000)).hasSize(10).contains(7L, 907L);
        assertThat(twice(8, 99)).containsExactly(8L);
        assertThat(twice(8, 100)).containsExactly(107L);
        assertThat(twice(7, 1)).containsExactly(7L);
        assertThat(twice(0, 1)).containsExactly(0L);
    }

    private static List<Long> twice(long from, long count) {
        List<Long> chosen = new ArrayList<>();
        SecondRun run = new SecondRun((seed, keepTrace) -> good(seed), from, count);
        for (long seed = from; seed < from + count; seed++) {
            if (run.chosen(seed)) {
                chosen.add(seed);
            }
        }
        return chosen;
    }

    @Test
    void aSecondRunThatDiffersIsAViolationThatShowsTheFirstLineThatDiffers() throws Exception {
        AtomicInteger runs = new AtomicInteger();
        RunSummary summary =
                run(
                        (seed, keepTrace) -> {
                            int n = runs.incrementAndGet();
                            List<String> trace = List.of("east starts", "west waits " + n);
                            return result(seed, n, keepTrace ? trace : List.of());
                        },
                        7,
                        1,
                        10);
        SeedResult failed = summary.failed().get(0);
        assertThat(failed.violations())
                .containsExactly(
                        new Violation(
                                "determinism",
                                "two runs have the trace hashes 0000000000000001 and"
                                        + " 0000000000000002"));
        assertThat(failed.story())
                .containsExactly(
                        "two runs part at line 2 of the trace:",
                        "  one:   west waits 2",
                        "  other: west waits 3");
    }

    @Test
    void aSecondRunThatEndsOtherwiseWithTheSameHashIsAViolationToo() throws Exception {
        AtomicInteger runs = new AtomicInteger();
        RunSummary summary =
                run(
                        (seed, keepTrace) ->
                                runs.incrementAndGet() == 1
                                        ? good(seed)
                                        : result(seed, seed * 31, List.of(), "twice"),
                        7,
                        1,
                        10);
        assertThat(summary.failed().get(0).violations().get(0).text())
                .contains("same trace hash", "violations []", "text=twice");
        assertThat(summary.failed().get(0).story().get(0)).contains("traces are alike");
    }

    @Test
    void whateverAWorldThrowsFailsItsSeedOnly() throws Exception {
        RunSummary summary =
                run(
                        (seed, keepTrace) -> {
                            switch ((int) seed) {
                                case 3 -> throw new IllegalStateException("Expected 1, but got 2");
                                case 5 -> endless(0);
                                case 7 -> throw new OutOfMemoryError("Java heap space");
                                default -> {}
                            }
                            return good(seed);
                        },
                        1,
                        20,
                        10);
        assertThat(summary.seedsRun()).isEqualTo(20);
        assertThat(summary.failed()).extracting(SeedResult::seed).containsExactly(3L, 5L, 7L);
        SeedResult first = summary.failed().get(0);
        assertThat(first.violations().get(0).invariant()).isEqualTo("bug");
        assertThat(first.violations().get(0).text()).contains("Expected 1, but got 2");
        assertThat(first.story().get(1)).contains("AllSeedsTest");
        assertThat(summary.failed().get(1).violations().get(0).text())
                .contains("StackOverflowError");
    }

    private static int endless(int depth) {
        return depth < 0 ? 0 : 1 + endless(depth + 1) % 7;
    }

    @Test
    void aFailingSeedRunsAgainForItsStory() throws Exception {
        SeedRun world =
                (seed, keepTrace) ->
                        new SeedResult(
                                seed,
                                List.of(new Violation("I1", "twice")),
                                5,
                                List.of(),
                                keepTrace ? List.of("east slept") : List.of(),
                                new TreeMap<>(),
                                HOUR_NANOS,
                                1);
        RunSummary summary = run(world, 8, 2, 10);
        assertThat(summary.failed()).hasSize(2);
        for (SeedResult failed : summary.failed()) {
            assertThat(failed.violations()).containsExactly(new Violation("I1", "twice"));
            assertThat(failed.story()).containsExactly("east slept");
        }
    }

    @Test
    void stopsAfterSoManyFailures() throws Exception {
        List<Long> told = new ArrayList<>();
        AllSeeds.Watcher watcher =
                new AllSeeds.Watcher() {
                    @Override
                    public void failed(SeedResult seed) {
                        told.add(seed.seed());
                    }
                };
        RunSummary summary =
                run((seed, keepTrace) -> result(seed, 1, List.of(), "bad"), 1, 100_000, 4, watcher);
        assertThat(summary.stoppedEarly()).isTrue();
        assertThat(summary.passed()).isFalse();
        // Those under way and in the queue end, too.
        assertThat(summary.failed()).hasSizeBetween(4, 4 + 3 + 6 + 3);
        assertThat(told).hasSameSizeAs(summary.failed());
        assertThat(summary.failed()).extracting(SeedResult::seed).isSorted();
    }

    @Test
    void aLongRunMustHaveEveryKindOfFault() throws Exception {
        assertThat(run((seed, keepTrace) -> good(seed), 1, 99, 10).passed()).isTrue();
        RunSummary summary = run((seed, keepTrace) -> good(seed), 1, 100, 10);
        assertThat(summary.failed()).isEmpty();
        assertThat(summary.neverHappened()).containsExactly("PAUSE");
        assertThat(summary.passed()).isFalse();
    }

    @Test
    void tellsOfAWorldThatDoesNotEnd() throws Exception {
        CountDownLatch told = new CountDownLatch(1);
        List<String> slow = new ArrayList<>();
        AllSeeds.Watcher watcher =
                new AllSeeds.Watcher() {
                    @Override
                    public void slow(long seed, Duration wallTime) {
                        slow.add(seed + " " + wallTime.toSeconds());
                        told.countDown();
                    }
                };
        run(
                (seed, keepTrace) -> {
                    if (seed == 2 && !keepTrace) {
                        wallNanos.addAndGet(Duration.ofSeconds(61).toNanos());
                        awaitUnchecked(told);
                    }
                    return good(seed);
                },
                2,
                1,
                10,
                watcher);
        assertThat(slow).containsExactly("2 61");
    }

    private static void awaitUnchecked(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}

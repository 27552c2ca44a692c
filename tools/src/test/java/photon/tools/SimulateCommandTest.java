package photon.tools;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;
import photon.cli.Captured;
import photon.simulation.run.SeedResult;
import photon.simulation.run.SeedResult.Violation;
import photon.simulation.run.SeedRun;
import picocli.CommandLine;

/** {@code photon simulate}: its flags, its exit status and what it prints, on worlds of its own. */
class SimulateCommandTest {
    private static final List<String> KINDS = List.of("CRASH", "PAUSE");

    /** Passes, unless the seed ends in 5. */
    private static SeedResult world(long seed, boolean keepTrace) {
        boolean bad = seed % 10 == 5;
        return new SeedResult(
                seed,
                bad ? List.of(new Violation("I1", "click@7 is published twice")) : List.of(),
                0xabcdef0123456789L + seed,
                keepTrace ? List.of("00:00.000001 east/joiner-0 starts, life 1") : List.of(),
                bad ? List.of("east/joiner-0 slept for 40 s") : List.of(),
                new TreeMap<>(Map.of("fault.CRASH", 3L, "restarts", 2L)),
                Duration.ofMinutes(30).toNanos(),
                1_000);
    }

    private static Captured simulate(SeedRun world, String... args) {
        return Captured.of(() -> new CommandLine(new SimulateCommand(world, KINDS)).execute(args));
    }

    private static Captured simulate(String... args) {
        return simulate(SimulateCommandTest::world, args);
    }

    private static void refused(String message, String... args) {
        List<String> all = new ArrayList<>(List.of("simulate"));
        all.addAll(List.of(args));
        Captured run = Captured.run(all.toArray(String[]::new));
        assertThat(run.status()).as(run.toString()).isEqualTo(2);
        assertThat(run.stderr()).contains(message).doesNotContain("\tat ");
        assertThat(run.stdout()).isEmpty();
    }

    @Test
    void refusesNonsense() {
        refused("--trace needs --seed", "--trace");
        refused("--seeds is 0", "--seeds", "0");
        refused("--seeds is -3", "--seeds=-3");
        refused("--seeds", "--seeds", "many");
        refused("--from is -1", "--from=-1");
        refused("--seed is -1", "--seed=-1");
        refused("--threads is 0", "--threads", "0");
        refused("--seed runs one seed", "--seed", "3", "--seeds", "4");
        refused("--seed runs one seed", "--seed", "3", "--keep-going");
        refused("--seeds is ", "--seeds", "" + Long.MAX_VALUE);
        refused("--sed", "--sed", "3");
    }

    @Test
    void allPassed() {
        Captured run = simulate("--seeds", "4", "--threads", "2");
        assertThat(run.status()).as(run.toString()).isZero();
        assertThat(run.stderr()).isEmpty();
        assertThat(run.stdout())
                .contains("4, from 1 on: 4 passed, 0 failed; 1 run twice")
                .contains("2.0 hours")
                .contains("CRASH 12")
                .containsPattern("restarts +8")
                .contains("note: no world had PAUSE");
    }

    @Test
    void aFailingSeedShowsItsCommandAndItsStory() {
        Captured run = simulate("--from", "11", "--seeds", "8");
        assertThat(run.status()).as(run.toString()).isEqualTo(1);
        assertThat(run.stdout())
                .contains(
                        "seed 15 FAILED",
                        "I1: click@7 is published twice",
                        "./photon simulate --seed 15 --trace",
                        "east/joiner-0 slept for 40 s",
                        "8, from 11 on: 7 passed, 1 failed");
    }

    @Test
    void stopsAfterTenFailuresUnlessItKeepsGoing() {
        Captured stopped = simulate("--seeds", "1000", "--threads", "1");
        assertThat(stopped.status()).isEqualTo(1);
        assertThat(stopped.stdout()).contains("stopped early, with 1,000 seeds requested");
        Captured all = simulate("--seeds", "1000", "--threads", "1", "--keep-going");
        assertThat(all.status()).isEqualTo(1);
        assertThat(all.stdout()).contains("900 passed, 100 failed").doesNotContain("stopped");
    }

    @Test
    void aLongRunWithoutAKindOfFaultFails() {
        SeedRun neverBad = (seed, keepTrace) -> world(seed * 10, keepTrace);
        assertThat(simulate(neverBad, "--seeds", "99").status()).isZero();
        Captured run = simulate(neverBad, "--seeds", "100");
        assertThat(run.status()).isEqualTo(1);
        assertThat(run.stdout()).contains("FAILED: no world had PAUSE");
    }

    @Test
    void oneSeedWithItsTrace() {
        Captured quiet = simulate("--seed", "7");
        assertThat(quiet.status()).isZero();
        assertThat(quiet.stdout())
                .contains("seed 7 passed", "abcdef0123456790", "30.0 minutes, 1,000 steps")
                .doesNotContain("starts, life 1");
        Captured traced = simulate("--seed", "25", "--trace");
        assertThat(traced.status()).isEqualTo(1);
        assertThat(traced.stdout())
                .startsWith("00:00.000001 east/joiner-0 starts, life 1")
                .contains("seed 25 FAILED", "slept for 40 s");
    }

    @Test
    void aWorldThatThrowsIsAFailedSeed() {
        SeedRun broken =
                (seed, keepTrace) -> {
                    throw new AssertionError("Expected 1, but got 2");
                };
        Captured run = simulate(broken, "--seed", "7");
        assertThat(run.status()).isEqualTo(1);
        assertThat(run.stdout()).contains("bug: ", "Expected 1, but got 2");
    }

    @Test
    void jsonOfManySeeds() throws Exception {
        Captured run = simulate("--seeds", "5", "--json");
        assertThat(run.status()).isEqualTo(1);
        assertThat(run.stderr()).isEmpty();
        JsonNode json = new ObjectMapper().readTree(run.stdout());
        assertThat(run.stdout().trim()).doesNotContain("\n");
        assertThat(json.get("passed").asBoolean()).isFalse();
        assertThat(json.get("from").asLong()).isEqualTo(1);
        assertThat(json.get("seeds").asLong()).isEqualTo(5);
        assertThat(json.get("seedsRun").asLong()).isEqualTo(5);
        assertThat(json.get("seedsFailed").asLong()).isEqualTo(1);
        assertThat(json.get("stoppedEarly").asBoolean()).isFalse();
        assertThat(json.get("faults").get("CRASH").asLong()).isEqualTo(15);
        assertThat(json.get("totals").get("restarts").asLong()).isEqualTo(10);
        assertThat(json.get("neverHappened").get(0).asText()).isEqualTo("PAUSE");
        assertThat(json.get("simulatedHours").asDouble()).isEqualTo(2.5);
        assertThat(json.get("simulatedHoursPerSecond").asDouble()).isPositive();
        JsonNode failed = json.get("failed").get(0);
        assertThat(failed.get("seed").asLong()).isEqualTo(5);
        assertThat(failed.get("command").asText()).isEqualTo("./photon simulate --seed 5 --trace");
        assertThat(failed.get("violations").get(0).get("invariant").asText()).isEqualTo("I1");
        assertThat(failed.get("story").get(0).asText()).contains("slept");
    }

    @Test
    void jsonOfOneSeed() throws Exception {
        JsonNode json = new ObjectMapper().readTree(simulate("--seed", "7", "--json").stdout());
        assertThat(json.get("passed").asBoolean()).isTrue();
        assertThat(json.get("traceHash").asText()).isEqualTo("abcdef0123456790");
        assertThat(json.has("trace")).isFalse();
        assertThat(json.has("command")).isFalse();
        json = new ObjectMapper().readTree(simulate("--seed", "7", "--json", "--trace").stdout());
        assertThat(json.get("trace").get(0).asText()).contains("starts, life 1");
    }

    @Test
    void thePipelinesLogsAreOffMeanwhile() {
        Logger photon = (Logger) LoggerFactory.getLogger("photon");
        Level before = photon.getLevel();
        List<Boolean> warned = new ArrayList<>();
        simulate(
                (seed, keepTrace) -> {
                    warned.add(LoggerFactory.getLogger("photon.joiner").isErrorEnabled());
                    return world(seed, keepTrace);
                },
                "--seed",
                "1");
        assertThat(warned).containsExactly(false);
        assertThat(photon.getLevel()).isEqualTo(before);
    }
}

package photon.simulation.bugs;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Replays, for each planted bug, the seed that has caught it. That the same seed passes without the
 * bug was looked at when it was recorded, and is by {@code SeedsTest} in every build. Not in builds
 * in which {@link PlantedBugsSearchTest} runs: it comes to these seeds, too.
 */
@Tag("replay")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PlantedBugsTest {
    private static final long TIMEOUT_SECONDS = 300;
    private static final String RECORD =
            "It has moved, or the bug is not caught any more: docs/testing.md, planted bugs, says how"
                    + " to search and record seeds anew";

    private final ExecutorService cores = Worlds.threads();
    private final RecordedCatches recorded = RecordedCatches.read(Sources.ofThisCheckout().root());
    private final Map<PlantedBug, Future<List<String>>> replays = new HashMap<>();

    static List<PlantedBug> bugs() {
        return PlantedBugs.ALL;
    }

    @BeforeAll
    void begin() {
        Worlds worlds = new Worlds();
        for (PlantedBug bug : PlantedBugs.ALL) {
            recorded.of(bug)
                    .ifPresent(
                            caught ->
                                    replays.put(
                                            bug,
                                            cores.submit(
                                                    () -> worlds.with(bug).apply(caught.seed()))));
        }
    }

    @AfterAll
    void end() {
        cores.shutdownNow();
    }

    @ParameterizedTest
    @MethodSource("bugs")
    void isCaught(PlantedBug bug) throws Exception {
        assertThat(recorded.of(bug)).as("A recorded seed. %s", RECORD).isPresent();
        List<String> violations =
                Objects.requireNonNull(replays.get(bug)).get(TIMEOUT_SECONDS, TimeUnit.SECONDS);
        assertThat(Worlds.catcher(bug, violations))
                .as(
                        "Seed %s with the bug gives %s. %s",
                        recorded.of(bug).orElseThrow().seed(), violations, RECORD)
                .isPresent();
    }
}

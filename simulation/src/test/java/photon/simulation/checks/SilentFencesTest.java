package photon.simulation.checks;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import photon.simulation.checks.SilentFences.Fence;
import photon.simulation.checks.SilentFences.Renewed;
import photon.simulation.checks.SilentFences.Seen;

class SilentFencesTest {
    private static final Duration FENCE_AFTER = Duration.ofSeconds(30);
    private static final Fence FIRST = new Fence(7, "1/1", "east/joiner-0", "east/verifier");
    private static final Fence SECOND = new Fence(9, "2/1", "east/joiner-1", "east/verifier");

    private final List<Renewed> renewed = new ArrayList<>();
    private final List<Fence> fences = new ArrayList<>();
    private long seconds;
    private final SilentFences checker =
            new SilentFences(
                    () ->
                            new Seen(
                                    Duration.ofSeconds(seconds).toNanos(),
                                    seconds,
                                    List.copyOf(renewed),
                                    List.copyOf(fences)),
                    FENCE_AFTER);

    SilentFencesTest() {
        renewed.add(new Renewed("1/1", 1));
        renewed.add(new Renewed("2/1", 2));
    }

    private void passes(Duration time) {
        for (long i = 0; i < time.toSeconds(); i++) {
            seconds++;
            assertThat(checker.check()).isEmpty();
        }
    }

    @Test
    void whoIsSilentForLongEnoughMayBeFenced() {
        passes(FENCE_AFTER);
        fences.add(FIRST);
        passes(Duration.ofSeconds(1));
        assertThat(checker.count()).isEqualTo(1);
    }

    @Test
    void whoHasRenewedMayNot() {
        passes(FENCE_AFTER);
        renewed.set(0, new Renewed("1/1", 3));
        passes(Duration.ofSeconds(1));
        fences.add(FIRST);
        assertThat(checker.check()).singleElement().asString().contains("east/joiner-0");
    }

    @Test
    void norByTheVerifierOfAnotherDatacenter() {
        passes(FENCE_AFTER);
        fences.add(new Fence(7, "1/1", "east/joiner-0", "west/verifier"));
        assertThat(checker.check()).singleElement().asString().contains("west/verifier");
    }

    /** Its records are bounded: the oldest go. */
    @Test
    void aFenceThatTheRegistryHasForgottenHidesNoLaterOne() {
        passes(FENCE_AFTER);
        fences.add(FIRST);
        fences.add(SECOND);
        passes(Duration.ofSeconds(1));
        fences.clear();
        passes(Duration.ofSeconds(1));
        fences.add(new Fence(11, "2/2", "east/joiner-1", "east/verifier"));
        assertThat(checker.check()).singleElement().asString().contains("2/2");
        assertThat(checker.count()).isEqualTo(3);
    }
}

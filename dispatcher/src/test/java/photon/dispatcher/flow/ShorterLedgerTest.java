package photon.dispatcher.flow;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import photon.storage.ledger.LedgerRetention;

/** What retention does to the ledger of a dispatcher. */
class ShorterLedgerTest {
    private static final long HOUR_MILLIS = Duration.ofHours(1).toMillis();

    private final World world;

    ShorterLedgerTest() throws IOException {
        world = new World(7);
    }

    @Test
    void whatTheBoundaryHasPassedLeavesTheLedgerAndIsCounted() throws IOException {
        world.registry.boundaryMicros = Long.MAX_VALUE; // too old, and soon passed
        world.click("a", 3);
        world.advance(1_000);
        assertThat(world.entries()).hasSize(3);
        world.advance(2 * 60_000);
        world.click("b", 1); // with the next checkpoint
        world.advance(1_000);
        assertThat(world.entries()).as("what was written since").hasSize(1);
        assertThat(world.status().ledger()).isEqualTo(new LedgerRetention.Figures(0, 0, 3));
    }

    @Test
    void whatItHasNotPassedStaysAndItsSizeIsTold() throws IOException {
        world.registry.boundaryMicros = Long.MAX_VALUE;
        world.click("a", 3);
        world.advance(1_000);
        world.registry.boundaryMicros = 5;
        world.advance(HOUR_MILLIS);
        world.click("b", 1);
        world.advance(1_000);
        assertThat(world.entries()).hasSizeGreaterThanOrEqualTo(3);
        assertThat(world.status().ledger().bytes()).isPositive();
        assertThat(world.status().ledger().segments()).isEqualTo(1);
    }
}

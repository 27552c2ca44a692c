package photon.dispatcher.flow;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import photon.dispatcher.rules.RetryPolicy;
import photon.proto.v1.JoinResult.Status;

/** The age of what waits for something that a person can put right. */
class HeldUpTest {
    private World world;

    @BeforeEach
    void start() throws IOException {
        world = new World(9);
    }

    private HeldUp.Rows rows() {
        return world.flow.heldUp();
    }

    @Test
    void whatWaitsForItsPrimaryEventIsNotHeldUp() throws IOException {
        world.joiner.reason = "";
        world.joiner.answers = item -> Status.WAITING_FOR_PRIMARY;
        world.click("a", 5);
        world.advance(60_000);
        assertThat(world.status().waitingRows()).isEqualTo(5);
        assertThat(rows()).isEqualTo(HeldUp.Rows.NONE);
    }

    /** All rows are answered so then, also those whose primary events never come. */
    @Test
    void whatWaitsWhileTheEventStoreIsBehindIsNotHeldUp() throws IOException {
        world.joiner.reason = "the event store has not read everything";
        world.joiner.answers = item -> Status.WAITING_FOR_PRIMARY;
        world.click("a", 5);
        world.advance(60_000);
        assertThat(world.rows())
                .hasSize(5)
                .allSatisfy(
                        row -> assertThat(row.reason()).isEqualTo(RetryPolicy.EVENT_STORE_BEHIND));
        assertThat(rows()).isEqualTo(HeldUp.Rows.NONE);
    }

    @Test
    void theFirstRowThatAnAdapterHoldsUpSaysSinceWhen() throws IOException {
        world.joiner.answers = item -> Status.RETRY_ALL;
        world.click("a", 5);
        // Sent again some times, events become rows.
        world.advance(60_000);
        HeldUp.Rows first = rows();
        assertThat(first.sinceMillis()).isPositive();
        assertThat(first.eventMicros())
                .isEqualTo(
                        world.rows().stream()
                                .mapToLong(row -> row.key().id().micros())
                                .min()
                                .orElseThrow());
        world.advance(20_000);
        world.click("b", 5);
        world.advance(40_000);
        assertThat(rows()).as("later rows do not make it younger").isEqualTo(first);
        world.joiner.answers = item -> Status.JOINED;
        world.advance(60_000);
        assertThat(world.rows()).isEmpty();
        assertThat(rows()).isEqualTo(HeldUp.Rows.NONE);
    }
}

package photon.dispatcher.flow;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import photon.proto.v1.JoinResult.Status;

/** What waits only so that others come first, or the event store, is tried at once on demand. */
class DeferredTest {
    private World world;

    @BeforeEach
    void make() throws IOException {
        world = new World(7);
        world.stop();
        world.datacenters = List.of("east", "west");
        world.start();
    }

    private void untilNoRowIsOnItsWay() {
        for (int i = 0; i < 1_000 && world.status().processingRows() > 0; i++) {
            world.advance(1);
        }
        assertThat(world.status().processingRows()).isZero();
    }

    @Test
    void whatTheOtherDatacenterHasJoinedIsDropped() throws IOException {
        world.click("a", 100);
        world.advance(500);
        int held = world.status().held();
        assertThat(held).isBetween(25, 75);
        assertThat(world.status().deferred()).isEqualTo(held);
        assertThat(world.status().unsettled()).as("of these").isEqualTo(held);
        world.registry.everythingIsKnown = true;
        world.flow.tryDeferred();
        world.advance(100);
        assertThat(world.joiner.received).hasSize(100 - held);
        assertThat(world.status().alreadyJoined()).isEqualTo(held);
        assertThat(world.status().deferred()).isZero();
        assertThat(world.status().unsettled()).isZero();
    }

    @Test
    void whatNobodyHasJoinedIsTakenOverAndWhatComesLaterWaitsAsEver() throws IOException {
        List<String> ids = world.click("a", 100);
        world.advance(500);
        world.flow.tryDeferred();
        world.advance(100);
        assertThat(world.joiner.joined).containsExactlyInAnyOrderElementsOf(ids);
        List<String> later = world.click("b", 100);
        world.advance(1_000);
        assertThat(world.status().held()).isBetween(25, 75);
        assertThat(world.joiner.joined).doesNotContainSequence(later);
        world.advance(2_000);
        assertThat(world.joiner.joined).containsAll(later);
    }

    @Test
    void rowsThatWaitSinceTheEventStoreWasBehindAreTriedAtOnce() throws IOException {
        world.joiner.answers = item -> Status.WAITING_FOR_PRIMARY; // with a reason: it is behind
        List<String> ids = world.click("a", 100);
        world.advance(20_000);
        assertThat(world.rows()).hasSize(100);
        untilNoRowIsOnItsWay();
        assertThat(world.status().deferred()).isEqualTo(100);
        world.joiner.answers = item -> Status.JOINED;
        world.flow.tryDeferred();
        world.advance(1_000);
        assertThat(world.joiner.joined).containsExactlyInAnyOrderElementsOf(ids);
        assertThat(world.status().deferred()).isZero();
    }

    /** Its failures are counted: tried sooner, it would be given up sooner. */
    @Test
    void aRowThatHasFailedKeepsItsTime() throws IOException {
        world.stop();
        world.limits = World.limits(1_000, 64, 1_000_000);
        world.start();
        world.joiner.answers = item -> Status.RETRY_EVENT;
        world.click("a", 100);
        world.advance(20_000);
        untilNoRowIsOnItsWay();
        assertThat(world.status().deferred()).isZero();
        assertThat(world.status().unsettled()).isEqualTo(100);
        int received = world.joiner.received.size();
        world.flow.tryDeferred();
        world.advance(1_000);
        assertThat(world.joiner.received)
                .as("as many as would have been")
                .hasSizeBetween(received, received + 80);
    }
}

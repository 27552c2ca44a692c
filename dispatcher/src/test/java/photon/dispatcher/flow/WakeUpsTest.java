package photon.dispatcher.flow;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import photon.dispatcher.rules.Stagger;
import photon.proto.v1.JoinResult.Status;

/** Rows that wait for their primary event, and an event store that tells of it. */
class WakeUpsTest {
    private World world;

    @BeforeEach
    void start() throws IOException {
        world = new World(5);
    }

    private void waitLong() throws IOException {
        world.joiner.answers = item -> Status.WAITING_FOR_PRIMARY;
        world.click("a", 10);
        // By now they are tried every two seconds.
        world.advance(10_000);
        assertThat(world.eventStore.awaited).hasSize(1);
        world.joiner.answers = item -> Status.JOINED;
        untilARound();
    }

    /** All have just been tried once more. */
    private void untilARound() {
        world.joiner.answers = item -> Status.WAITING_FOR_PRIMARY;
        int before = world.joiner.received.size();
        for (int i = 0; i < 1_000 && world.joiner.received.size() < before + 10; i++) {
            world.advance(10);
        }
        world.advance(50);
        world.joiner.answers = item -> Status.JOINED;
        assertThat(world.joiner.joined).isEmpty();
    }

    @Test
    void rowsAreTriedAsSoonAsTheirPrimaryEventHasCome() throws IOException {
        waitLong();
        world.eventStore.allCome();
        world.advance(100);
        assertThat(world.joiner.joined).hasSize(10);
        assertThat(world.status().woken()).isEqualTo(10);
        assertThat(world.eventStore.sessions).isEqualTo(1);
    }

    @Test
    void aHintThatIsWrongOrComesTwiceChangesNothing() throws IOException {
        waitLong();
        world.joiner.answers = item -> Status.WAITING_FOR_PRIMARY;
        List<ByteString> keys = List.copyOf(world.eventStore.awaited);
        world.eventStore.tell(keys);
        world.eventStore.tell(keys);
        world.eventStore.tell(List.of(ByteString.copyFromUtf8("nobody's")));
        world.advance(100);
        assertThat(world.status().woken()).isEqualTo(10);
        assertThat(world.rows()).hasSize(10);
        assertThat(world.eventStore.awaited)
                .describedAs("asked for again")
                .isEqualTo(Set.copyOf(keys));
        world.joiner.answers = item -> Status.JOINED;
        world.eventStore.allCome();
        world.advance(100);
        assertThat(world.joiner.joined).hasSize(10);
        world.advance(5_000);
        assertThat(world.rows()).isEmpty();
    }

    @Test
    void withoutHintsRowsAreTriedAfterTheirBackoff() throws IOException {
        waitLong();
        world.eventStore.broken = true;
        world.eventStore.breakSession();
        world.advance(5_000);
        assertThat(world.joiner.joined).hasSize(10);
        assertThat(world.status().woken()).isZero();
    }

    @Test
    void anEventStoreThatIsAwayIsAskedOnceASecondAtMost() throws IOException {
        world.eventStore.broken = true;
        world.joiner.answers = item -> Status.WAITING_FOR_PRIMARY;
        for (int i = 0; i < 20; i++) {
            world.click("f" + i, 10);
            world.advance(500);
        }
        assertThat(world.eventStore.sessions).isBetween(5, 11);
        world.eventStore.broken = false;
        world.advance(5_000);
        assertThat(world.eventStore.awaited).isNotEmpty();
    }

    /** All name one primary event, as where the name of none stands in a field. */
    @Test
    void ofAnyNumberOfRowsForOnePrimaryEventSomeAreWoken() throws IOException {
        world.limits = World.limits(20_000, 4_096, 5);
        world.stop();
        world.start();
        int rows = WakeUps.ROWS_A_KEY_MAX + 1_000;
        world.joiner.answers = item -> Status.WAITING_FOR_PRIMARY;
        world.click("a", rows);
        world.advance(20_000);
        assertThat(world.rows()).hasSize(rows);
        assertThat(world.eventStore.awaited).hasSize(1);
        world.joiner.answers = item -> Status.JOINED;
        world.eventStore.allCome();
        world.advance(5_000);
        assertThat(world.status().woken()).isEqualTo(WakeUps.ROWS_A_KEY_MAX);
        assertThat(world.joiner.joined).as("the others by their back-off").hasSize(rows);
    }

    @Test
    void rowsBeyondTheBoundAreTriedAfterTheirBackoff() throws IOException {
        world.flows = WakeUps.AWAITED_MAX / 16;
        world.stop();
        world.start();
        world.joiner.answers = item -> Status.WAITING_FOR_PRIMARY;
        try (World.Log log = world.log("a")) {
            for (int i = 0; i < 20; i++) {
                log.line(
                        "{\"type\":\"click\",\"id\":\"n%d\",\"of\":\"p%d\",\"t\":%d}"
                                .formatted(i, i / 5, world.micros()));
            }
        }
        world.advance(20_000);
        assertThat(world.rows()).hasSize(20);
        assertThat(world.eventStore.awaited).hasSize(4);
        world.joiner.answers = item -> Status.JOINED;
        world.eventStore.allCome();
        world.advance(5_000);
        assertThat(world.status().woken()).isBetween(1L, 16L);
        assertThat(world.status().joined()).isEqualTo(20);
    }

    @Test
    void wokenRowsThatPreferAnotherDatacenterWaitForItsTurnAllTheSame() throws IOException {
        world.datacenters = List.of("east", "west");
        world.stop();
        world.start();
        waitLong();
        Stagger stagger = new Stagger("east", world.datacenters, World.STAGGER);
        List<String> ours =
                world.rows().stream()
                        .filter(row -> stagger.prefersUs(row.key().id()))
                        .map(row -> row.event().idText())
                        .toList();
        assertThat(ours).hasSizeBetween(1, 8);
        world.eventStore.allCome();
        world.advance(100);
        // One that was due by itself may be among them.
        assertThat(world.joiner.joined).containsAll(ours).hasSizeBetween(ours.size(), 9);
        world.advance(World.STAGGER.toMillis());
        assertThat(world.joiner.joined).hasSize(10);
    }
}

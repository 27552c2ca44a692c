package photon.dispatcher.flow;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import photon.core.event.LogEvent;
import photon.core.id.EventId;
import photon.dispatcher.rules.Frontier;
import photon.dispatcher.rules.FrontierGate;
import photon.dispatcher.rules.OffsetTracker;
import photon.storage.tail.TailBatch;

/** Events of a backlog and fresh ones wait beside each other, for different times. */
class GatedEventsTest {
    private static final long OLD = 5_000;
    private static final long FRESH = 9_000;
    private static final long OLD_MAX = FrontierGate.WAIT_MAX.toNanos();
    private static final long FRESH_MAX = FrontierGate.WAIT_MAX_BESIDE_A_BACKLOG.toNanos();

    private final GatedEvents gated = new GatedEvents();
    private final List<Long> passed = new ArrayList<>();

    private void add(long micros, long nanoTime) {
        ByteString key = ByteString.copyFromUtf8("k" + micros);
        LogEvent event =
                new LogEvent(new EventId(micros, 2, 3, -1), key, "e", key, "p", ByteString.EMPTY);
        TailBatch.Item item = new TailBatch.Item(0, "/logs/a", 0, 1, event, null);
        gated.add(
                PendingEvent.read(item, event, new OffsetTracker().read(0, 1), 0),
                nanoTime,
                this::pass);
    }

    private void pass(PendingEvent pending) {
        passed.add(pending.event.id().micros());
    }

    private List<Long> released(long nanoTime) {
        passed.clear();
        gated.release(nanoTime, this::pass);
        return List.copyOf(passed);
    }

    @Test
    void aFreshEventGoesOnAtOnceThoughOthersWaitForTheBacklog() {
        gated.heard(new Frontier(1_000, 8_000, FrontierGate.OPEN));
        add(OLD, 0);
        add(FRESH, 0);
        assertThat(passed).containsExactly(FRESH);
        assertThat(released(0)).isEmpty();
        assertThat(gated.waitNanos(0)).isEqualTo(OLD_MAX);
    }

    @Test
    void whicheverIsDueFirstSaysHowLongToWait() {
        gated.heard(new Frontier(1_000, 8_000, FRESH));
        assertThat(released(0)).isEmpty();
        assertThat(gated.waitNanos(0)).isEqualTo(-1);
        add(OLD, 0);
        assertThat(gated.waitNanos(10)).isEqualTo(OLD_MAX - 10);
        add(FRESH, 100);
        assertThat(gated.waitNanos(100)).isEqualTo(FRESH_MAX);
        assertThat(released(99 + FRESH_MAX)).isEmpty();
        assertThat(released(100 + FRESH_MAX)).containsExactly(FRESH);
        assertThat(gated.waitNanos(100 + FRESH_MAX)).isEqualTo(OLD_MAX - FRESH_MAX - 100);
        assertThat(released(OLD_MAX)).containsExactly(OLD);
        assertThat(gated.waitNanos(OLD_MAX)).isEqualTo(-1);
    }

    @Test
    void whatIsHeardLaterCountsForThoseThatWait() {
        add(OLD, 0);
        add(FRESH, 0);
        assertThat(gated.waitNanos(0)).isEqualTo(OLD_MAX);
        gated.heard(new Frontier(1_000, 8_000, FRESH));
        assertThat(released(0)).isEmpty();
        assertThat(gated.waitNanos(0)).isEqualTo(FRESH_MAX);
        gated.heard(new Frontier(1_000, 8_000, FRESH + 1));
        assertThat(released(0)).containsExactly(FRESH);
        assertThat(gated.waitNanos(0)).isEqualTo(OLD_MAX);
        gated.heard(Frontier.unread(FrontierGate.OPEN));
        assertThat(released(0)).containsExactly(OLD);
    }

    @Test
    void aShorterTimeCountsForThoseThatWait() {
        gated.heard(Frontier.unread(1_000));
        assertThat(released(0)).isEmpty();
        add(OLD, 0);
        gated.waitMax(Duration.ofSeconds(1));
        assertThat(released(FRESH_MAX - 1)).isEmpty();
        assertThat(gated.waitNanos(FRESH_MAX - 1)).isEqualTo(1);
        assertThat(released(FRESH_MAX)).containsExactly(OLD);
    }
}

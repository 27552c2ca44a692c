package photon.idregistry.raft.workaround;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class PendingAcknowledgementsTest {
    private final FakeLog log = new FakeLog();
    private final List<String> sent = new ArrayList<>();
    private final PendingAcknowledgements held = new PendingAcknowledgements();

    /** One whose flush index is moved by hand. */
    static final class FakeLog implements PendingAcknowledgements.Log {
        long flushed = -1;
        long cuts;
        boolean alive = true;

        @Override
        public boolean isOnDisk(long index) {
            return flushed >= index;
        }

        @Override
        public long cuts() {
            return cuts;
        }

        @Override
        public boolean alive() {
            return alive;
        }
    }

    private boolean hold(long index, long nanoTime) {
        return held.hold(
                log,
                index,
                () -> sent.add("up to " + index),
                () -> sent.add("refused " + index),
                nanoTime);
    }

    private boolean holdOther(String name) {
        return held.hold(null, 0, () -> sent.add(name), () -> sent.add("refused " + name), 0);
    }

    @Test
    void whatIsOnDiskPassesAndWhatIsNotDoesNot() {
        log.flushed = 7;
        assertThat(held.passes(log, 7)).isTrue();
        assertThat(held.passes(log, 8)).isFalse();
        assertThat(held.passes(null, 8)).isTrue();
    }

    @Test
    void aConfirmationIsSentWhenTheLogHasComeUpToIt() {
        assertThat(hold(7, 0)).as("begins to wait").isTrue();
        log.flushed = 6;
        assertThat(held.release(1)).isTrue();
        assertThat(sent).isEmpty();
        log.flushed = 7;
        assertThat(held.release(2)).isFalse();
        assertThat(sent).containsExactly("up to 7");
        assertThat(held.passes(log, 7)).isTrue();
        assertThat(held.hasEnded()).isFalse();
    }

    @Test
    void whatComesBehindKeepsItsPlace() {
        hold(7, 0);
        assertThat(held.passes(null, 0)).isFalse();
        assertThat(holdOther("heartbeat")).as("somebody waits already").isFalse();
        assertThat(held.passes(log, -1)).isFalse();
        hold(9, 0);
        holdOther("close");
        log.flushed = 7;
        assertThat(held.release(1)).isTrue();
        assertThat(sent).containsExactly("up to 7", "heartbeat");
        log.flushed = 9;
        assertThat(held.release(2)).isFalse();
        assertThat(sent).containsExactly("up to 7", "heartbeat", "up to 9", "close");
    }

    @Test
    void whatDoesNotComeInTimeIsRefusedInItsPlace() {
        hold(7, 5);
        holdOther("behind");
        hold(9, 6);
        assertThat(held.release(4 + PendingAcknowledgements.NANOS_MAX)).isTrue();
        assertThat(sent).isEmpty();
        assertThat(held.release(5 + PendingAcknowledgements.NANOS_MAX)).isTrue();
        assertThat(sent).containsExactly("refused 7", "behind");
        log.flushed = 9;
        assertThat(held.release(6 + PendingAcknowledgements.NANOS_MAX)).isFalse();
        assertThat(sent).containsExactly("refused 7", "behind", "up to 9");
        assertThat(held.hasEnded()).isFalse();
        assertThat(held.passes(log, 9)).isTrue();
    }

    @Test
    void behindTheEndNothingIsSent() {
        hold(7, 0);
        held.end();
        log.flushed = 7;
        assertThat(held.release(1)).isFalse();
        assertThat(held.passes(log, 7)).isFalse();
        assertThat(hold(7, 0)).isFalse();
        assertThat(held.release(0)).isFalse();
        assertThat(sent).isEmpty();
    }

    @Test
    void whatIsCutOffMeanwhileIsNeverConfirmed() {
        log.cuts = 3;
        hold(7, 0);
        log.cuts = 4;
        // Of other entries.
        log.flushed = 7;
        assertThat(held.release(1)).isFalse();
        assertThat(sent).containsExactly("refused 7");
    }

    @Test
    void whatIsSentMayBeTheEnd() {
        hold(7, 0);
        held.hold(null, 0, held::end, () -> {}, 0);
        holdOther("behind the end");
        log.flushed = 7;
        assertThat(held.release(1)).isFalse();
        assertThat(sent).containsExactly("up to 7");
    }
}

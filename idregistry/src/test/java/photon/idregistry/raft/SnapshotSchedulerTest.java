package photon.idregistry.raft;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import photon.idregistry.raft.SnapshotScheduler.Schedule;

class SnapshotSchedulerTest {
    private static final RaftTuning TUNING = RaftTuning.LAN;
    private static final long SECOND = Duration.ofSeconds(1).toNanos();
    private static final long EVERY = TUNING.snapshotEvery().toNanos();
    private static final long FULL = TUNING.snapshotLogBytes();

    private final Schedule schedule = new Schedule(5);

    @Test
    void oneIsDueByBytesOrByTimeUnlessNothingWasApplied() {
        assertThat(schedule.begin(FULL - 1, 5 + EVERY - 1, TUNING)).isFalse();
        assertThat(schedule.begin(0, 5 + 2 * EVERY, TUNING)).isFalse();
        assertThat(schedule.begin(FULL, 6, TUNING)).isTrue();
        schedule.end(false);
        assertThat(schedule.begin(1, 6 + EVERY - 1, TUNING)).isFalse();
        assertThat(schedule.begin(1, 6 + EVERY, TUNING)).isTrue();
    }

    @Test
    void onlyOneOfAGroupIsUnderWay() {
        assertThat(schedule.begin(FULL, 6, TUNING)).isTrue();
        assertThat(schedule.begin(2 * FULL, 6 + 2 * EVERY, TUNING)).isFalse();
        schedule.end(false);
        assertThat(schedule.begin(2 * FULL, 6 + 2 * EVERY, TUNING)).isTrue();
    }

    @Test
    void afterAFailureItIsTriedAgainSoonButNotAtOnce() {
        assertThat(schedule.begin(FULL, 6, TUNING)).isTrue();
        schedule.end(true);
        assertThat(schedule.begin(FULL, 6 + 29 * SECOND, TUNING)).isFalse();
        // Though the freeze has begun to count anew.
        assertThat(schedule.begin(0, 6 + 30 * SECOND, TUNING)).isTrue();
        schedule.end(false);
        assertThat(schedule.begin(0, 6 + 2 * EVERY, TUNING)).isFalse();
    }
}

package photon.core.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class StageDelaysTest {
    private enum Stage {
        READ,
        WORK_LOG
    }

    @Test
    void eachStageHasItsOwnDelaysInTheOrderOfTheWay() {
        StageDelays<Stage> delays = new StageDelays<>(Stage.class);
        delays.record(Stage.WORK_LOG, 7);
        delays.record(Stage.WORK_LOG, 7);
        delays.record(Stage.READ, -3);

        assertThat(delays.counts()).containsOnlyKeys("read", "work_log");
        assertThat(delays.counts().keySet()).containsExactly("read", "work_log");
        assertThat(delays.counts().get("read")).containsOnlyKeys(0L).containsEntry(0L, 1L);
        assertThat(delays.counts().get("work_log")).containsOnlyKeys(7L).containsEntry(7L, 2L);
    }
}

package photon.idregistry.raft.workaround;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import photon.idregistry.raft.LeaderTransfer;

class StuckLeadershipTest {
    private final StuckLeadership stuck = new StuckLeadership();

    private boolean at(long nanos, boolean leads, long refusals) {
        return stuck.look(nanos, 100, leads, refusals);
    }

    @Test
    void whatRefusesThroughoutIsStuck() {
        assertThat(at(0, true, 0)).isFalse();
        assertThat(at(10, true, 3)).isFalse();
        assertThat(at(60, true, 4)).isFalse();
        assertThat(at(109, true, 5)).isFalse();
        assertThat(at(110, true, 6)).isTrue();
        assertThat(at(111, true, 7)).as("it is given time to step down").isFalse();
    }

    @Test
    void aTransferThatEndsIsNot() {
        at(10, true, 3);
        assertThat(at(60, true, 0)).as("an entry was taken").isFalse();
        assertThat(at(110, true, 1)).isFalse();
        assertThat(at(160, false, 2)).as("another leads").isFalse();
        assertThat(at(170, true, 3)).isFalse();
        assertThat(at(280, true, 3)).as("nobody has asked since").isFalse();
        assertThat(at(290, true, 4)).isTrue();
    }

    @Test
    void onlyOneThatAnswersHasLostAnAnswer() {
        long[] sent = {21, 21};
        long[] nothing = {-1, -1};
        assertThat(LeaderTransfer.anyHasAnswered(20, sent, nothing, new long[] {40, 9_000}, 2_000))
                .isTrue();
        assertThat(
                        LeaderTransfer.anyHasAnswered(
                                20, sent, nothing, new long[] {7_000, 9_000}, 2_000))
                .as("both are gone")
                .isFalse();
        assertThat(
                        LeaderTransfer.anyHasAnswered(
                                20, new long[] {21, 3}, nothing, new long[] {7_000, 40}, 2_000))
                .as("one is gone, the other is being sent what it lacks")
                .isFalse();
        assertThat(
                        LeaderTransfer.anyHasAnswered(
                                20, sent, new long[] {20, -1}, new long[] {40, 7_000}, 2_000))
                .as("it has all")
                .isFalse();
        assertThat(LeaderTransfer.anyHasAnswered(20, sent, new long[1], new long[2], 2_000))
                .as("the members change")
                .isFalse();
    }
}

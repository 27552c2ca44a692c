package photon.idregistry.raft;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

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
}

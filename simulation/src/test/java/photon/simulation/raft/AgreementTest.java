package photon.simulation.raft;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Replicas that differ are told apart. */
class AgreementTest {
    private final List<String> violations = new ArrayList<>();
    private final Agreement<Long> agreement =
            new Agreement<>("g", state -> state, violations::add, new Counts());

    @Test
    void anotherResultIsAViolation() {
        agreement.applied("a", 1, new byte[] {1}, 5L);
        agreement.applied("b", 1, new byte[] {1}, 5L);
        assertThat(violations).isEmpty();
        agreement.applied("c", 1, new byte[] {2}, 5L);
        assertThat(violations).hasSize(1);
    }

    @Test
    void anotherStateIsAViolationWhereItIsCompared() {
        for (int index = 1; index <= 64; index++) {
            agreement.applied("a", index, new byte[0], (long) index);
        }
        for (int index = 1; index <= 63; index++) {
            agreement.applied("b", index, new byte[0], -1L);
        }
        assertThat(violations).isEmpty();
        agreement.applied("b", 64, new byte[0], -1L);
        assertThat(violations).hasSize(1);
        agreement.compare("b", 64, 64L);
        assertThat(violations).hasSize(1);
    }
}

package photon.testbed.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import photon.core.id.CommitToken;
import photon.core.id.EventId;
import photon.testbed.history.Operation;

class HistoryTest {
    private static Operation commit(long micros, Operation.Result result, long start, long end) {
        return new Operation(
                new EventId(micros, 1, 2, 3),
                Operation.Kind.COMMIT,
                new CommitToken(1, 1, micros),
                result,
                null,
                start,
                end);
    }

    /** An answer says when it was asked for; when it has come says little on a busy machine. */
    @Test
    void whatWasAskedForBeforeIsNotCountedHoweverLateItsAnswerComes() {
        History history = new History();
        history.add(
                List.of(
                        commit(1, Operation.Result.ACCEPTED, 99, 5_000),
                        commit(2, Operation.Result.ACCEPTED, 100, 101),
                        commit(3, Operation.Result.FENCED, 102, 103),
                        commit(4, Operation.Result.ACCEPTED, 200, 201)));
        assertThat(history.acceptedAskedSince(100)).isEqualTo(2);
        assertThat(history.accepted()).isEqualTo(3);
        assertThat(history.newestAcceptedMicros()).isEqualTo(4);
    }
}

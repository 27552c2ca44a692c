package photon.testbed.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import photon.core.id.CommitToken;
import photon.core.id.EventId;
import photon.registry.api.ShardMap;
import photon.testbed.history.Operation;

class GapsTest {
    private static final long MILLI = 1_000_000;
    private final List<Operation> operations = new ArrayList<>();
    private long numbers;

    private CommitToken commit(long idMicros, long startMillis, long endMillis) {
        CommitToken token = new CommitToken(1, 1, ++numbers);
        commit(idMicros, token, Operation.Result.ACCEPTED, startMillis, endMillis * MILLI);
        return token;
    }

    private void commit(
            long idMicros,
            CommitToken token,
            Operation.Result result,
            long startMillis,
            long endNanos) {
        operations.add(
                new Operation(
                        new EventId(idMicros, numbers, 0, 1),
                        Operation.Kind.COMMIT,
                        token,
                        result,
                        null,
                        startMillis * MILLI,
                        endNanos));
    }

    private long longestMillis(ShardMap map, long from, long to) {
        return Gaps.of(operations, map).longestNanos(from * MILLI, to * MILLI) / MILLI;
    }

    private final ShardMap one = ShardMap.initial(1);

    @Test
    void fromTheLastAcceptedToTheNextWhileSomebodyWaits() {
        commit(1, 0, 10);
        commit(2, 5, 500);
        commit(3, 490, 505);
        assertThat(longestMillis(one, 0, 1_000)).isEqualTo(490);
    }

    @Test
    void whatNobodyAsksForIsNoGap() {
        commit(1, 0, 10);
        commit(2, 900, 950);
        assertThat(longestMillis(one, 0, 1_000)).isEqualTo(50);
    }

    @Test
    void anAttemptWaitsFromItsFirstTryOn() {
        CommitToken token = commit(1, 700, 710);
        commit(1, token, Operation.Result.UNKNOWN, 100, Operation.NEVER);
        assertThat(longestMillis(one, 0, 1_000)).isEqualTo(610);
    }

    @Test
    void eachShardHasItsOwn() {
        ShardMap two = one.withEpoch(100, 1);
        commit(1, 0, 10);
        commit(200, 0, 20);
        commit(2, 5, 400);
        for (int at = 30; at < 1_000; at += 10) {
            commit(200 + at, at - 5, at);
        }
        assertThat(longestMillis(two, 0, 1_000)).isEqualTo(390);
        assertThat(longestMillis(one, 0, 1_000)).isLessThan(20);
    }

    @Test
    void onlyThoseWithAPartInTheSpanCount() {
        commit(1, 0, 100);
        commit(2, 0, 300);
        commit(3, 0, 350);
        assertThat(longestMillis(one, 320, 330)).isEqualTo(50);
        assertThat(longestMillis(one, 120, 130)).isEqualTo(200);
        assertThat(longestMillis(one, 400, 500)).isZero();
    }
}

package photon.joiner;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import photon.adapter.Adapter;
import photon.adapter.SourceEvent;
import photon.core.id.CommitToken;
import photon.core.id.Incarnation;
import photon.proto.v1.JoinResult.Status;

/** Repair items whose event another version of the adapter had joined, and this one does not. */
class GivenUpRepairTest {
    private static final CommitToken LOST = CommitToken.of(new Incarnation(5, 1), 77);

    private final JoinerBench bench =
            new JoinerBench(
                            JoinerBench.settings(
                                    GivesUp.class.getName(), JoinerBench.limits(100, 50)),
                            1,
                            false)
                    .run();

    /** Public, as adapters of users are. Skips event 1, rejects event 2, joins others. */
    public static final class GivesUp implements Adapter {
        @Override
        public void join(SourceEvent foreign, SourceEvent primary, Result result) {
            switch ((int) (foreign.timestampMicros() - Events.START_MICROS)) {
                case 1 -> result.skip("not wanted");
                case 2 -> result.reject("broken");
                default -> result.emit("joined".getBytes(UTF_8));
            }
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"SKIPPED", "REJECTED"})
    void whatIsGivenUpIsFreeAsAnyOtherEventThatIsGivenUp(Status status) {
        long n = status == Status.SKIPPED ? 1 : 2;
        bench.registry.held.put(Events.id(n), LOST);
        bench.registry.calls.clear();
        assertThat(bench.join(n, LOST)).isEqualTo(status);
        assertThat(bench.reasonOf(bench.lastNumber())).isIn("not wanted", "broken");
        assertThat(bench.registry.calls).containsExactly("remove 5-1-77");
        assertThat(bench.registry.held).doesNotContainKey(Events.id(n));
        assertThat(bench.join(n, LOST)).as("its answer was lost").isEqualTo(status);
        assertThat(bench.joiner.status().inFlight()).isZero();
    }

    @Test
    void itIsGivenUpOnlyOnceItsTokenIsRemoved() {
        CommitToken notFenced = CommitToken.of(new Incarnation(7, 1), 50);
        bench.registry.held.put(Events.id(2), notFenced);
        assertThat(bench.join(2, notFenced)).isEqualTo(Status.RETRY_EVENT);
        assertThat(bench.registry.held).containsEntry(Events.id(2), notFenced);
        bench.registry.held.put(Events.id(2), LOST);
        bench.registry.boundaryMicros = Events.START_MICROS + 10;
        assertThat(bench.join(2, LOST)).isEqualTo(Status.OUTCOME_LOST);
    }

    @Test
    void anEventThatIsNoRepairItemIsGivenUpWithoutTheRegistry() {
        bench.registry.calls.clear();
        assertThat(bench.join(2)).isEqualTo(Status.REJECTED);
        assertThat(bench.registry.calls).isEmpty();
    }
}

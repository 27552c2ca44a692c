package photon.dispatcher.lease;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import photon.storage.lease.Node;
import photon.storage.lease.NodeList;

class RunningDispatchersTest {
    private static final Node A = new Node("a", "10.0.0.1:9204", 4, 20_000);

    private final RunningDispatchers rule = new RunningDispatchers();

    private RunningDispatchers.Verdict at(long seconds, Map<String, NodeList.Entry> entries) {
        long nanos = TimeUnit.SECONDS.toNanos(seconds);
        return rule.looked(entries, nanos, nanos);
    }

    private static Map<String, NodeList.Entry> version(long version) {
        return Map.of("a", new NodeList.Entry(version, A));
    }

    @Test
    void oneThatHasLeftIsNotWaitedFor() {
        RunningDispatchers.Verdict verdict = at(0, Map.of());
        assertThat(verdict.running()).isEmpty();
        assertThat(verdict.unsure()).isEmpty();
    }

    @Test
    void oneWhoseEntryGoesOnRuns() {
        assertThat(at(0, version(7)).running()).isEmpty();
        assertThat(at(4, version(7)).unsure()).containsExactly(A);
        assertThat(at(5, version(8)).running()).containsExactly(A);
        assertThat(at(60, version(8)).running()).containsExactly(A);
    }

    @Test
    void oneThatDiedCountsAsEndedWhenItsTermAndATenthAreOver() {
        assertThat(at(0, version(7)).unsure()).containsExactly(A);
        assertThat(at(21, version(7)).unsure()).containsExactly(A);
        assertThat(at(22, version(7)).unsure()).isEmpty();
        assertThat(at(22, version(7)).running()).isEmpty();
    }
}

package photon.joiner;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import photon.joiner.incarnation.LifeState;
import photon.proto.v1.JoinResult.Status;

/** Whether a joiner knows what the registry owes it. */
class JoinerHealthTest {
    private final JoinerBench bench = new JoinerBench().run();

    @Test
    void aCommitIsOpenUntilTheRegistryAnswersIt() {
        assertThat(bench.joiner.health().oldestCommitNanos()).isEmpty();
        bench.registry.decideAtOnce = false;
        long sentNanos = bench.main.nanoTime();
        long first = bench.send(1);
        bench.run();
        bench.main.advance(Duration.ofMinutes(1));
        long second = bench.send(2);
        bench.run();
        assertThat(bench.joiner.health().oldestCommitNanos()).hasValue(sentNanos);

        bench.registry.decideAll(false);
        bench.run();
        assertThat(bench.statusOf(first)).isEqualTo(Status.JOINED);
        assertThat(bench.statusOf(second)).isEqualTo(Status.JOINED);
        assertThat(bench.joiner.health().oldestCommitNanos()).isEmpty();
    }

    @Test
    void withoutLoadNothingIsOpen() {
        for (int i = 0; i < 100; i++) {
            bench.main.advance(Duration.ofSeconds(10));
            JoinerHealth health = bench.joiner.health();
            assertThat(health.oldestCommitNanos()).isEmpty();
            assertThat(health.oldestRenewalNanos()).isEmpty();
            assertThat(health.status().state()).isEqualTo(LifeState.SERVING);
        }
    }
}

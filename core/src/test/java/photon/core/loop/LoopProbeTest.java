package photon.core.loop;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class LoopProbeTest {
    private final ManualLoop loop = new ManualLoop();
    private final AtomicInteger value = new AtomicInteger(1);
    private final LoopProbe<Integer> probe = new LoopProbe<>("main", loop, value::get);

    @Test
    void aLoopOwesItsAnswerSinceItWasAskedFirst() {
        assertThat(probe.owedSinceNanos()).isEmpty();
        assertThat(probe.last()).isNull();
        probe.ask(10);
        probe.ask(20);
        assertThat(probe.owedSinceNanos()).hasValue(10);
        loop.runUntilIdle();
        assertThat(probe.owedSinceNanos()).isEmpty();
        assertThat(probe.last()).isEqualTo(1);

        value.set(2);
        probe.ask(30);
        assertThat(probe.last()).as("until it answers").isEqualTo(1);
        loop.runUntilIdle();
        assertThat(probe.last()).isEqualTo(2);
    }

    @Test
    void asksTheLoopOnceUntilItAnswers() {
        AtomicInteger reads = new AtomicInteger();
        LoopProbe<Integer> counting = new LoopProbe<>("main", loop, reads::incrementAndGet);
        for (int i = 0; i < 1_000; i++) {
            counting.ask(i);
        }
        loop.runUntilIdle();
        assertThat(reads).hasValue(1);
    }
}

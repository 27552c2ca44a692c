package photon.dispatcher.flow;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import photon.core.config.PipelineConfig;
import photon.core.time.IntervalClock;
import photon.core.trace.AttemptTracer;
import photon.dispatcher.rules.Stagger;

class FlowSettingsTest {
    private static FlowSettings settings(int flows) {
        return new FlowSettings(
                () -> new IntervalClock.Interval(1, 1),
                new SplittableRandom(1),
                new Stagger("east", List.of("east"), Duration.ZERO),
                PipelineConfig.Limits.DEFAULTS,
                flows,
                Duration.ofSeconds(1),
                10,
                AttemptTracer.OFF);
    }

    /** Large events of many partitions would fill the heap while no joiner takes them. */
    @Test
    void whatIsHeldIsBoundedOverAllPartitions() {
        assertThat(settings(1).heldBytesMax()).isEqualTo(HoldQueue.WEIGHT_MAX);
        assertThat(8 * settings(8).heldBytesMax()).isEqualTo(HoldQueue.WEIGHT_MAX);
        assertThat(settings(1_000).heldBytesMax()).as("room for one event").isEqualTo(8 << 20);
    }
}

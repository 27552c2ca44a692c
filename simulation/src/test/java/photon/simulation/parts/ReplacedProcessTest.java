package photon.simulation.parts;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class ReplacedProcessTest {
    @Test
    void closingTheSecondJoinerAtItsStartLeavesTheFirstAtWork() throws IOException {
        SmallWorld world = new SmallWorld(3, 20);
        world.startAll();
        world.runFor(Duration.ofSeconds(30));
        for (SimulatedDatacenter datacenter : world.datacenters()) {
            datacenter.joiners().get(0).replace();
            datacenter.joiners().get(0).restartOrderly();
        }
        world.runFor(Duration.ofMinutes(10));
        assertThat(world.bugs()).isEmpty();
        world.assertPublishedOnce(3);
    }
}

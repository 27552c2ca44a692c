package photon.simulation.parts;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import photon.storage.files.FileStore;

/** Worlds of two datacenters and a registry that never fails. */
final class OneQuietWorldTest {
    private static final int EVENTS = 50;

    @Test
    void withoutFaultsEveryEventIsPublishedOnce() throws Exception {
        for (long seed = 1; seed <= 3; seed++) {
            SmallWorld world = new SmallWorld(seed, EVENTS);
            world.startAll();
            world.runFor(Duration.ofMinutes(3));
            assertThat(world.bugs()).isEmpty();
            world.assertPublishedOnce(seed);
            for (SimulatedDatacenter datacenter : world.datacenters()) {
                assertThat(datacenter.hosts()).allMatch(host -> host.lives() == 1);
                assertThat(requireNonNull(datacenter.dispatcherStatus()).caughtUp()).isTrue();
                assertThat(requireNonNull(datacenter.dispatcherStatus()).unsettled()).isZero();
                assertThat(
                                requireNonNull(datacenter.joiners().get(0).status())
                                        .unpublishedRecords())
                        .isZero();
                assertThat(requireNonNull(datacenter.repairStatus()).idle()).isTrue();
                assertThat(requireNonNull(datacenter.eventStoreProgress()).caughtUp()).isTrue();
            }
        }
    }

    @Test
    void aSeedIsAWorld() {
        assertThat(hashOf(7)).isEqualTo(hashOf(7)).isNotEqualTo(hashOf(8));
        // To be compared with another JVM's: nothing may depend on where a world runs.
        System.out.printf("Trace of seed 7: %x%n", hashOf(7));
    }

    private static long hashOf(long seed) {
        SmallWorld world = new SmallWorld(seed, EVENTS);
        world.startAll();
        world.runFor(Duration.ofMinutes(2));
        return world.timeline().trace().hash();
    }

    @Test
    void anIdleWorldIsCheap() {
        SmallWorld world = new SmallWorld(5, 0);
        world.startAll();
        world.runFor(Duration.ofMinutes(1));
        long steps = world.timeline().steps();
        world.runFor(Duration.ofMinutes(10));
        assertThat(world.timeline().steps() - steps).isLessThan(300_000);
    }

    @Test
    void aFileThatIsOpenWhenItsProcessDiesLosesWhatWasNotFlushed() throws Exception {
        SmallWorld world = new SmallWorld(1, 0);
        world.startAll();
        world.runFor(Duration.ofSeconds(10));
        SimulatedDatacenter east = world.datacenters().get(0);
        FileStore files = east.disk().of(requireNonNull(east.joiners().get(0).life()));
        FileStore.AppendFile file = files.create("/file");
        file.write("flushed".getBytes(UTF_8), 0, 7);
        file.flush();
        file.write("gone".getBytes(UTF_8), 0, 4);
        east.joiners().get(0).kill("killed by the test");
        file.close();
        assertThat(new String(east.disk().store().content("/file"), UTF_8)).isEqualTo("flushed");
    }
}

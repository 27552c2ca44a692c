package photon.simulation.parts;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.EnumSet;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import photon.simulation.disk.DiskFaults;
import photon.simulation.kernel.Life;
import photon.storage.files.MemoryFileStore.Operation;

/** What processes, disks and power can do. */
final class HarmedWorldsTest {
    private static final int SEEDS = Integer.getInteger("photon.seeds", 10);
    private static final int FROM = Integer.getInteger("photon.from", 1);

    @Test
    void everyEventIsPublishedOnceWhateverEndsProcesses() throws Exception {
        long hash = 0;
        long failures = 0;
        long delays = 0;
        long ends = 0;
        for (int seed = FROM; seed < FROM + SEEDS; seed++) {
            SmallWorld world = harmed(seed);
            assertThat(world.bugs()).as("seed %d", seed).isEmpty();
            world.assertPublishedOnce(seed);
            hash = hash * 31 + world.timeline().trace().hash();
            for (SimulatedDatacenter datacenter : world.datacenters()) {
                failures += datacenter.disk().faults().failures();
                delays += datacenter.disk().faults().delays();
                for (ProcessHost host : datacenter.hosts()) {
                    ends += host.lives() - 1;
                }
            }
        }
        assertThat(failures).isPositive();
        assertThat(delays).isPositive();
        assertThat(ends).isGreaterThan(5L * SEEDS);
        // To be compared with another JVM's: nothing may depend on where a world runs.
        System.out.printf("Traces of %d worlds: %x%n", SEEDS, hash);
    }

    private static SmallWorld harmed(long seed) {
        SmallWorld world = new SmallWorld(seed, 50);
        RandomGenerator random = world.timeline().random().split();
        for (SimulatedDatacenter datacenter : world.datacenters()) {
            datacenter.disk().faults().setInterruption(new Ending(random));
        }
        world.startAll();
        for (int i = 0; i < 20; i++) {
            world.runFor(Duration.ofSeconds(4));
            harm(world, world.datacenters().get(i % 2), random);
        }
        for (SimulatedDatacenter datacenter : world.datacenters()) {
            datacenter.disk().faults().setInterruption((life, operation, path) -> {});
            datacenter.disk().faults().mend();
            datacenter.startAll();
        }
        world.runFor(Duration.ofMinutes(15));
        return world;
    }

    private static void harm(SmallWorld world, SimulatedDatacenter one, RandomGenerator random) {
        if (random.nextInt(8) == 0) {
            world.registry().get(random.nextInt(3)).kill("killed by the test");
        }
        ProcessHost host = one.hosts().get(random.nextInt(one.hosts().size()));
        DiskFaults disk = one.disk().faults();
        Duration length = Duration.ofMillis(random.nextInt(8_000));
        switch (random.nextInt(10)) {
            case 0, 1 -> host.kill("killed by the test");
            case 2 -> {
                one.killAll(random.nextBoolean());
                world.runFor(length);
                one.startAll();
            }
            case 3 -> host.replace();
            case 4 -> host.restartOrderly();
            case 5 -> {
                Life life = host.life();
                if (life != null) {
                    life.pause(Duration.ofSeconds(random.nextInt(90)));
                }
            }
            case 6 ->
                    disk.fail(
                            EnumSet.of(
                                    Operation.SYNC,
                                    Operation.WRITE,
                                    Operation.RENAME,
                                    Operation.LIST,
                                    Operation.OPEN,
                                    Operation.PUBLISH),
                            0.3,
                            length);
            case 7 -> disk.full(random.nextInt(4_000), length);
            case 8 -> disk.slow(EnumSet.allOf(Operation.class), 0.1, Duration.ofSeconds(2), length);
            default -> host.clock().jump(random.nextLong(-3_600_000_000L, 3_600_000_000L));
        }
    }

    /** Ends a process before an operation, or lets it sleep there. */
    private record Ending(RandomGenerator random) implements DiskFaults.Interruption {
        @Override
        public void before(Life life, Operation operation, String path) {
            int what = random.nextInt(600);
            if (what == 0) {
                life.end("killed before " + operation + " of " + path);
            } else if (what == 1) {
                life.block(Duration.ofSeconds(random.nextInt(60)));
            }
        }
    }
}

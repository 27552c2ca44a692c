package photon.dispatcher.flow;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import photon.core.event.LogEvent;
import photon.proto.v1.JoinItem;
import photon.proto.v1.JoinResult.Status;

/**
 * I3, nothing is forgotten, in random worlds: any answers, broken sessions, a silent registry, and
 * power cuts or kills at any operation on the files.
 */
class RandomWorldTest {
    private static final List<Status> ANSWERS =
            List.of(
                    Status.JOINED,
                    Status.JOINED,
                    Status.JOINED_ELSEWHERE,
                    Status.WAITING_FOR_PRIMARY,
                    Status.WAITING_FOR_PRIMARY,
                    Status.RETRY_EVENT,
                    Status.SKIPPED,
                    Status.REJECTED,
                    Status.OUTCOME_LOST,
                    Status.ID_TOO_OLD,
                    Status.ID_IN_FUTURE,
                    Status.RETRY_ALL,
                    Status.RESOURCE_EXHAUSTED,
                    Status.ABANDONED);

    static IntStream seeds() {
        return IntStream.range(0, 100);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void whatACheckpointHasPassedIsNeverForgotten(int seed) throws IOException {
        SplittableRandom random = new SplittableRandom(seed);
        World world = new World(seed);
        world.joinerCount = 1 + seed % 2;
        world.datacenters = List.of("east", "west");
        List<World.Log> logs = new ArrayList<>();
        for (int life = 0; life < 5; life++) {
            world.diskMillisMax = random.nextInt(3) * 150;
            boolean begun = begin(world);
            if (begun) {
                live(world, random, logs);
            }
            world.files.setHook((operation, path) -> {});
            logs.clear();
            if (random.nextInt(3) == 0) {
                world.files.endHandles();
            } else {
                world.files.crash();
            }
            assertThat(world.forgotten()).as("seed %d life %d", seed, life).isEmpty();
        }
        heal(world);
        assertThat(world.forgotten()).as("seed %d", seed).isEmpty();
        assertThat(world.rows()).as("seed %d", seed).isEmpty();
        assertThat(settled(world)).as("seed %d", seed).containsAll(world.allIds);
    }

    private static boolean begin(World world) {
        try {
            world.start();
            return true;
        } catch (IOException e) {
            return false; // it died while it claimed its state
        }
    }

    private static void live(World world, SplittableRandom random, List<World.Log> logs)
            throws IOException {
        int[] changesLeft = {random.nextInt(3) == 0 ? Integer.MAX_VALUE : random.nextInt(120)};
        world.files.setHook(
                (operation, path) -> {
                    if (path.startsWith("/state") && operation.changes()) {
                        if (--changesLeft[0] < 0) {
                            throw new IOException("the process dies here");
                        }
                    }
                });
        world.joiner.answers = item -> answer(world, random, item);
        world.second.answers = world.joiner.answers;
        for (int step = 0; step < 40 && !world.failed; step++) {
            switch (random.nextInt(10)) {
                case 0 -> logs.add(world.log("f" + world.written.size()));
                case 1, 2, 3 -> write(random, logs);
                case 4 -> world.joiner.breakSession();
                case 5 -> world.registry.available = random.nextBoolean();
                case 6 -> world.joiner.delay = java.time.Duration.ofMillis(random.nextInt(500));
                case 7 -> world.second.breakSession();
                case 8 -> world.second.away = random.nextBoolean();
                default -> world.flow.tryDeferred();
            }
            world.advance(random.nextInt(700));
            assertThat(world.forgotten()).isEmpty();
        }
    }

    private static void write(SplittableRandom random, List<World.Log> logs) throws IOException {
        if (logs.isEmpty()) {
            return;
        }
        World.Log log = logs.get(random.nextInt(logs.size()));
        for (int i = random.nextInt(30); i > 0; i--) {
            switch (random.nextInt(6)) {
                case 0 -> log.line("{\"type\":\"view\"}");
                case 1 -> log.line("broken");
                default -> log.click();
            }
        }
    }

    private static Status answer(World world, SplittableRandom random, JoinItem item) {
        LogEvent event = FakeJoiner.event(item);
        if (world.joiner.joined.contains(event.idText())) {
            return Status.JOINED_ELSEWHERE;
        }
        Status status = ANSWERS.get(random.nextInt(ANSWERS.size()));
        boolean joined = status == Status.JOINED || status == Status.JOINED_ELSEWHERE;
        if (joined && random.nextBoolean()) {
            world.registry.known.add(event.id());
        }
        return status;
    }

    private static void heal(World world) throws IOException {
        world.diskMillisMax = 0;
        world.start();
        world.joiner.answers = item -> Status.JOINED;
        world.second.answers = item -> Status.JOINED;
        for (int i = 0; i < 100; i++) {
            world.advance(500);
        }
        world.stop();
    }

    private static List<String> settled(World world) throws IOException {
        List<String> settled = new ArrayList<>(world.joiner.joined);
        world.entries().forEach(entry -> settled.add(entry.idText()));
        return settled;
    }
}

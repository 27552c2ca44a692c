package photon.idregistry.restore;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import photon.idregistry.restore.RestoreWorld.Fault;

/** No event is joined twice, and none is lost, when a registry comes back from an old backup. */
final class RestoreModelTest {
    private static final int SEEDS = 300;
    private static final int EVENTS = 60;

    /** What went wrong in the world of a seed. */
    private static Optional<String> run(long seed, Fault fault) throws IOException {
        RestoreWorld world = new RestoreWorld(seed, fault);
        for (int n = 0; n < EVENTS; n++) {
            int number = n;
            world.datacenters.values().forEach(at -> at.todo.add(RestoreWorld.id(number)));
        }
        world.steps(world.random.nextInt(150));
        RestoreWorld.Taken backup = world.backup();
        world.steps(world.random.nextInt(250));
        world.lose();
        try {
            world.restore(backup);
            world.steps(100);
            world.settle(EVENTS);
        } catch (AssertionError e) {
            return Optional.of("seed %d: %s".formatted(seed, e.getMessage()));
        }
        for (int n = 0; n < EVENTS; n++) {
            var tokens = world.output.getOrDefault(RestoreWorld.id(n), java.util.List.of());
            if (tokens.size() != 1) {
                return Optional.of(
                        "seed %d: event %d is published by %s".formatted(seed, n, tokens));
            }
        }
        return Optional.empty();
    }

    @Test
    void everyEventIsPublishedOnce() throws IOException {
        for (long seed = 0; seed < SEEDS; seed++) {
            assertThat(run(seed, Fault.NONE)).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
    void aRuleThatIsLeftOutIsMissed(Fault fault) throws IOException {
        for (long seed = 0; seed < SEEDS; seed++) {
            if (run(seed, fault).isPresent()) {
                return;
            }
        }
        throw new AssertionError("nothing went wrong in " + SEEDS + " worlds without " + fault);
    }
}

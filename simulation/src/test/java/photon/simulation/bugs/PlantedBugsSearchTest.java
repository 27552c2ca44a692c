package photon.simulation.bugs;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.function.LongFunction;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import photon.simulation.bugs.RecordedCatches.Catch;

/**
 * Searches, for each planted bug, the first seed that catches it. System properties: {@code
 * photon.bugs.only} names bugs, with commas between; {@code photon.bugs.seeds} how many seeds are
 * tried; {@code photon.bugs.record}, if set, has what was found written down: {@code stale}
 * searches only for those whose recorded seed does not catch them any more.
 */
@Tag("crash")
class PlantedBugsSearchTest {
    private static final String RECORD = "photon.bugs.record";
    private static final boolean STALE_ONLY = "stale".equals(System.getProperty(RECORD));
    private static final long SEEDS = Long.getLong("photon.bugs.seeds", 500);

    private final Worlds worlds = new Worlds();

    @Test
    void everyBugIsCaught() throws Exception {
        List<PlantedBug> wanted = wanted();
        Map<PlantedBug, Future<Optional<Catch>>> searches = new LinkedHashMap<>();
        ExecutorService cores = Worlds.threads();
        RecordedCatches recorded = RecordedCatches.read(Sources.ofThisCheckout().root());
        List<String> missed = new ArrayList<>();
        try {
            for (PlantedBug bug : wanted) {
                Optional<Catch> before = recorded.of(bug);
                searches.put(bug, cores.submit(() -> search(bug, before)));
            }
            for (Map.Entry<PlantedBug, Future<Optional<Catch>>> search : searches.entrySet()) {
                result(search.getKey(), search.getValue())
                        .ifPresentOrElse(recorded::put, () -> missed.add(search.getKey().name()));
            }
        } finally {
            cores.shutdownNow();
        }
        recorded.retain(PlantedBugs.ALL.stream().map(PlantedBug::name).toList());
        System.out.println(recorded.table());
        if (System.getProperty(RECORD) != null) {
            recorded.write();
        }
        assertThat(missed).as("Bugs that no seed up to %s has caught", SEEDS).isEmpty();
    }

    private static List<PlantedBug> wanted() {
        String only = System.getProperty("photon.bugs.only");
        List<PlantedBug> wanted =
                only == null
                        ? PlantedBugs.ALL
                        : PlantedBugs.ALL.stream()
                                .filter(bug -> List.of(only.split(",", -1)).contains(bug.name()))
                                .toList();
        assertThat(wanted).as("Bugs of %s", only).isNotEmpty();
        return wanted;
    }

    private static Optional<Catch> result(PlantedBug bug, Future<Optional<Catch>> search)
            throws InterruptedException {
        try {
            return search.get();
        } catch (ExecutionException e) {
            throw new AssertionError("Searching for " + bug, e.getCause());
        }
    }

    private Optional<Catch> search(PlantedBug bug, Optional<Catch> recorded) {
        LongFunction<List<String>> world = worlds.with(bug);
        if (STALE_ONLY && recorded.isPresent()) {
            Optional<Catch> still = at(bug, world, recorded.get().seed());
            if (still.isPresent()) {
                return still;
            }
        }
        for (long seed = 1; seed <= SEEDS; seed++) {
            Optional<Catch> caught = at(bug, world, seed);
            if (caught.isPresent()) {
                return caught;
            }
        }
        return Optional.empty();
    }

    private Optional<Catch> at(PlantedBug bug, LongFunction<List<String>> world, long seed) {
        Optional<Check> caught = Worlds.catcher(bug, world.apply(seed));
        // A seed that fails by itself has caught nothing.
        return caught.isPresent() && worlds.withoutBug(seed).isEmpty()
                ? Optional.of(new Catch(bug.name(), caught.get(), seed))
                : Optional.empty();
    }
}

package photon.simulation.bugs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
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
 * Each planted bug must be caught by a seed that passes without it. The recorded seed is tried
 * first; where it does not do it any more, others from 1 on. System properties: {@code
 * photon.bugs.only} names bugs, with commas between; {@code photon.bugs.seeds} the last seed that
 * is tried, 200 unless what is found is recorded, 500 then; {@code photon.bugs.from} the first, for
 * what is caught too seldom for those before; {@code photon.bugs.record}, if set, has what was
 * found written down: {@code stale} of those whose recorded seed does not catch them any more,
 * {@code true} of all, each searched anew. Bugs that a test of some module catches ({@link
 * CaughtByTests}) are searched for only if they are named.
 */
@Tag("crash")
@Tag("planted")
class PlantedBugsSearchTest {
    private static final String RECORD = "photon.bugs.record";
    private static final boolean RECORDS = System.getProperty(RECORD) != null;
    private static final boolean STALE_ONLY = !"true".equals(System.getProperty(RECORD));
    private static final long FROM = Long.getLong("photon.bugs.from", 1);
    private static final long SEEDS = Long.getLong("photon.bugs.seeds", RECORDS ? 500 : 200);

    private final Worlds worlds = new Worlds();

    @Test
    void everyBugIsCaught() throws Exception {
        RecordedCatches recorded = RecordedCatches.read(Sources.ofThisCheckout().root());
        List<PlantedBug> wanted = longestFirst(wanted(), recorded);
        Map<PlantedBug, Future<Found>> searches = new LinkedHashMap<>();
        ExecutorService cores = Worlds.threads();
        List<String> missed = new ArrayList<>();
        List<String> stale = new ArrayList<>();
        try {
            for (PlantedBug bug : wanted) {
                Optional<Catch> before = recorded.of(bug);
                searches.put(
                        bug,
                        cores.submit(
                                () -> {
                                    Found found = search(bug, before);
                                    keep(recorded, found);
                                    return found;
                                }));
            }
            for (Map.Entry<PlantedBug, Future<Found>> search : searches.entrySet()) {
                Found found = result(search.getKey(), search.getValue());
                if (found.lowest().isEmpty()) {
                    missed.add(search.getKey().name());
                }
                if (!found.byRecorded()) {
                    stale.add(search.getKey().name());
                }
            }
        } finally {
            cores.shutdownNow();
        }
        missed.forEach(recorded::remove);
        recorded.retain(PlantedBugs.ALL.stream().map(PlantedBug::name).toList());
        System.out.println(recorded.table());
        if (RECORDS) {
            recorded.write();
        } else if (!stale.isEmpty()) {
            // No reason to fail: any change of a decision's timing moves what chance brings.
            System.out.println(
                    "Record anew (docs/testing.md): the recorded seed no longer catches " + stale);
        }
        assertThat(missed).as("Bugs that no seed up to %s has caught", SEEDS).isEmpty();
    }

    /** At once: a search may take hours, and be cut short. */
    private static void keep(RecordedCatches recorded, Found found) throws IOException {
        synchronized (recorded) {
            found.lowest().ifPresent(recorded::put);
            if (RECORDS) {
                recorded.write();
            }
        }
    }

    /** Else the last search runs alone, on one core. */
    private static List<PlantedBug> longestFirst(List<PlantedBug> bugs, RecordedCatches recorded) {
        return bugs.stream()
                .sorted(
                        Comparator.comparingLong(
                                bug -> -recorded.of(bug).map(Catch::seed).orElse(SEEDS)))
                .toList();
    }

    private static List<PlantedBug> wanted() {
        String only = System.getProperty("photon.bugs.only");
        List<PlantedBug> wanted =
                only == null
                        ? PlantedBugs.ALL.stream()
                                .filter(bug -> CaughtByTests.of(bug).isEmpty())
                                .toList()
                        : PlantedBugs.ALL.stream()
                                .filter(bug -> List.of(only.split(",", -1)).contains(bug.name()))
                                .toList();
        assertThat(wanted).as("Bugs of %s", only).isNotEmpty();
        return wanted;
    }

    /**
     * @param lowest the first seed that catches it
     * @param byRecorded the recorded seed catches it
     */
    private record Found(Optional<Catch> lowest, boolean byRecorded) {}

    private static Found result(PlantedBug bug, Future<Found> search) throws InterruptedException {
        try {
            return search.get();
        } catch (ExecutionException e) {
            throw new AssertionError("Searching for " + bug, e.getCause());
        }
    }

    private Found search(PlantedBug bug, Optional<Catch> recorded) {
        LongFunction<List<String>> world = worlds.with(bug);
        if (STALE_ONLY && recorded.isPresent()) {
            Optional<Catch> still = at(bug, world, recorded.get().seed());
            if (still.isPresent()) {
                return new Found(still, true);
            }
        }
        Optional<Catch> lowest = Optional.empty();
        for (long seed = FROM; seed <= SEEDS && lowest.isEmpty(); seed++) {
            lowest = at(bug, world, seed);
        }
        boolean same =
                lowest.isPresent() && lowest.map(Catch::seed).equals(recorded.map(Catch::seed));
        return new Found(
                lowest,
                same || recorded.flatMap(known -> at(bug, world, known.seed())).isPresent());
    }

    private Optional<Catch> at(PlantedBug bug, LongFunction<List<String>> world, long seed) {
        Optional<Check> caught = Worlds.catcher(bug, world.apply(seed));
        // A seed that fails by itself has caught nothing.
        return caught.isPresent() && worlds.withoutBug(seed).isEmpty()
                ? Optional.of(new Catch(bug.name(), caught.get(), seed))
                : Optional.empty();
    }
}

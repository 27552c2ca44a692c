package photon.simulation.checks;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;
import photon.core.config.PipelineConfig.Limits;
import photon.dispatcher.DispatcherStatus;
import photon.idregistry.batch.BatchLimits;
import photon.idregistry.server.GroupLoad;
import photon.joiner.JoinerSettings;
import photon.joiner.JoinerStatus;

/**
 * I6: no part holds more than its configuration says. The world names each part's measures when it
 * starts the part, and takes them away when it ends; the same name again replaces. Not thread-safe.
 */
public final class Bounds {
    private static final String INVARIANT = "I6";

    private final TreeMap<String, Bound> bounds = new TreeMap<>();
    private final TreeMap<String, Long> peaks = new TreeMap<>();

    private final TreeSet<String> met = new TreeSet<>();

    private record Bound(LongSupplier now, LongSupplier max) {}

    /** What is measured, such as {@code east/joiner-0: admitted events}, and the most it may be. */
    public void put(String name, LongSupplier now, long max) {
        put(name, now, () -> max);
    }

    private void put(String name, LongSupplier now, LongSupplier max) {
        bounds.put(name, new Bound(now, max));
    }

    /** All whose name begins so, as when their process ends. */
    public void remove(String prefix) {
        bounds.keySet().removeIf(name -> name.startsWith(prefix));
    }

    /**
     * @param rowsMax what the retry journal's index may hold: waiting has no limit but that of the
     *     world's events
     */
    public void putDispatcher(
            String process, Supplier<DispatcherStatus> status, Limits limits, long rowsMax) {
        int rows = Math.max(1, limits.eventsInFlightMax() / 4);
        int live = Math.max(1, limits.eventsInFlightMax() - rows);
        put(process + ": events held", () -> status.get().held(), limits.heldEventsMax());
        put(
                process + ": events on their way",
                () -> status.get().inFlight() - status.get().ready(),
                rows + live);
        put(process + ": rows on their way", () -> status.get().processingRows(), rows);
        put(
                process + ": rows in memory",
                () -> (long) status.get().waitingRows() + status.get().processingRows(),
                rowsMax);
    }

    /**
     * @param status null: it does not run
     * @param shards how many there are, of all epochs
     */
    public void putJoiner(
            String process,
            Supplier<@Nullable JoinerStatus> status,
            JoinerSettings settings,
            IntSupplier shards) {
        put(
                process + ": admitted events",
                measure(status, JoinerStatus::admitted),
                settings.limits().joinerEventsMax());
        // One that is larger than the whole bound is let in alone.
        put(
                process + ": admitted bytes",
                measure(status, now -> now.admitted() <= 1 ? 0 : now.admittedBytes()),
                settings.admittedBytesMax());
        put(
                process + ": ids outstanding",
                measure(status, JoinerStatus::inFlight),
                () -> (long) settings.limits().commitsInFlightMax() * shards.getAsInt());
    }

    private static LongSupplier measure(
            Supplier<@Nullable JoinerStatus> status, ToLongFunction<JoinerStatus> of) {
        return () -> {
            JoinerStatus now = status.get();
            return now == null ? 0 : of.applyAsLong(now);
        };
    }

    /**
     * @param loads of its groups, empty while it does not run; the fullest counts
     */
    public void putRegistry(String process, Supplier<List<GroupLoad>> loads, BatchLimits limits) {
        put(
                process + ": ids that wait at one shard",
                fullest(loads, GroupLoad::waitingIds),
                limits.waitingIdsMax());
        put(
                process + ": commit entries of one shard",
                fullest(loads, GroupLoad::entriesInFlight),
                limits.entriesInFlightMax());
        put(
                process + ": other requests of one group",
                fullest(loads, GroupLoad::directInFlight),
                GroupLoad.DIRECT_MAX);
    }

    private static LongSupplier fullest(
            Supplier<List<GroupLoad>> loads, ToLongFunction<GroupLoad> of) {
        return () -> loads.get().stream().mapToLong(of).max().orElse(0);
    }

    List<Violation> check() {
        List<Violation> found = new ArrayList<>();
        bounds.forEach(
                (name, bound) -> {
                    long now = bound.now().getAsLong();
                    long max = bound.max().getAsLong();
                    peaks.merge(name, now, Math::max);
                    if (now == max) {
                        met.add(name);
                    }
                    if (now > max) {
                        found.add(
                                Violation.of(
                                        INVARIANT,
                                        List.of(),
                                        "%s: expected at most %d, but got %d",
                                        name,
                                        max,
                                        now));
                    }
                });
        return found;
    }

    /** The most that was ever seen of each measure: one that stays at 0 measures nothing. */
    public SortedMap<String, Long> peaks() {
        return Collections.unmodifiableSortedMap(peaks);
    }

    /** The measures that have reached their limit: of the others nobody knows that they keep it. */
    public SortedSet<String> met() {
        return Collections.unmodifiableSortedSet(met);
    }
}

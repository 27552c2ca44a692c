package photon.simulation.checks;

import java.util.ArrayList;
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
import photon.dispatcher.state.DispatcherStatus;
import photon.idregistry.batch.BatchLimits;
import photon.idregistry.server.groups.GroupLoad;
import photon.joiner.JoinerSettings;
import photon.joiner.JoinerStatus;

/**
 * I6: no part holds more than its configuration says. The world names each part's measures when it
 * starts the part, and takes them away when it ends; the same name again replaces. Not thread-safe.
 */
public final class Bounds {
    private static final String INVARIANT = "I6";

    /** By name: that of the violations, too. */
    private final TreeMap<String, Bound> bounds = new TreeMap<>();

    private final TreeMap<String, Extremes> extremes = new TreeMap<>();

    /** The bounds once more: they are looked at thousands of times a second. */
    private Bound[] all = {};

    private long looks;

    private record Bound(String name, LongSupplier now, LongSupplier max, Extremes seen) {}

    /** What was ever seen under a name. */
    private static final class Extremes {
        long most = Long.MIN_VALUE;
        boolean metMax;
    }

    /** What several bounds measure, asked for once a look. */
    private final class Shared<T extends @Nullable Object> implements Supplier<T> {
        private final Supplier<T> source;
        private @Nullable T value;
        private long lookOfValue = -1;

        Shared(Supplier<T> source) {
            this.source = source;
        }

        @Override
        @SuppressWarnings("NullAway") // null only where T may be
        public T get() {
            if (lookOfValue != looks) {
                value = source.get();
                lookOfValue = looks;
            }
            return value;
        }
    }

    /** What is measured, such as {@code east/joiner-0: admitted events}, and the most it may be. */
    public void put(String name, LongSupplier now, long max) {
        put(name, now, () -> max);
    }

    private void put(String name, LongSupplier now, LongSupplier max) {
        Extremes seen = extremes.computeIfAbsent(name, key -> new Extremes());
        bounds.put(name, new Bound(name, now, max, seen));
        all = bounds.values().toArray(Bound[]::new);
    }

    /** All whose name begins so, as when their process ends. */
    public void remove(String prefix) {
        bounds.keySet().removeIf(name -> name.startsWith(prefix));
        all = bounds.values().toArray(Bound[]::new);
    }

    /**
     * @param partitions each has its part of the limits, and room for one at least
     * @param rowsMax what the retry journal's index may hold: waiting has no limit but that of the
     *     world's events
     */
    public void putDispatcher(
            String process,
            Supplier<DispatcherStatus> source,
            Limits limits,
            int partitions,
            long rowsMax) {
        Supplier<DispatcherStatus> status = new Shared<>(source);
        int rows = Math.max(1, limits.eventsInFlightMax() / 4);
        int live = Math.max(1, limits.eventsInFlightMax() - rows);
        int held = Math.max(partitions, limits.heldEventsMax());
        put(process + ": events held", () -> status.get().held() + status.get().gated(), held);
        put(process + ": events that wait for the event store", () -> status.get().gated(), held);
        put(
                process + ": events on their way",
                () -> status.get().inFlight() - status.get().ready(),
                Math.max(2 * partitions, rows + live));
        put(
                process + ": rows on their way",
                () -> status.get().processingRows(),
                Math.max(partitions, rows));
        put(
                process + ": rows in memory",
                () ->
                        (long) status.get().waitingRows()
                                + status.get().watchedRows()
                                + status.get().processingRows(),
                rowsMax);
    }

    /**
     * @param source null: it does not run
     * @param shards how many there are, of all epochs
     */
    public void putJoiner(
            String process,
            Supplier<@Nullable JoinerStatus> source,
            JoinerSettings settings,
            IntSupplier shards) {
        Supplier<@Nullable JoinerStatus> status = new Shared<>(source);
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
     * @param source of its groups' loads, empty while it does not run; the fullest counts
     */
    public void putRegistry(String process, Supplier<List<GroupLoad>> source, BatchLimits limits) {
        Supplier<List<GroupLoad>> loads = new Shared<>(source);
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
        return () -> {
            long most = 0;
            for (GroupLoad load : loads.get()) {
                most = Math.max(most, of.applyAsLong(load));
            }
            return most;
        };
    }

    List<InvariantViolation> check() {
        List<InvariantViolation> found = List.of();
        looks++;
        for (Bound bound : all) {
            long now = bound.now.getAsLong();
            long max = bound.max.getAsLong();
            bound.seen.most = Math.max(bound.seen.most, now);
            bound.seen.metMax |= now == max;
            if (now > max) {
                found = new ArrayList<>(found);
                found.add(
                        InvariantViolation.of(
                                INVARIANT,
                                List.of(),
                                "%s: expected at most %d, but got %d",
                                bound.name,
                                max,
                                now));
            }
        }
        return found;
    }

    /** The most that was ever seen of each measure: one that stays at 0 measures nothing. */
    public SortedMap<String, Long> peaks() {
        TreeMap<String, Long> peaks = new TreeMap<>();
        extremes.forEach((name, seen) -> peaks.put(name, seen.most));
        return peaks;
    }

    /** The measures that have reached their limit: of the others nobody knows that they keep it. */
    public SortedSet<String> met() {
        TreeSet<String> met = new TreeSet<>();
        extremes.forEach(
                (name, seen) -> {
                    if (seen.metMax) {
                        met.add(name);
                    }
                });
        return met;
    }
}

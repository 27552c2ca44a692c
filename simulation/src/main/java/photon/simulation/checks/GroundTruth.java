package photon.simulation.checks;

import static photon.core.error.Checks.check;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import photon.core.config.PipelineConfig;
import photon.core.id.EventId;
import photon.joiner.rules.Promise;

/**
 * The input of one world, and what must become of each foreign identity in it. The same random
 * numbers make the same. Immutable.
 *
 * <p>The world must set the registry's boundary to {@link #boundaryMicros()} before the first event
 * can be committed, keep the retention, and write each line synced with its line feed: what a log
 * has shown is not lost to a power cut, since that would be its producer's loss.
 */
public final class GroundTruth {
    /** The lines come within so much simulated time; few come later, none after twice this. */
    public static final Duration SPAN = Duration.ofMinutes(10);

    /**
     * Of the pipeline. Longer than a world with its quiet phase, clocks that are wrong by hours,
     * and the expiry margin together: what can be joined stays so to the end.
     */
    public static final Duration LONG_RETENTION = Duration.ofHours(6);

    /** Of a pipeline whose boundary passes ids that are on their way. */
    public static final Duration SHORT_RETENTION = Duration.ofMinutes(20);

    /** The longest expiry margin of such a pipeline. */
    public static final Duration SHORT_MARGIN = Duration.ofSeconds(20);

    /** So near above its boundary nobody need try an event. */
    static final Duration NEAR_BOUNDARY = Promise.STEP_MIN;

    private final long boundaryMicros;
    private final boolean boundaryMoves;
    private final List<InputRecord> inputs;
    private final TreeMap<EventId, ForeignIdentity> identities;
    private final Map<String, Integer> corruptForeign;
    private final Map<String, Emitted> joinedLines = new HashMap<>(); // looked up, never walked

    private GroundTruth(
            long boundaryMicros,
            boolean boundaryMoves,
            List<InputRecord> inputs,
            Collection<ForeignIdentity> identities,
            Map<String, Integer> corruptForeign) {
        this.boundaryMicros = boundaryMicros;
        this.boundaryMoves = boundaryMoves;
        this.inputs = List.copyOf(inputs);
        this.identities = new TreeMap<>();
        this.corruptForeign = corruptForeign;
        for (ForeignIdentity identity : identities) {
            ForeignIdentity other = this.identities.put(identity.id(), identity);
            check(other == null, "Expected ids that differ, but %s is as %s", identity, other);
            identity.emitted().forEach(event -> joinedLines.put(event.line(), event));
        }
    }

    /**
     * @param emissions draws what the adapter makes of each event; empty: what the built-in one
     *     does
     * @param startMicros wall time of the world's start
     * @param unmatched what becomes of events whose primary event does not come in time
     */
    public static GroundTruth make(
            RandomGenerator random,
            Optional<RandomGenerator> emissions,
            List<String> datacenters,
            long startMicros,
            Duration retention,
            Optional<PipelineConfig.Unmatched> unmatched) {
        long boundaryMicros = startMicros - retention.toNanos() / 1_000;
        Script script =
                new Script(random, emissions, datacenters, startMicros, boundaryMicros, unmatched);
        int events = 200 + random.nextInt(200);
        Kind[] kinds = Kind.values();
        Kind frequent =
                random.nextBoolean() ? Kind.PLAIN : FREQUENT.get(random.nextInt(FREQUENT.size()));
        for (int i = 0; i < events; i++) {
            // Each kind twice, then by chance, most of them plain.
            Kind kind =
                    i < 2 * kinds.length
                            ? kinds[i % kinds.length]
                            : random.nextInt(3) > 0
                                    ? random.nextBoolean() ? frequent : Kind.PLAIN
                                    : kinds[random.nextInt(kinds.length)];
            script.add(kind);
        }
        script.addCorruptLines();
        List<InputRecord> inputs = new ArrayList<>(script.inputs());
        inputs.sort(Comparator.comparingLong(InputRecord::atNanos)); // stable
        return new GroundTruth(
                boundaryMicros,
                retention.compareTo(LONG_RETENTION) < 0,
                inputs,
                script.identities(),
                script.corruptForeign());
    }

    /** Worlds may have many of one of these. */
    private static final List<Kind> FREQUENT =
            List.of(Kind.SOON, Kind.SOON, Kind.REPEATED, Kind.EARLY, Kind.ALONE, Kind.TOO_OLD);

    /** What a foreign event may be like. */
    enum Kind {
        /** In all datacenters, its primary event shortly before. */
        PLAIN,
        /** Refers to a primary event that others refer to. */
        SHARED_PRIMARY,
        /** Long before its primary event. */
        EARLY,
        /** Its primary event never comes. */
        ORPHAN,
        /** Its primary event comes in one datacenter only. */
        SPLIT,
        /** In one datacenter only, its primary event in another: no one can join it. */
        APART,
        /** In one datacenter's log only. */
        ALONE,
        /** Comes again, word for word. */
        REPEATED,
        /** Comes again and says something else. */
        CHANGED,
        /** Its primary event comes again and says something else. */
        PRIMARY_CHANGED,
        /** Left out by the configuration. */
        ROBOT,
        /** Its timestamp is some minutes back. */
        PAST,
        /** Below the boundary from the start. */
        TOO_OLD,
        /** A few minutes ahead of the clocks. */
        SOON,
        /** Ahead of every clock. */
        FAR_FUTURE,
        /** Its fields are those of another event, its timestamp is not. */
        TWIN,
        /** Its fields joined by ':' are those of another event, of the same timestamp. */
        AMBIGUOUS
    }

    /** In order of time. */
    public List<InputRecord> inputs() {
        return inputs;
    }

    public long boundaryMicros() {
        return boundaryMicros;
    }

    /**
     * The boundary may pass ids that could be joined, in the end all of them. Of those that it has
     * passed nothing is promised but that they are accounted for, unless they were held then.
     */
    public boolean boundaryMoves() {
        return boundaryMoves;
    }

    /** In order of their ids. */
    public Collection<ForeignIdentity> identities() {
        return Collections.unmodifiableCollection(identities.values());
    }

    /** Null: no such event is in any log. */
    public @Nullable ForeignIdentity identity(EventId id) {
        return identities.get(id);
    }

    /** The joined event that is written like this; null: none that could be right. */
    @Nullable Emitted emitted(String line) {
        return joinedLines.get(line);
    }

    /** Lines without a usable identity in this datacenter's foreign logs. */
    public int corruptForeign(String datacenter) {
        return corruptForeign.getOrDefault(datacenter, 0);
    }

    /** How many identities have which fate, for the story. */
    public Map<Fate, Integer> fates() {
        Map<Fate, Integer> counts = new EnumMap<>(Fate.class);
        identities.values().forEach(identity -> counts.merge(identity.fate(), 1, Integer::sum));
        return counts;
    }

    /** When the last line comes. */
    public long lastNanos() {
        return inputs.get(inputs.size() - 1).atNanos();
    }
}

package photon.core.config;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import photon.core.rpc.HostPort;
import photon.core.security.SecurityConfig;

/**
 * A pipeline, as its YAML file says.
 *
 * @param retention ids older than this are refused as too old; empty: unlimited
 * @param stagger how long a datacenter that an event does not prefer waits before it tries it
 * @param adapter what joins
 * @param limits bounds and times of the parts
 * @param repair how what a joiner has lost is brought back
 * @param output how joined events are written
 * @param unmatched what becomes of foreign events whose primary event does not come; empty: they
 *     wait for it as long as the registry remembers ids
 */
public record PipelineConfig(
        String pipeline,
        List<String> datacenters,
        Optional<Duration> retention,
        Duration stagger,
        StreamConfig primary,
        StreamConfig foreign,
        Adapter adapter,
        Limits limits,
        Repair repair,
        OutputConfig output,
        Optional<Unmatched> unmatched) {

    public PipelineConfig {
        datacenters = List.copyOf(datacenters);
    }

    public PipelineConfig withLimits(Limits other) {
        return new PipelineConfig(
                pipeline,
                datacenters,
                retention,
                stagger,
                primary,
                foreign,
                adapter,
                other,
                repair,
                output,
                unmatched);
    }

    public PipelineConfig withAdapter(Adapter other) {
        return new PipelineConfig(
                pipeline,
                datacenters,
                retention,
                stagger,
                primary,
                foreign,
                other,
                limits,
                repair,
                output,
                unmatched);
    }

    public PipelineConfig withUnmatched(Optional<Unmatched> other) {
        return new PipelineConfig(
                pipeline,
                datacenters,
                retention,
                stagger,
                primary,
                foreign,
                adapter,
                limits,
                repair,
                output,
                other);
    }

    /**
     * From when on input and output are kept, by the retention: microseconds since 1970; {@link
     * Long#MIN_VALUE}: for good.
     *
     * @param earliestMicros what the time is at least
     */
    public long keptSinceMicros(long earliestMicros) {
        return retention
                .map(kept -> earliestMicros - TimeUnit.MILLISECONDS.toMicros(kept.toMillis()))
                .orElse(Long.MIN_VALUE);
    }

    /**
     * The adapter to use.
     *
     * @param type {@code merge}, or the name of a class that implements the adapter interface
     * @param jars absolute paths of the class's jars, its own first; empty: it is {@code merge}, or
     *     on Photon's own class path, as in a simulated world
     * @param remote an adapter that is a process of its own; empty: it runs in the joiner
     * @param options handed to it
     * @param timeout of one call; then it is interrupted, and the event tried again. Zero: none
     * @param failuresMaxPercent if it fails at more of a hundred events, 1 to 100, they wait and
     *     none is dead-lettered; 100: never
     * @param failuresWindow of how many of the last events, 1 or more
     */
    public record Adapter(
            String type,
            List<String> jars,
            Optional<Remote> remote,
            Map<String, String> options,
            Duration timeout,
            int failuresMaxPercent,
            int failuresWindow) {
        public static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(30);
        public static final int DEFAULT_FAILURES_MAX_PERCENT = 50;
        public static final int DEFAULT_FAILURES_WINDOW = 200;

        public static final String MERGE = "merge";

        /** The type of one that is a process of its own. */
        public static final String REMOTE = "remote";

        public Adapter {
            jars = List.copyOf(jars);
            options = Map.copyOf(options);
        }

        /** True: the built-in one. */
        public boolean isMerge() {
            return type.equals(MERGE);
        }

        /** With the usual bounds. */
        public Adapter(String type, Map<String, String> options) {
            this(
                    type,
                    List.of(),
                    Optional.empty(),
                    options,
                    DEFAULT_TIMEOUT,
                    DEFAULT_FAILURES_MAX_PERCENT,
                    DEFAULT_FAILURES_WINDOW);
        }
    }

    /**
     * An adapter that is a process of its own, or several that give the same answers.
     *
     * @param addresses where others have started it; empty: Photon starts it
     * @param command the program and its arguments; empty: others start it
     * @param directory where the program runs
     * @param security how the addresses are reached
     */
    public record Remote(
            List<HostPort> addresses,
            List<String> command,
            String directory,
            SecurityConfig security) {
        public Remote {
            addresses = List.copyOf(addresses);
            command = List.copyOf(command);
        }

        /** Others have started it. */
        public static Remote at(List<HostPort> addresses, SecurityConfig security) {
            return new Remote(addresses, List.of(), ".", security);
        }

        /** Photon starts it. */
        public static Remote of(List<String> command, String directory) {
            return new Remote(List.of(), command, directory, SecurityConfig.DEFAULT);
        }
    }

    /**
     * A left join: a foreign event whose primary event does not come is joined without one.
     *
     * @param after so long after the foreign event's time its primary event is waited for; 1 ms or
     *     more, and so that the registry still takes its id then ({@link #longestWait})
     * @param upgrade the event is joined once more, under a key of its own, if its primary event
     *     comes after all
     */
    public record Unmatched(Duration after, boolean upgrade) {}

    /**
     * How long a foreign event may wait before it is joined without its primary event; empty: as
     * long as one likes.
     */
    public Optional<Duration> longestWait() {
        return retention.map(kept -> kept.minus(limits.expiryMargin()));
    }

    /**
     * How what a joiner has lost is brought back.
     *
     * @param giveUpAfter lost events that the foreign logs do not have are looked for during so
     *     long, with every log in sight, before they are written off
     * @param fenceAfter a joiner that has not renewed for so long is fenced; 5 s to 1 day; empty: a
     *     person does that
     */
    public record Repair(Duration giveUpAfter, Optional<Duration> fenceAfter) {
        /** Shorter than this, a garbage collection or an election would be taken for a death. */
        public static final Duration FENCE_AFTER_MIN = Duration.ofSeconds(5);

        public static final Duration FENCE_AFTER_MAX = Duration.ofDays(1);

        public static final Repair DEFAULTS =
                new Repair(Duration.ofHours(1), Optional.of(Duration.ofSeconds(30)));

        public Repair {
            if (fenceAfter.filter(after -> !isInRange(after)).isPresent()) {
                throw new IllegalArgumentException(
                        "Expected fenceAfter from %s to %s, but it is %s"
                                .formatted(FENCE_AFTER_MIN, FENCE_AFTER_MAX, fenceAfter.get()));
            }
        }

        static boolean isInRange(Duration fenceAfter) {
            return fenceAfter.compareTo(FENCE_AFTER_MIN) >= 0
                    && fenceAfter.compareTo(FENCE_AFTER_MAX) <= 0;
        }
    }

    /**
     * Bounds and times, each with its default.
     *
     * @param registryShards shards of a new pipeline; empty: {@link #SHARDS}, or one where all runs
     *     in one process
     * @param heldEventsMax events that a dispatcher holds for the other datacenters' turn; bounds
     *     its memory
     * @param eventsInFlightMax events that a dispatcher has at its joiner at one time
     * @param retryBackoffMin first delay of a retry
     * @param retryBackoffMax longest delay of a retry
     * @param retriesMax how often one event's own passing trouble is retried before it is
     *     dead-lettered
     * @param joinerEventsMax events that a joiner admits at one time
     * @param commitsInFlightMax ids a shard outstanding at the registry, from commit sent to output
     *     flushed; bounds what a crash of the joiner can lose until the repair has run
     * @param cacheBytes memory of the event store for the newest primary events
     * @param publishEvery a work log older than this is published
     * @param publishBytes a work log larger than this is published
     * @param expiryMargin first tries keep this much above the registry's boundary
     * @param rollEvery a joiner that has served for so long as one incarnation goes on as the next
     * @param rollFiles so does one that has published so many files
     * @param keepLedgers so long an entry of a ledger stands at least, by the clock of its own
     *     daemon
     */
    public record Limits(
            OptionalInt registryShards,
            int heldEventsMax,
            int eventsInFlightMax,
            Duration retryBackoffMin,
            Duration retryBackoffMax,
            int retriesMax,
            int joinerEventsMax,
            int commitsInFlightMax,
            long cacheBytes,
            Duration publishEvery,
            long publishBytes,
            Duration expiryMargin,
            Duration rollEvery,
            int rollFiles,
            Duration keepLedgers) {

        static final Duration ROLL_EVERY_MIN = Duration.ofMinutes(1);
        static final Duration KEEP_LEDGERS_MIN = Duration.ofMinutes(1);

        public static final int SHARDS = 2;

        public static final Limits DEFAULTS =
                new Limits(
                        OptionalInt.empty(),
                        100_000,
                        8_192,
                        Duration.ofMillis(500),
                        Duration.ofSeconds(30),
                        20,
                        16_384,
                        8_192,
                        64L << 20,
                        Duration.ofSeconds(5),
                        64L << 20,
                        Duration.ofMinutes(10),
                        Duration.ofHours(1),
                        5_000,
                        Duration.ofDays(7));

        public Limits withRolls(Duration every, int files) {
            return new Limits(
                    registryShards,
                    heldEventsMax,
                    eventsInFlightMax,
                    retryBackoffMin,
                    retryBackoffMax,
                    retriesMax,
                    joinerEventsMax,
                    commitsInFlightMax,
                    cacheBytes,
                    publishEvery,
                    publishBytes,
                    expiryMargin,
                    every,
                    files,
                    keepLedgers);
        }

        /** False: with this retention, every event's first try is too old. */
        public boolean leavesFirstTries(Duration retention) {
            return retention.compareTo(expiryMargin) > 0;
        }
    }
}

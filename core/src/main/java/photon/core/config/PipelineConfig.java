package photon.core.config;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A pipeline, as its YAML file says.
 *
 * @param retention ids older than this are refused as too old; empty: unlimited
 * @param stagger how long a datacenter that an event does not prefer waits before it tries it
 * @param adapter what joins
 * @param limits bounds and times of the parts
 */
public record PipelineConfig(
        String pipeline,
        List<String> datacenters,
        Optional<Duration> retention,
        Duration stagger,
        StreamConfig primary,
        StreamConfig foreign,
        Adapter adapter,
        Limits limits) {

    public PipelineConfig {
        datacenters = List.copyOf(datacenters);
    }

    /**
     * The adapter to use.
     *
     * @param type {@code merge}, or the name of a class that implements the adapter interface
     * @param options handed to it
     */
    public record Adapter(String type, Map<String, String> options) {
        public Adapter {
            options = Map.copyOf(options);
        }
    }

    /**
     * Bounds and times, each with its default.
     *
     * @param registryShards shards of a new pipeline
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
     * @param cacheBytes memory of the event store's cache
     * @param publishEvery a work log older than this is published
     * @param publishBytes a work log larger than this is published
     * @param expiryMargin first tries keep this much above the registry's boundary
     */
    public record Limits(
            int registryShards,
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
            Duration expiryMargin) {

        public static final Limits DEFAULTS =
                new Limits(
                        2,
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
                        Duration.ofMinutes(10));

        /** False: with this retention, every event's first try is too old. */
        public boolean leavesFirstTries(Duration retention) {
            return retention.compareTo(expiryMargin) > 0;
        }
    }
}

package photon.simulation.run;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import photon.core.config.PipelineConfig;
import photon.core.share.EventStoreShares;
import photon.simulation.parts.EventStoreLists;

/**
 * What some worlds have besides their settings. It is drawn apart from all else, so that a new
 * addition changes only the worlds that have it: the others keep what their seeds have shown.
 *
 * @param emissions draws what the adapter makes of each event, in several outputs; empty: one
 *     joined event each, in the main output
 * @param retirement draws when one of three datacenters is stopped, to be retired; empty: all stay
 * @param sharing draws how two dispatchers share the state of each datacenter; empty: each has one
 *     dispatcher
 * @param stores draws how many event stores each datacenter has, and how many keep each primary
 *     event; empty: each has one
 * @param storesChange draws when an operator changes the list of event stores; empty: it stays
 * @param compression draws which logs are compressed after their rotation; empty: none
 * @param unmatched draws how long a primary event is waited for, and whether one that comes later
 *     upgrades its event; empty: for good
 */
record Additions(
        Optional<RandomGenerator> emissions,
        Optional<RandomGenerator> retirement,
        Optional<RandomGenerator> sharing,
        Optional<RandomGenerator> stores,
        Optional<RandomGenerator> storesChange,
        Optional<RandomGenerator> compression,
        Optional<RandomGenerator> unmatched) {
    private static final long OUTPUTS = 0x6f75747075747304L;
    private static final int OUTPUTS_ONE_IN = 6;
    private static final long RETIREMENT = 0x72657469726564b0L;

    /** Of those that have three datacenters. */
    private static final int RETIREMENT_ONE_IN = 3;

    private static final long SHARING = 0x73686172696e6705L;
    private static final int SHARING_ONE_IN = 6;

    private static final long STORES = 0x6576656e74737403L;
    private static final String STORE = "eventstore-";
    private static final int STORES_ONE_IN = 6;
    private static final int STORES_MIN = 2;
    private static final int STORES_MAX = 3;
    private static final int COPIES_MAX = 2;

    private static final long STORES_CHANGE = 0x6c69737473637467L;
    private static final int STORES_CHANGE_ONE_IN = 6;

    private static final long COMPRESSION = 0x677a69706c6f6773L;
    private static final int COMPRESSION_ONE_IN = 6;

    private static final long UNMATCHED = 0x756e6d6174636865L;
    private static final int UNMATCHED_ONE_IN = 5;
    private static final int[] UNMATCHED_AFTER_SECONDS = {1, 40, 150};

    static Additions draw(long seed) {
        SplittableRandom outputs = new SplittableRandom(seed ^ OUTPUTS);
        SplittableRandom retirement = new SplittableRandom(seed ^ RETIREMENT);
        SplittableRandom sharing = new SplittableRandom(seed ^ SHARING);
        SplittableRandom stores = new SplittableRandom(seed ^ STORES);
        SplittableRandom storesChange = new SplittableRandom(seed ^ STORES_CHANGE);
        SplittableRandom compression = new SplittableRandom(seed ^ COMPRESSION);
        SplittableRandom unmatched = new SplittableRandom(seed ^ UNMATCHED);
        return new Additions(
                oneIn(OUTPUTS_ONE_IN, outputs),
                oneIn(RETIREMENT_ONE_IN, retirement),
                oneIn(SHARING_ONE_IN, sharing),
                oneIn(STORES_ONE_IN, stores),
                oneIn(STORES_CHANGE_ONE_IN, storesChange),
                oneIn(COMPRESSION_ONE_IN, compression),
                oneIn(UNMATCHED_ONE_IN, unmatched));
    }

    private static Optional<RandomGenerator> oneIn(int worlds, RandomGenerator random) {
        return random.nextInt(worlds) == 0 ? Optional.of(random) : Optional.empty();
    }

    /** The event stores of each datacenter. */
    EventStoreLists eventStores() {
        EventStoreShares first = firstEventStores();
        return new EventStoreLists(first, storesChange.map(random -> changed(first, random)));
    }

    /** Stores leave and come, and other stores keep each event, or more or fewer do. */
    private static EventStoreShares changed(EventStoreShares first, RandomGenerator random) {
        List<String> names = new ArrayList<>(first.names());
        if (names.size() > 1 && random.nextBoolean()) {
            names.remove(random.nextInt(names.size()));
        }
        if (names.size() == 1 || random.nextBoolean()) {
            names.add(STORE + STORES_MAX);
        }
        return new EventStoreShares(names, random.nextInt(1, COPIES_MAX + 1));
    }

    private EventStoreShares firstEventStores() {
        return stores.map(
                        random -> {
                            int count = random.nextInt(STORES_MIN, STORES_MAX + 1);
                            return new EventStoreShares(
                                    IntStream.range(0, count).mapToObj(i -> STORE + i).toList(),
                                    random.nextInt(1, COPIES_MAX + 1));
                        })
                .orElse(EventStoreShares.ofOne(STORE + 0));
    }

    WorldSettings to(WorldSettings drawn) {
        WorldSettings settings = emissions.isPresent() ? drawn.withSeveralOutputs() : drawn;
        return unmatched
                .map(
                        random ->
                                new PipelineConfig.Unmatched(
                                        Duration.ofSeconds(
                                                UNMATCHED_AFTER_SECONDS[
                                                        random.nextInt(
                                                                UNMATCHED_AFTER_SECONDS.length)]),
                                        random.nextBoolean()))
                .map(settings::withUnmatched)
                .orElse(settings);
    }
}

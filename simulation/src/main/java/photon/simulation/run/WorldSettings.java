package photon.simulation.run;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.random.RandomGenerator;
import photon.core.config.OutputConfig;
import photon.core.config.PipelineConfig;
import photon.idregistry.batch.BatchLimits;
import photon.simulation.checks.GroundTruth;
import photon.simulation.checks.Streams;
import photon.simulation.parts.HesitantAdapter;
import photon.storage.journal.OpenJournal;

/**
 * What kind of world a seed has: how many of everything, and how tight. Bounds are drawn small
 * often enough that worlds run into them.
 *
 * @param registryServers how many
 * @param datacenters their names
 * @param joiners of each datacenter
 * @param journalSegmentBytes of a dispatcher's retry journal, about: small ones are soon cleaned
 * @param logsKept foreign logs that are older may be gone; empty: none ever is for good
 * @param wrongClockAtStart microseconds by which the clock of one registry server is off
 */
record WorldSettings(
        int registryServers,
        List<String> datacenters,
        PipelineConfig config,
        Optional<Duration> logsKept,
        BatchLimits batch,
        OptionalLong wrongClockAtStart,
        int joiners,
        long journalSegmentBytes) {
    private static final List<String> NAMES = List.of("east", "west", "north");
    private static final String PIPELINE = "ads";

    /** So every file that is not there is older. */
    private static final Duration SHORTLY = Duration.ofMillis(1);

    private static final long HOUR_MICROS = 3_600_000_000L;
    private static final long SMALL_SEGMENT_BYTES = 2_000;

    /** Worlds are short: what must stand for days would never go in them. */
    private static final Duration KEEP_LEDGERS = Duration.ofMinutes(2);

    /**
     * One event's own passing trouble must not end it: worlds have more of that than any real one.
     */
    private static final int RETRIES_MAX = 1_000_000;

    static WorldSettings draw(RandomGenerator random) {
        int servers = random.nextInt(5) == 0 ? 5 : 3;
        List<String> datacenters =
                new ArrayList<>(NAMES.subList(0, random.nextInt(4) == 0 ? 3 : 2));
        int idsPerEntry = oneOf(random, 1, 4, 64, 1_024);
        BatchLimits batch =
                new BatchLimits(
                        idsPerEntry,
                        random.nextBoolean() ? 1 : 1 + random.nextInt(4),
                        idsPerEntry * (1 + random.nextInt(random.nextBoolean() ? 4 : 100)));
        WorldSettings drawn =
                new WorldSettings(
                        servers,
                        List.copyOf(datacenters),
                        config(random, datacenters),
                        random.nextBoolean() ? Optional.empty() : Optional.of(SHORTLY),
                        batch,
                        random.nextInt(4) > 0
                                ? OptionalLong.empty()
                                : OptionalLong.of(random.nextLong(-HOUR_MICROS, HOUR_MICROS)),
                        random.nextInt(3) == 0 ? 2 : 1,
                        random.nextBoolean() ? SMALL_SEGMENT_BYTES : OpenJournal.SEGMENT_BYTES_MAX);
        return random.nextBoolean()
                ? drawn
                : drawn.rolling(
                        Duration.ofMillis(oneOf(random, 5_000, 20_000, 60_000)),
                        oneOf(random, 1, 3, 1_000));
    }

    /** With joiners that roll much more often than any real one does. */
    private WorldSettings rolling(Duration every, int files) {
        return new WorldSettings(
                registryServers,
                datacenters,
                config.withLimits(config.limits().withRolls(every, files)),
                logsKept,
                batch,
                wrongClockAtStart,
                joiners,
                journalSegmentBytes);
    }

    /** With an adapter that does what each event asks for. */
    WorldSettings withSeveralOutputs() {
        PipelineConfig.Adapter adapter = config.adapter();
        return new WorldSettings(
                registryServers,
                datacenters,
                config.withAdapter(
                        adapter.isMerge() ? adapter(HesitantAdapter.options(1, 0)) : adapter),
                logsKept,
                batch,
                wrongClockAtStart,
                joiners,
                journalSegmentBytes);
    }

    /** In which events are joined without a primary event that does not come in time. */
    WorldSettings withUnmatched(PipelineConfig.Unmatched rule) {
        return new WorldSettings(
                registryServers,
                datacenters,
                config.withUnmatched(Optional.of(rule)),
                logsKept,
                batch,
                wrongClockAtStart,
                joiners,
                journalSegmentBytes);
    }

    Optional<PipelineConfig.Unmatched> unmatched() {
        return config.unmatched();
    }

    Duration fenceAfter() {
        return config.repair().fenceAfter().orElseThrow();
    }

    Duration retention() {
        return config.retention().orElseThrow();
    }

    /**
     * So long at most the adapter alone keeps an event from being joined, with nothing wrong: it
     * asks for all its tries in a process that was replaced and does not know it before it commits,
     * and then once more in the one that came after.
     */
    Duration hesitation() {
        return config.limits()
                .retryBackoffMax()
                .multipliedBy(2L * HesitantAdapter.triesAsked(config.adapter()));
    }

    private static PipelineConfig config(RandomGenerator random, List<String> datacenters) {
        boolean boundaryMoves = random.nextInt(8) == 0;
        Duration retention =
                boundaryMoves ? GroundTruth.SHORT_RETENTION : GroundTruth.LONG_RETENTION;
        PipelineConfig.Limits usual = PipelineConfig.Limits.DEFAULTS;
        return new PipelineConfig(
                PIPELINE,
                datacenters,
                Optional.of(retention),
                Duration.ofMillis(oneOf(random, 200, 2_000, 10_000)),
                Streams.primary(List.of("/none")),
                Streams.foreign(List.of("/none")),
                adapter(random),
                new PipelineConfig.Limits(
                        OptionalInt.of(1 + random.nextInt(3)),
                        oneOf(random, 3, 50, 10_000),
                        oneOf(random, 4, 32, 1_000),
                        Duration.ofMillis(oneOf(random, 100, 500, 2_000)),
                        Duration.ofMillis(oneOf(random, 5_000, 20_000, 60_000)),
                        RETRIES_MAX,
                        oneOf(random, 4, 64, 4_096),
                        oneOf(random, 2, 32, 1_000),
                        oneOf(random, 2_000, 100_000, 10_000_000),
                        Duration.ofMillis(oneOf(random, 1_000, 5_000, 20_000)),
                        oneOf(random, 2_000, 20_000, (int) usual.publishBytes()),
                        boundaryMoves
                                ? Duration.ofSeconds(
                                        random.nextLong(GroundTruth.SHORT_MARGIN.toSeconds() + 1))
                                : usual.expiryMargin(),
                        usual.rollEvery(),
                        usual.rollFiles(),
                        KEEP_LEDGERS),
                new PipelineConfig.Repair(
                        Duration.ofMillis(oneOf(random, 5_000, 20_000, 60_000)),
                        Optional.of(Duration.ofMillis(oneOf(random, 10_000, 30_000, 60_000)))),
                OutputConfig.DEFAULTS,
                Optional.empty());
    }

    /** In every third world some events fail a few times, each in its own right. */
    private static PipelineConfig.Adapter adapter(RandomGenerator random) {
        return random.nextInt(3) > 0
                ? new PipelineConfig.Adapter("merge", Map.of())
                : adapter(HesitantAdapter.options(1 + random.nextInt(8), 1 + random.nextInt(4)));
    }

    private static PipelineConfig.Adapter adapter(Map<String, String> options) {
        return new PipelineConfig.Adapter(
                HesitantAdapter.class.getName(),
                List.of(),
                Optional.empty(),
                options,
                // In a world no call takes any time; and of all events many may fail, each in its
                // own right.
                Duration.ZERO,
                100,
                1);
    }

    private static int oneOf(RandomGenerator random, int... values) {
        return values[random.nextInt(values.length)];
    }
}

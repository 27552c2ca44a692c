package photon.simulation.checks;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import photon.core.config.PipelineConfig;
import photon.core.event.LogEvent;
import photon.core.id.EventId;
import photon.joiner.adapters.AdapterDecision;
import photon.joiner.adapters.AdapterHost;
import photon.joiner.adapters.load.Adapters;
import photon.simulation.checks.InputRecord.Stream;
import photon.storage.format.EventParser;
import photon.storage.format.FileParser;
import photon.storage.format.Parsed;

final class GroundTruthTest {
    private static final List<String> DATACENTERS = List.of("east", "west", "north");

    @Test
    void isTheSameForTheSameSeed() {
        assertThat(text(make(3))).isEqualTo(text(make(3))).isNotEqualTo(text(make(4)));
    }

    private static List<String> text(GroundTruth truth) {
        return truth.inputs().stream()
                .map(i -> i.datacenter() + i.stream() + i.atNanos() + new String(i.line(), UTF_8))
                .toList();
    }

    private static GroundTruth make(long seed) {
        return GroundTruth.make(
                new SplittableRandom(seed),
                Optional.empty(),
                DATACENTERS,
                FinishedWorld.START_MICROS,
                GroundTruth.LONG_RETENTION,
                Optional.empty());
    }

    /** The production parser and adapter find in the lines just what the truth says of them. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void agreesWithTheParserAndTheAdapter(long seed) {
        GroundTruth truth = make(seed);
        Map<String, TreeSet<EventId>> found = new TreeMap<>();
        Map<EventId, TreeSet<String>> joined = new TreeMap<>();
        for (String datacenter : DATACENTERS) {
            List<LogEvent> primaries = new ArrayList<>();
            assertThat(events(truth, datacenter, Stream.PRIMARY, primaries)).isEqualTo(2);
            List<LogEvent> foreign = new ArrayList<>();
            assertThat(events(truth, datacenter, Stream.FOREIGN, foreign))
                    .isEqualTo(truth.corruptForeign(datacenter))
                    .isPositive();
            for (LogEvent event : foreign) {
                found.computeIfAbsent(datacenter, name -> new TreeSet<>()).add(event.id());
                for (LogEvent primary : primaries) {
                    if (primary.key().equals(event.primaryKey())) {
                        joined.computeIfAbsent(event.id(), id -> new TreeSet<>())
                                .add(merged(event, primary));
                    }
                }
            }
        }
        assertThat(truth.identities()).hasSizeGreaterThanOrEqualTo(200);
        assertThat(truth.fates().keySet())
                .containsExactlyInAnyOrderElementsOf(
                        EnumSet.complementOf(EnumSet.of(Fate.SKIPPED, Fate.REJECTED)));
        for (ForeignIdentity identity : truth.identities()) {
            for (String datacenter : DATACENTERS) {
                boolean reads =
                        identity.fate() != Fate.FILTERED
                                && identity.datacenters().contains(datacenter);
                assertThat(found.getOrDefault(datacenter, new TreeSet<>()).contains(identity.id()))
                        .as("%s in %s", identity, datacenter)
                        .isEqualTo(reads);
            }
            TreeSet<String> all = joined.getOrDefault(identity.id(), new TreeSet<>());
            switch (identity.fate()) {
                case JOINABLE -> {
                    assertThat(all).isNotEmpty().isSubsetOf(identity.joined());
                    assertThat(identity.id().micros())
                            .isGreaterThan(FinishedWorld.START_MICROS - 310_000_000);
                    all.forEach(
                            line ->
                                    assertThat(truth.emitted(line))
                                            .isEqualTo(
                                                    new Emitted(
                                                            identity.id(),
                                                            line,
                                                            "",
                                                            0,
                                                            1,
                                                            line,
                                                            false)));
                }
                case WAITING, FILTERED -> assertThat(all).isEmpty();
                case SKIPPED, REJECTED -> throw new AssertionError("the built-in one joins all");
                case FUTURE ->
                        assertThat(identity.id().micros())
                                .isGreaterThan(
                                        FinishedWorld.START_MICROS
                                                + 8 * GroundTruth.LONG_RETENTION.toNanos() / 1_000);
                case TOO_OLD ->
                        assertThat(identity.id().micros()).isLessThan(truth.boundaryMicros());
            }
        }
        assertThat(truth.lastNanos()).isLessThan(2 * GroundTruth.SPAN.toNanos());
    }

    /**
     * @return how many lines are bad
     */
    private static int events(
            GroundTruth truth, String datacenter, Stream stream, List<LogEvent> into) {
        EventParser parser =
                EventParser.of(
                        stream == Stream.PRIMARY
                                ? Streams.primary(List.of())
                                : Streams.foreign(List.of()));
        FileParser file = parser.forFile();
        int bad = 0;
        for (InputRecord input : truth.inputs()) {
            if (input.stream() != stream || !input.datacenter().equals(datacenter)) {
                continue;
            }
            assertThat(input.line()).isNotEmpty().doesNotContain((byte) '\n');
            Parsed parsed = file.parse(input.line(), 0, input.line().length);
            if (parsed instanceof Parsed.Event event) {
                into.add(event.event());
            } else if (parsed instanceof Parsed.Bad) {
                bad++;
            }
        }
        return bad;
    }

    private static String merged(LogEvent foreign, LogEvent primary) {
        AdapterDecision decision =
                Adapters.load(
                                new PipelineConfig.Adapter("merge", Map.of()),
                                AdapterHost.trial("ads"))
                        .join(
                                foreign.toProto(),
                                foreign.id().micros(),
                                primary.toProto(),
                                primary.id().micros());
        return ((AdapterDecision.Emit) decision).events().get(0).bytes().toStringUtf8();
    }
}

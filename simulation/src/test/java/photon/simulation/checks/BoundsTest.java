package photon.simulation.checks;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import photon.core.config.PipelineConfig.Limits;
import photon.dispatcher.state.DispatcherStatus;
import photon.idregistry.batch.BatchLimits;
import photon.idregistry.server.groups.GroupLoad;
import photon.storage.ledger.LedgerRetention;
import photon.storage.tail.LogTroubles;

final class BoundsTest {
    private static final Limits LIMITS =
            new Limits(
                    OptionalInt.of(2),
                    10,
                    8,
                    Duration.ofMillis(1),
                    Duration.ofSeconds(1),
                    5,
                    4,
                    3,
                    0,
                    Duration.ofSeconds(1),
                    1_000,
                    Duration.ofMinutes(1),
                    Duration.ofHours(1),
                    100,
                    Duration.ofDays(7));

    private final Bounds bounds = new Bounds();
    private DispatcherStatus status = DispatcherStatus.NOTHING;

    private static DispatcherStatus dispatcher(
            int inFlight, int ready, int held, int waitingRows, int processingRows) {
        return new DispatcherStatus(
                0,
                0,
                true,
                0,
                inFlight,
                ready,
                held,
                0,
                waitingRows,
                0,
                processingRows,
                0,
                0,
                0,
                0,
                0,
                LogTroubles.NONE,
                0,
                0,
                0,
                0,
                0,
                0,
                0,
                0,
                0,
                0,
                0,
                0,
                0,
                0,
                LedgerRetention.Figures.NOTHING_KNOWN);
    }

    private List<String> found() {
        return bounds.check().stream().map(InvariantViolation::toString).toList();
    }

    @Test
    void whatIsAboveItsBoundIsNamed() {
        bounds.putDispatcher("east/dispatcher", () -> status, LIMITS, 1, 100);
        status = dispatcher(28, 20, 10, 98, 2);
        assertThat(found()).isEmpty();
        status = dispatcher(29, 20, 10, 98, 2);
        assertThat(found()).singleElement().asString().contains("on their way: expected at most 8");
        status = dispatcher(0, 0, 11, 0, 0);
        assertThat(found()).singleElement().asString().contains("events held");
        status = dispatcher(0, 0, 0, 98, 3);
        assertThat(found()).hasSize(2);
        bounds.remove("east/dispatcher");
        assertThat(found()).isEmpty();
        assertThat(bounds.peaks()).containsEntry("east/dispatcher: events held", 11L);
    }

    @Test
    void theSameNameAgainReplaces() {
        bounds.put("a: queue", () -> 5, 4);
        assertThat(found()).hasSize(1);
        bounds.put("a: queue", () -> 4, 4);
        assertThat(found()).isEmpty();
    }

    @Test
    void theFullestGroupOfARegistryServerCounts() {
        List<GroupLoad> loads = new ArrayList<>(List.of(new GroupLoad(0, 0, 256)));
        bounds.putRegistry("registry-0", () -> loads, new BatchLimits(4, 2, 16));
        loads.add(new GroupLoad(16, 1, 0));
        assertThat(found()).isEmpty();
        assertThat(bounds.met())
                .containsExactly(
                        "registry-0: ids that wait at one shard",
                        "registry-0: other requests of one group");
        loads.add(new GroupLoad(17, 3, 257));
        assertThat(found()).hasSize(3);
    }
}

package photon.demo;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import photon.demo.TakeoverWatch.Takeover;

class WorkerFiguresTest {
    private static final WorkerFigures FIGURES =
            new WorkerFigures(
                    Map.of("east", workers("east/dispatcher-0", 300, "east/dispatcher-1", 100)),
                    Map.of("east", workers("east/eventstore-0", 30, "east/eventstore-1", 10)),
                    Map.of("east", workers("east/joiner-0", 0, "east/joiner-1", 0)),
                    List.of(
                            new Takeover(
                                    "east/dispatcher-0",
                                    4,
                                    OptionalDouble.of(17.3),
                                    OptionalDouble.of(30.1)),
                            new Takeover(
                                    "east/dispatcher-1",
                                    5,
                                    OptionalDouble.of(22.0),
                                    OptionalDouble.of(22.0)),
                            new Takeover(
                                    "east/dispatcher-0",
                                    4,
                                    OptionalDouble.of(22.1),
                                    OptionalDouble.empty()),
                            new Takeover(
                                    "east/dispatcher-1",
                                    4,
                                    OptionalDouble.empty(),
                                    OptionalDouble.empty())),
                    4,
                    3,
                    2,
                    1,
                    OptionalLong.of(1_234));

    @Test
    void theBoundIsALeaseAndTwoSeconds() {
        assertThat(WorkerFigures.TAKEOVER_BOUND).hasSeconds(22);
        assertThat(FIGURES.takeoversLate()).isEqualTo(2);
    }

    @Test
    void theJsonHasEachTakeoverAndTheShareOfEachWorker() {
        ObjectNode json = new ObjectMapper().createObjectNode();
        FIGURES.writeTo(json);
        assertThat(json.toString())
                .isEqualTo(
                        "{\"killed\":{\"dispatchers\":4,\"eventStores\":3,\"joiners\":2,\"dataNodes\":1},"
                                + "\"endedByThemselves\":1,\"takeovers\":["
                                + "{\"dispatcher\":\"east/dispatcher-0\",\"partitions\":4,\"seconds\":17.3,\"workingSeconds\":30.1},"
                                + "{\"dispatcher\":\"east/dispatcher-1\",\"partitions\":5,\"seconds\":22.0,\"workingSeconds\":22.0},"
                                + "{\"dispatcher\":\"east/dispatcher-0\",\"partitions\":4,\"seconds\":22.1,\"workingSeconds\":null},"
                                + "{\"dispatcher\":\"east/dispatcher-1\",\"partitions\":4,\"seconds\":null,\"workingSeconds\":null}],"
                                + "\"takeoverBoundSeconds\":22.0,\"takeoversLate\":2,\"workers\":{"
                                + "\"east/dispatcher-0\":{\"eventsRead\":300,\"share\":0.75},"
                                + "\"east/dispatcher-1\":{\"eventsRead\":100,\"share\":0.25},"
                                + "\"east/eventstore-0\":{\"lookups\":30,\"share\":0.75},"
                                + "\"east/eventstore-1\":{\"lookups\":10,\"share\":0.25},"
                                + "\"east/joiner-0\":{\"joined\":0,\"share\":0.0},"
                                + "\"east/joiner-1\":{\"joined\":0,\"share\":0.0}},"
                                + "\"joinedWithoutDataNode\":1234}");
    }

    @Test
    void theTableNamesWhatIsLate() {
        assertThat(FIGURES.rows())
                .extracting(WorkerFigures.Row::value)
                .containsExactly(
                        "4 dispatchers, 3 event stores, 2 joiners",
                        "east/dispatcher-0: 4 partitions after 17.3 s (bound: 22 s), worked on after 30.1 s",
                        "east/dispatcher-1: 5 partitions after 22.0 s (bound: 22 s), worked on after 22.0 s",
                        "east/dispatcher-0: 4 partitions after 22.1 s (bound: 22 s), LATE, worked on NEVER",
                        "east/dispatcher-1: 4 partitions, NEVER (bound: 22 s)",
                        "1, started again",
                        "1,234",
                        "300 (75 %)",
                        "100 (25 %)",
                        "30 (75 %)",
                        "10 (25 %)",
                        "0 (0 %)",
                        "0 (0 %)");
    }

    private static Map<String, Long> workers(String one, long count, String other, long others) {
        Map<String, Long> workers = new LinkedHashMap<>();
        workers.put(one, count);
        workers.put(other, others);
        return workers;
    }
}

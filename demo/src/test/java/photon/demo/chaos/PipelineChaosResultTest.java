package photon.demo.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import photon.demo.DemoFigures.Audit;
import photon.demo.chaos.FaultActions.FaultRecord;

class PipelineChaosResultTest {
    private static final PipelineChaosOptions OPTIONS =
            new PipelineChaosOptions(
                    Duration.ofMinutes(1), 7, 100, Optional.empty(), Optional.empty(), false);

    private static ObjectNode books() {
        return new ObjectMapper()
                .createObjectNode()
                .put("joined", 1_000)
                .put("duplicates", 0)
                .put("unaccounted", 0)
                .put("outcomeLost", 0)
                .put("unread", 0);
    }

    private static PipelineChaosResult result(ObjectNode books, long seen, Audit audit) {
        return new PipelineChaosResult(
                OPTIONS,
                1_000,
                books,
                seen,
                audit,
                List.of(new FaultRecord(5_000, PipelineFault.KILL_JOINER, "east/joiner-0", 60_000)),
                List.of(new ResourceSample(2, 10, 9, new TreeMap<>(), 3, 2, 100, 1)));
    }

    @Test
    void aRunInWhichAllWasJoinedOnceIsRight() {
        PipelineChaosResult result = result(books(), 0, Audit.AGREES);
        assertThat(result.unmet()).isEmpty();
        assertThat(result.exitStatus()).isZero();
        assertThat(result.toJson().path("right").asBoolean()).isTrue();
        assertThat(result.toJson().path("faults").path("kill-joiner").asInt()).isEqualTo(1);
        assertThat(result.toJson().path("resources")).hasSize(1);
        assertThat(result.lines()).contains("right");
    }

    @ParameterizedTest
    @CsvSource({
        "joined, 999",
        "joined, 1001",
        "duplicates, 1",
        "unaccounted, 1",
        "outcomeLost, 1",
        "unread, 1"
    })
    void whateverTheBooksMissMakesItWrong(String book, int count) {
        PipelineChaosResult result = result(books().put(book, count), 0, Audit.AGREES);
        assertThat(result.unmet()).isNotEmpty();
        assertThat(result.exitStatus()).isEqualTo(1);
        assertThat(result.toJson().path("right").asBoolean()).isFalse();
        assertThat(result.lines()).doesNotContain("right");
    }

    @Test
    void soDoDuplicatesThatOnlyTheWatchSawAnAuditorThatDiffersAndAnAlarm() {
        assertThat(result(books(), 1, Audit.AGREES).unmet()).isNotEmpty();
        assertThat(result(books(), 0, Audit.DIFFERS).unmet()).isNotEmpty();
        ObjectNode alarmed = books();
        alarmed.putArray("alarms").add("a repair needs a person");
        assertThat(result(alarmed, 0, Audit.AGREES).unmet())
                .containsExactly("ALARM: a repair needs a person");
    }

    @Test
    void aRunInWhichNothingHappenedShowsNothing() {
        PipelineChaosResult result =
                new PipelineChaosResult(
                        OPTIONS,
                        1_000,
                        books(),
                        0,
                        Audit.AGREES,
                        List.of(new FaultRecord(5_000, PipelineFault.KILL_REPLICA, "", 0)),
                        List.of());
        assertThat(result.exitStatus()).isEqualTo(1);
    }
}

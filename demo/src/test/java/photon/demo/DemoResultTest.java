package photon.demo;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import photon.demo.DemoFigures.Audit;
import photon.demo.DemoFigures.Outage;

class DemoResultTest {
    private static final Outage OUTAGE = new Outage(500, 300, OptionalDouble.of(3.25));
    private final ObjectNode books = new ObjectMapper().createObjectNode();

    DemoResultTest() {
        books.put("foreignEvents", 1_100).put("joined", 1_000).put("duplicates", 0);
        books.put("unaccounted", 0).put("waiting", 100).put("repaired", 37);
        books.putObject("byDatacenter").putObject("east").put("joined", 400);
    }

    @Test
    void theJsonIsTheBooksAndTheFigures() {
        ObjectNode json = result(Optional.of(OUTAGE), 3, Audit.AGREES).toJson();
        assertThat(json.toString())
                .isEqualTo(
                        "{\"foreignEvents\":1100,\"joined\":1000,\"duplicates\":0,"
                                + "\"unaccounted\":0,\"waiting\":100,\"repaired\":37,"
                                + "\"byDatacenter\":{\"east\":{\"joined\":400}},"
                                + "\"expectedJoined\":1000,\"joinedDuringOutage\":500,"
                                + "\"leaderChanges\":3,\"eastJoinedAfterReturn\":300,"
                                + "\"resumeSeconds\":3.25,"
                                + "\"repairSeconds\":{\"p50\":7.5,\"p99\":9.0,\"max\":9.0},"
                                + "\"lost\":0,\"latencyMillis\":{\"p50\":50.0,\"p99\":80.0},"
                                + "\"stageMillis\":{\"joiner\":{\"commit\":{\"p50\":7.5,\"p99\":7.5}}},"
                                + "\"audit\":\"agrees\"}");
    }

    @Test
    void whatDidNotApplyIsNull() {
        DemoFigures figures =
                new DemoFigures(
                        1_000,
                        Optional.empty(),
                        0,
                        List.of(),
                        new TreeMap<>(),
                        Map.of(),
                        Audit.SKIPPED);
        ObjectNode json = new DemoResult(books, figures).toJson();
        assertThat(json.get("joinedDuringOutage").isNull()).isTrue();
        assertThat(json.get("eastJoinedAfterReturn").isNull()).isTrue();
        assertThat(json.get("resumeSeconds").isNull()).isTrue();
        assertThat(json.at("/repairSeconds/max").isNull()).isTrue();
        assertThat(json.at("/latencyMillis/p50").isNull()).isTrue();
    }

    @Test
    void aRightRunEndsWithZero() {
        assertThat(result(Optional.of(OUTAGE), 1, Audit.AGREES).unmet()).isEmpty();
        assertThat(result(Optional.of(OUTAGE), 1, Audit.AGREES).exitStatus()).isZero();
        assertThat(result(Optional.empty(), 0, Audit.SKIPPED).exitStatus()).isZero();
    }

    @Test
    void eachConditionIsNamed() {
        assertThat(result(Optional.empty(), 0, Audit.DIFFERS).unmet())
                .containsExactly("Expected the auditor to agree, but it found differences");
        assertThat(result(Optional.of(new Outage(0, 0, OptionalDouble.empty())), 0, Audit.AGREES))
                .satisfies(
                        result -> {
                            assertThat(result.unmet()).hasSize(3);
                            assertThat(result.exitStatus()).isEqualTo(1);
                        });
        books.put("duplicates", 2);
        assertThat(result(Optional.empty(), 0, Audit.AGREES).unmet())
                .containsExactly("Expected no duplicates, but there are 2");
        books.put("duplicates", 0).put("unaccounted", 1);
        assertThat(result(Optional.empty(), 0, Audit.AGREES).unmet())
                .containsExactly("Expected no unaccounted events, but there are 1");
        books.put("unaccounted", 0).put("joined", 990);
        assertThat(result(Optional.empty(), 0, Audit.AGREES).unmet())
                .containsExactly(
                        "Expected 1,000 joined events, but 990 are published",
                        "Expected no lost events, but there are 10");
    }

    @Test
    void theTableIsForPeople() {
        books.put("duplicates", 1).put("wastedAttempts", 12);
        books.putArray("alarms").add("a file is gone");
        assertThat(result(Optional.of(OUTAGE), 3, Audit.SKIPPED).table())
                .containsExactly(
                        "foreign events                   1,100",
                        "joined                           1,000 of 1,000",
                        "  by east                        400",
                        "waiting                          100",
                        "wasted attempts                  12",
                        "repaired                         37",
                        "duplicates                       1",
                        "unaccounted                      0",
                        "lost                             0",
                        "leader changes                   3",
                        "joined while east was down       500",
                        "  first of east's share after    3.3 s",
                        "joined by east after return      300",
                        "repair after a joiner's death    p50 7.5 s, p99 9.0 s, longest 9.0 s",
                        "latency, append to durable       p50 50 ms, p99 80 ms",
                        "  joiner: commit                 p50 7.5 ms, p99 7.5 ms",
                        "auditor                          not run",
                        "ALARM: a file is gone");
    }

    private DemoResult result(Optional<Outage> outage, int leaderChanges, Audit audit) {
        return new DemoResult(
                books,
                new DemoFigures(
                        1_000,
                        outage,
                        leaderChanges,
                        List.of(9.0, 7.5),
                        new TreeMap<>(Map.of(50_000L, 90L, 80_000L, 10L)),
                        Map.of(
                                new StageTally.Stage("joiner", "commit"),
                                new TreeMap<>(Map.of(7_500L, 99L, 20_000L, 1L))),
                        audit));
    }
}

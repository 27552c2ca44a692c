package photon.demo;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.junit.jupiter.api.Test;
import photon.demo.StageTally.Stage;

class StageTallyTest {
    private final StageTally tally = new StageTally();

    private static JsonNode status(String stages) throws Exception {
        return new ObjectMapper().readTree("{\"joined\": 3, \"stages\": " + stages + "}");
    }

    @Test
    void processesOfARoleAreAddedUpStageByStage() throws Exception {
        tally.observe("joiner", "a", status("{\"commit\": {\"10\": 1}}"), true);
        tally.observe("joiner", "b", status("{\"commit\": {\"10\": 4, \"20\": 2}}"), true);
        tally.observe("dispatcher", "d", status("{\"read\": {\"7\": 5}, \"join\": {}}"), true);

        assertThat(tally.counts())
                .containsOnlyKeys(
                        new Stage("joiner", "commit"),
                        new Stage("dispatcher", "read"),
                        new Stage("dispatcher", "join"));
        assertThat(tally.counts().get(new Stage("joiner", "commit")))
                .hasSize(2)
                .containsEntry(10L, 5L)
                .containsEntry(20L, 2L);
    }

    @Test
    void whatHappenedOutsideOfTheWindowDoesNotCount() throws Exception {
        tally.observe("joiner", "a", status("{\"commit\": {\"10\": 100}}"), false);
        tally.observe("joiner", "a", status("{\"commit\": {\"10\": 103}}"), true);

        assertThat(tally.counts().get(new Stage("joiner", "commit")))
                .hasSize(1)
                .containsEntry(10L, 3L);
    }

    @Test
    void aRoleWithoutStagesHasNone() throws Exception {
        tally.observe("verifier", "v", new ObjectMapper().readTree("{\"pending\": 0}"), true);

        assertThat(tally.counts()).isEmpty();
    }
}

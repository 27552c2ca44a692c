package photon.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PlanCommandTest {
    @Test
    void optionsReachThePlan() throws Exception {
        Captured run =
                Captured.run(
                        "plan",
                        "--events=220000",
                        "--clicks=100",
                        "--event-size=1KiB",
                        "--datacenters=5",
                        "--retention=2d",
                        "--round-trip=80ms",
                        "--machine-cores=8",
                        "-o",
                        "json");
        assertThat(run.status()).as("%s", run).isZero();
        JsonNode plan = new ObjectMapper().readTree(run.stdout());
        assertThat(plan.get("request"))
                .isEqualTo(
                        new ObjectMapper()
                                .readTree(
                                        """
                                        {"eventsPerSecond": 220000, "foreignPer100Primary": 100, "eventBytes": 1024,
                                         "datacenters": 5, "retentionSeconds": 172800, "roundTripMillis": 80, "machineCores": 8}
                                        """));
        assertThat(plan.at("/registry/idsHeld").asLong()).isEqualTo(110_000L * 172_800);
        assertThat(plan.get("figures")).isNotEmpty();
    }

    @Test
    void withoutOptionsTheTableIsForPeople() {
        Captured run = Captured.run("plan");
        assertThat(run.status()).isZero();
        assertThat(run.stdout()).startsWith("load        100,000 events/s of 200 B, 10 foreign");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--events=0 | --events is 0: expected a number from 1 to 100000000",
                "--clicks=0 | --clicks is 0: expected a number from 1 to 10000",
                "--datacenters=6 | --datacenters is 6: expected a number from 1 to 5",
                "--event-size=9MiB | --event-size is 9437184: expected a number from 1 to 8388608"
            })
    void nonsenseIsRefused(String option, String told) {
        Captured run = Captured.run("plan", option);
        assertThat(run.status()).isEqualTo(2);
        assertThat(run.stderr()).isEqualTo("photon: " + told + "\n");
    }
}

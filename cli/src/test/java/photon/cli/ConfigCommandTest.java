package photon.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code photon config test} prints, and where, and its exit status. */
class ConfigCommandTest {
    private static final String ADS = Repository.example("ads").resolve("photon.yaml").toString();

    @TempDir Path directory;

    private static Captured test(String... more) {
        String[] args = new String[more.length + 2];
        args[0] = "config";
        args[1] = "test";
        System.arraycopy(more, 0, args, 2, more.length);
        return Captured.run(args);
    }

    @Test
    void theExampleIsRight() throws Exception {
        Captured run = test("--config", ADS);
        assertThat(run.status()).as(run.toString()).isZero();
        assertThat(run.stderr()).isEmpty();
        assertThat(run.stdout())
                .contains("impressions-*.csv.gz matches")
                .contains("The first joined pair, as Photon would write it:\n{\"id\": ")
                .contains("The test found nothing wrong in what it read.");
        try (var files = Files.list(Repository.example("ads"))) {
            assertThat(files.map(file -> file.getFileName().toString()))
                    .as("it writes nothing")
                    .noneMatch(name -> name.startsWith("photon-"));
        }
    }

    /** It finds as many as a run joins. */
    @Test
    void itNeverDisagreesWithARun() throws Exception {
        for (String example : new String[] {"ads", "jobs"}) {
            Captured run =
                    test(
                            "--config",
                            Repository.example(example).resolve("photon.yaml").toString(),
                            "--records",
                            "1000000",
                            "-o",
                            "json");
            assertThat(run.status()).as(run.toString()).isZero();
            JsonNode result = new ObjectMapper().readTree(run.stdout());
            assertThat(result.get("good").asBoolean()).isTrue();
            assertThat(result.at("/primary/readToEnd").asBoolean()).isTrue();
            assertThat(result.at("/foreign/readToEnd").asBoolean()).isTrue();
            assertThat(result.at("/first/decision").asText()).isEqualTo("emit");
            JsonNode answer = Repository.answer(example);
            int repeats =
                    result.at("/join/foreignEvents").asInt() - answer.get("foreignEvents").asInt();
            assertThat(repeats).as("records of one identity count each").isNotNegative();
            assertThat(result.at("/join/found").asInt())
                    .as(example)
                    .isBetween(
                            answer.get("joined").asInt(), answer.get("joined").asInt() + repeats);
        }
    }

    @Test
    void whatIsWrongIsOnStderrWithWhatWouldBeRight() throws Exception {
        Path example = Repository.example("ads");
        String text =
                Files.readString(example.resolve("photon.yaml"))
                        .replace("\"impressions", "\"" + example + "/impressions")
                        .replace("\"clicks", "\"" + example + "/clicks")
                        .replace("unit: millis", "unit: seconds");
        Path config = Files.writeString(directory.resolve("photon.yaml"), text);
        Captured run = test("--config", config.toString());
        assertThat(run.status()).as(run.toString()).isEqualTo(1);
        assertThat(run.stderr())
                .startsWith("photon: foreign.timestamp: ")
                .contains("Write foreign.timestamp: {field: at, unit: millis}")
                .doesNotContain("\tat ");
        assertThat(run.stdout()).contains("records read");
    }

    @Test
    void wrongUsage() throws Exception {
        assertThat(Captured.run("config").status()).isEqualTo(2);
        assertThat(Captured.run("config").stderr()).contains("expected a command: test");
        assertThat(test().stderr()).contains("--config");
        Captured nonsense = test("--config", ADS, "--records", "0");
        assertThat(nonsense.status()).isEqualTo(2);
        assertThat(nonsense.stderr()).contains("--records is 0: expected a number from 1 to");
        assertThat(test("--config", ADS, "--recods", "5").status()).isEqualTo(2);
        assertThat(test("--config", ADS, "--output", "json").status()).isEqualTo(2);
        assertThat(test("--config", ADS, "-o", "yaml").stderr())
                .contains("-o is 'yaml': expected one of table, json");
        assertThat(test("--config", directory + "/none.yaml").status()).isEqualTo(2);
    }

    @Test
    void theHelpNamesEveryOption() {
        Captured help = test("--help");
        assertThat(help.status()).isZero();
        assertThat(help.stdout().replaceAll("\\s+", " "))
                .contains("--config", "--records", "default 10000", "-o=FORMAT");
    }
}

package photon.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import photon.core.config.ConfigLoader;

/** {@code photon config show}, and what verbs make of variables that set keys. */
class ConfigShowCommandTest {
    private static final String ADS = Repository.example("ads").resolve("photon.yaml").toString();

    @TempDir Path directory;

    @Test
    void itPrintsWhatCountsAsAConfiguration() {
        for (String example : List.of("ads", "jobs")) {
            Path file = Repository.example(example).resolve("photon.yaml");
            Captured run = Captured.run("config", "show", "--config", file.toString());
            assertThat(run.status()).as(run.toString()).isZero();
            assertThat(run.stderr()).isEmpty();
            assertThat(run.stdout()).contains("\n  retriesMax: ").doesNotContain("#");
            assertThat(ConfigLoader.parse(run.stdout(), file)).isEqualTo(ConfigLoader.load(file));
        }
    }

    @Test
    void variablesCountAndAreNamed() throws Exception {
        Map<String, String> variables =
                Map.of(
                        "PHOTON_CONFIG_limits_publishEvery", "10s",
                        "PHOTON_CONFIG_datacenters", "[east]");
        Captured shown = process(variables, "config", "show", "--origin", "--config", ADS);
        assertThat(shown.status()).as(shown.toString()).isZero();
        assertThat(shown.stdout().lines())
                .contains(
                        "pipeline: ads  # " + ADS + ":4",
                        "datacenters: [east]  # PHOTON_CONFIG_datacenters",
                        "stagger: 2s  # default",
                        "  publishEvery: 10s  # PHOTON_CONFIG_limits_publishEvery");
        Captured json = process(variables, "config", "show", "-o", "json", "--config", ADS);
        JsonNode document = new ObjectMapper().readTree(json.stdout());
        assertThat(document.at("/configuration/limits/publishEvery").asText()).isEqualTo("10s");
    }

    /** One verb of each way to a configuration: all go through the loader. */
    @Test
    void everyVerbRefusesAWrongVariable() throws Exception {
        Map<String, String> variables = Map.of("PHOTON_CONFIG_limits_publishEvery", "often");
        for (List<String> verb :
                List.of(
                        List.of("config", "show"),
                        List.of("config", "test"),
                        List.of("local"),
                        List.of("run", "joiner"),
                        List.of("registry", "status"))) {
            List<String> arguments = new ArrayList<>(verb);
            arguments.addAll(List.of("--config", ADS));
            Captured refused = process(variables, arguments.toArray(String[]::new));
            assertThat(refused.status()).as("%s: %s", verb, refused).isEqualTo(2);
            assertThat(refused.stdout()).isEmpty();
            assertThat(refused.stderr())
                    .startsWith(
                            "photon: PHOTON_CONFIG_limits_publishEvery is 'often': expected a duration above 0");
        }
        Captured unknown =
                process(
                        Map.of("PHOTON_CONFIG_limits_publishEvry", "1s"),
                        "config",
                        "show",
                        "--config",
                        ADS);
        assertThat(unknown.status()).isEqualTo(2);
        assertThat(unknown.stderr())
                .startsWith(
                        "photon: PHOTON_CONFIG_limits_publishEvry: limits.publishEvry is not a known key: did you mean 'publishEvery'?");
    }

    @Test
    void wrongUsage() {
        assertThat(Captured.run("config", "show", "--config", ADS, "--origins").status())
                .isEqualTo(2);
        assertThat(Captured.run("config", "show", "--config", ADS, "-o", "yaml").status())
                .isEqualTo(2);
        assertThat(Captured.run("config", "show", "--config", directory + "/no.yaml").status())
                .isEqualTo(2);
    }

    /** In a process of its own, with these variables of Photon and no others. */
    private Captured process(Map<String, String> variables, String... arguments) throws Exception {
        List<String> command = LocalProcess.small();
        command.addAll(List.of(arguments));
        Path out = Files.createTempFile(directory, "stdout", "");
        Path err = Files.createTempFile(directory, "stderr", "");
        ProcessBuilder builder =
                new ProcessBuilder(command)
                        .directory(directory.toFile())
                        .redirectOutput(out.toFile())
                        .redirectError(err.toFile());
        builder.environment().keySet().removeIf(name -> name.startsWith("PHOTON_"));
        builder.environment().putAll(variables);
        Process process = builder.start();
        assertThat(process.waitFor(2, TimeUnit.MINUTES)).isTrue();
        return new Captured(process.exitValue(), Files.readString(out), Files.readString(err));
    }
}

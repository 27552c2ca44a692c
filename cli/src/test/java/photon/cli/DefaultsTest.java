package photon.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which configuration and which servers a verb takes. */
class DefaultsTest {
    private static final Path GIVEN = Path.of("given.yaml");

    @TempDir Path directory;

    @Test
    void theConfigurationIsTheGivenOneThenTheEnvironmentsThenTheDirectorys() throws Exception {
        Map<String, String> environment = Map.of("PHOTON_CONFIG", "environment.yaml");
        Map<String, String> empty = Map.of("PHOTON_CONFIG", "");
        assertThat(ConfigOption.find(null, empty, directory)).isEmpty();
        Path here = Files.createFile(directory.resolve("photon.yaml"));
        assertThat(ConfigOption.find(GIVEN, environment, directory)).contains(GIVEN);
        assertThat(ConfigOption.find(null, environment, directory))
                .contains(Path.of("environment.yaml"));
        assertThat(ConfigOption.find(null, empty, directory)).contains(here);
        assertThat(ConfigOption.find(null, Map.of(), directory)).contains(here);
    }

    @Test
    void serversAreTheGivenOnesThenTheGivenConfigurationsThenTheEnvironments() {
        Map<String, String> environment = Map.of("PHOTON_SERVERS", "a:1,b:2");
        assertThat(RegistryCommand.Where.named(null, "c:3", environment)).contains(List.of("c:3"));
        assertThat(RegistryCommand.Where.named(GIVEN, null, environment)).isEmpty();
        assertThat(RegistryCommand.Where.named(null, null, environment))
                .contains(List.of("a:1", "b:2"));
        assertThat(RegistryCommand.Where.named(null, null, Map.of())).isEmpty();
        assertThat(RegistryCommand.Where.named(null, null, Map.of("PHOTON_SERVERS", ""))).isEmpty();
    }
}

package photon.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import photon.core.error.ConfigException;

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
    void theEnvironmentMayNotNameAUri() {
        assertThatThrownBy(
                        () ->
                                ConfigOption.find(
                                        null,
                                        Map.of("PHOTON_CONFIG", "hdfs://nn1/photon.yaml"),
                                        directory))
                .isInstanceOf(ConfigException.class)
                .hasMessage(
                        "PHOTON_CONFIG is 'hdfs://nn1/photon.yaml': expected a path of this machine, not a URI");
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

    /** Each verb asks its own process's environment and working directory. */
    @Test
    void aProcessTakesThemFromItsEnvironmentAndItsDirectory() throws Exception {
        Path ads = Repository.example("ads");
        assertThat(ended(directory, Map.of(), "config", "test"))
                .isEqualTo("2 photon: --config is missing");
        assertThat(ended(ads, Map.of(), "config", "test")).startsWith("0 ");
        Map<String, String> config = Map.of("PHOTON_CONFIG", ads.resolve("photon.yaml").toString());
        assertThat(ended(directory, config, "config", "test")).startsWith("0 ");
        assertThat(ended(directory, Map.of(), "registry", "audit"))
                .isEqualTo("2 photon: --servers is missing");
        Map<String, String> servers = Map.of("PHOTON_SERVERS", "127.0.0.1:1");
        assertThat(ended(directory, servers, "registry", "audit"))
                .isEqualTo("1 photon: no server of the registry answers");
    }

    /** Its exit status, and the beginning of what it says on stderr. */
    private String ended(Path workingDirectory, Map<String, String> environment, String... args)
            throws Exception {
        List<String> command = LocalProcess.small();
        command.addAll(List.of(args));
        Path said = Files.createTempFile(directory, "stderr", "");
        ProcessBuilder builder =
                new ProcessBuilder(command)
                        .directory(workingDirectory.toFile())
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .redirectError(said.toFile());
        builder.environment().keySet().removeIf(name -> name.startsWith("PHOTON_"));
        builder.environment().putAll(environment);
        Process process = builder.start();
        assertThat(process.waitFor(2, TimeUnit.MINUTES)).isTrue();
        return process.exitValue()
                + " "
                + Files.readString(said).strip().split(": (?:expected|check)", 2)[0];
    }
}

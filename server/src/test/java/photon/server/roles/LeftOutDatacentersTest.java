package photon.server.roles;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import photon.core.config.ConfigLoader;
import photon.core.config.PipelineConfig;
import photon.core.error.ConfigException;
import photon.registry.api.ControlClient;
import photon.registry.api.RetiredDatacenter;
import photon.storage.files.HadoopFileStore;

class LeftOutDatacentersTest {
    private static final HadoopFileStore FILES = new HadoopFileStore();

    @TempDir Path directory;

    private PipelineConfig config(String datacenters) throws IOException {
        return ConfigLoader.load(
                        Files.writeString(
                                directory.resolve("photon.yaml"),
                                """
                                pipeline: ads
                                datacenters: %s
                                primary:
                                  paths: ["a"]
                                  format: {type: json-lines}
                                  id: {from: [id]}
                                  timestamp: {field: at, unit: millis}
                                foreign:
                                  paths: ["b"]
                                  format: {type: json-lines}
                                  id: {from: [id]}
                                  timestamp: {field: at, unit: millis}
                                  primaryId: {from: [query]}
                                """
                                        .formatted(datacenters)))
                .pipeline();
    }

    private static ControlClient.Pipeline held(List<String> datacenters, String... retired) {
        return new ControlClient.Pipeline(
                new UUID(1, 2),
                "ads",
                "f",
                Optional.empty(),
                datacenters,
                Stream.of(retired)
                        .map(name -> new RetiredDatacenter(name, 1_000_000, "anna@ops"))
                        .toList());
    }

    private void one(String config, Set<String> before, ControlClient.Pipeline held)
            throws IOException {
        LeftOutDatacenters.checkOne(
                config(config), "east", before, FILES, held, directory.resolve("out").toString());
    }

    @Test
    void oneThatAPersonHasTakenOutIsRetiredFirst() {
        assertThatThrownBy(
                        () -> one("[east]", Set.of("east", "west"), held(List.of("east", "west"))))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("datacenters is [east], and west was in it")
                .hasMessageContaining("photon datacenter retire west")
                .hasMessageContaining("write datacenters: [east, west]");
        assertThatCode(
                        () ->
                                one(
                                        "[east]",
                                        Set.of("east", "west"),
                                        held(List.of("east", "west"), "west")))
                .doesNotThrowAnyException();
    }

    @Test
    void oneThatCameElsewhereOrNeverTookPartStopsNobody() {
        assertThatCode(() -> one("[east]", Set.of("east"), held(List.of("east", "north"))))
                .as("another datacenter's configuration names it already")
                .doesNotThrowAnyException();
        assertThatCode(() -> one("[east]", Set.of("east", "west"), held(List.of("east"))))
                .as("it never started")
                .doesNotThrowAnyException();
        assertThatCode(() -> one("[east, west]", Set.of(), held(List.of("east", "west"), "west")))
                .as("a restart while the configuration is yet to be changed")
                .doesNotThrowAnyException();
    }

    @Test
    void noPartOfARetiredDatacenterStarts() {
        assertThatThrownBy(
                        () -> one("[east, west]", Set.of(), held(List.of("east", "west"), "east")))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining(
                        "datacenter east was retired at 1970-01-01T00:00:01Z by anna@ops")
                .hasMessageContaining("choose another name");
    }

    @Test
    void aRunOfAllNamesAllThatTakePartAndNoneThatIsRetired() {
        assertThatThrownBy(
                        () ->
                                LeftOutDatacenters.checkAll(
                                        config("[east]"),
                                        FILES,
                                        held(List.of("east", "west")),
                                        directory.toString()))
                .hasMessageContaining("west has output, which is not in " + directory);
        assertThatThrownBy(
                        () ->
                                LeftOutDatacenters.checkAll(
                                        config("[east, west]"),
                                        FILES,
                                        held(List.of("east", "west"), "west"),
                                        directory.toString()))
                .hasMessageContaining("datacenter west was retired")
                .hasMessageContaining("Write datacenters: [east]");
    }

    private ConfiguredDatacenters remembered(String daemon) {
        return new ConfiguredDatacenters(FILES, directory.resolve("shared").toString(), daemon);
    }

    @Test
    void aDaemonRemembersWhichItHasNamed() throws IOException {
        ConfiguredDatacenters remembered = remembered("joiner-0");
        assertThat(remembered.before()).isEmpty();
        remembered.remember(List.of("west", "east"));
        remembered.remember(List.of("east", "west"));
        assertThat(remembered("joiner-0").before()).containsExactly("east", "west");
        assertThat(remembered("joiner-1").before()).as("another daemon").isEmpty();
        remembered.remember(List.of("east"));
        assertThat(remembered.before()).containsExactly("east");
    }
}

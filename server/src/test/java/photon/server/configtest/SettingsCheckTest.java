package photon.server.configtest;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import photon.core.config.ConfigLoader;
import photon.core.config.PipelineConfig;
import photon.core.error.ConfigException;

class SettingsCheckTest {
    @TempDir Path directory;

    private PipelineConfig config() throws IOException {
        return ConfigLoader.load(
                        Files.writeString(
                                directory.resolve("photon.yaml"),
                                """
                                pipeline: ads
                                datacenters: [east]
                                primary:
                                  paths: ["shown-*.json"]
                                  format: {type: json-lines}
                                  id: {from: [shown]}
                                  timestamp: {field: at, unit: seconds}
                                foreign:
                                  paths: ["clicks-*.json"]
                                  format: {type: json-lines}
                                  id: {from: [click]}
                                  timestamp: {field: at, unit: seconds}
                                  primaryId: {from: [shown]}
                                adapter: {class: org.example.Mine, jar: [absent.jar]}
                                """))
                .pipeline();
    }

    /** A registry's machine has neither its jars nor its program. */
    @Test
    void onlyWhoJoinsNeedsTheAdapter() throws IOException {
        PipelineConfig config = config();
        assertThatThrownBy(() -> SettingsCheck.check(config, true))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("absent.jar");
        assertThatCode(() -> SettingsCheck.check(config, false)).doesNotThrowAnyException();
    }
}

package photon.server.roles;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import photon.core.config.ConfigLoader;
import photon.core.config.PipelineConfig;
import photon.core.error.ConfigException;
import photon.core.time.SystemClock;
import photon.server.datacenters.DatacenterPaths;
import photon.storage.files.HadoopFileStore;
import photon.storage.format.IdentityFingerprint;
import photon.storage.format.IdentitySettings;

/** Who reads what a datacenter has published, when its daemons run on several machines. */
class WrittenOutputTest {
    private final HadoopFileStore files = new HadoopFileStore();

    @TempDir Path directory;

    @Test
    void theIdentityStandsWhereTheMachinesOfADatacenterShareIt() throws Exception {
        Path file = directory.resolve("photon.yaml");
        Files.writeString(
                file,
                """
                pipeline: ads
                datacenters: [east]
                primary:
                  paths: ["primary.csv"]
                  format: {type: csv, columns: [id, at]}
                  id: {from: [id]}
                  timestamp: {field: at, unit: micros}
                foreign:
                  paths: ["foreign.csv"]
                  format: {type: csv, columns: [id, at, primary]}
                  id: {from: [id]}
                  timestamp: {field: at, unit: micros}
                  primaryId: {from: [primary]}
                """);
        PipelineConfig config = ConfigLoader.load(file).pipeline();
        SystemClock clock = new SystemClock(Duration.ofMillis(10));
        String shared = directory + "/shared/east";
        DatacenterPaths paths =
                new DatacenterPaths(
                        "east", directory.resolve("state/east"), shared, directory + "/out/east");
        assertThatThrownBy(() -> WrittenOutput.open(config, files, paths, clock))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining(shared);

        files.createDirectories(shared);
        UUID uuid = new UUID(1, 2);
        new PipelineIdentity(
                        "ads", uuid, IdentityFingerprint.of(config), IdentitySettings.of(config))
                .write(files, shared);
        assertThat(WrittenOutput.open(config, files, paths, clock).identity().pipelineUuid())
                .isEqualTo(uuid.toString());
    }
}

package photon.tools;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import photon.cli.Captured;
import photon.cli.LocalProcess;

/**
 * A seed is the same world in every process. Within one process two runs may agree by chance: enums
 * and descriptors keep their identity hash codes, {@code Set.of} its salt.
 */
class ReplayTest {
    private static final ObjectMapper MAPPER = new ObjectMapper();

    @TempDir Path directory;

    @ParameterizedTest
    @ValueSource(strings = {"2", "9"})
    void anotherProcessComesToTheSame(String seed) throws Exception {
        String[] command = {"simulate", "--seed", seed, "--trace", "--json"};
        try (LocalProcess other = LocalProcess.start(directory, "", command)) {
            Captured here = Captured.run(command);
            int status = other.await();
            assertThat(other.stderr()).isEmpty();
            JsonNode theirs = MAPPER.readTree(other.stdout());
            JsonNode ours = MAPPER.readTree(here.stdout());
            assertThat(theirs.get("trace")).containsExactlyElementsOf(ours.get("trace"));
            assertThat(theirs).isEqualTo(ours);
            assertThat(status).isEqualTo(here.status());
            assertThat(ours.get("trace")).isNotEmpty();
        }
    }
}

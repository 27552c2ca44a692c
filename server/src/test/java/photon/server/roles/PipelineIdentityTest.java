package photon.server.roles;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import photon.core.error.ConfigException;
import photon.storage.files.MemoryFileStore;

class PipelineIdentityTest {
    private static final String STATE = "/state";
    private static final PipelineIdentity ADS =
            new PipelineIdentity(
                    "ads", new UUID(1, 2), "fingerprint", Map.of("foreign.id", "[click]"));

    private final MemoryFileStore files = new MemoryFileStore();

    @BeforeEach
    void makeTheStateDirectory() throws IOException {
        files.createDirectories(STATE);
    }

    @Test
    void aPowerCutForgetsNoIdentityThatWasWritten() throws IOException {
        ADS.write(files, STATE);
        files.crashLosingAllUnsynced();
        assertThat(PipelineIdentity.read(files, STATE)).contains(ADS);
    }

    @Test
    void whoFindsAnIdentityMakesSureThatItsNameIsDurable() throws IOException {
        MemoryFileStore.Hook fails =
                (operation, path) -> {
                    if (operation == MemoryFileStore.Operation.SYNC_DIRECTORY) {
                        throw new IOException("dies");
                    }
                };
        files.setHook(fails);
        assertThatThrownBy(() -> ADS.write(files, STATE)).hasMessage("dies");
        files.setHook((operation, path) -> {});
        ADS.write(files, STATE);
        files.crashLosingAllUnsynced();
        assertThat(PipelineIdentity.read(files, STATE)).contains(ADS);
    }

    @Test
    void anIdentityThatStandsIsNotReplaced() throws IOException {
        ADS.write(files, STATE);
        PipelineIdentity other =
                new PipelineIdentity(
                        "ads", new UUID(3, 4), "fingerprint", Map.of("foreign.id", "[click]"));
        assertThatThrownBy(() -> other.write(files, STATE)).isInstanceOf(ConfigException.class);
        assertThat(PipelineIdentity.read(files, STATE)).contains(ADS);
    }

    @Test
    void whatWasChangedIsNamed() throws IOException {
        PipelineIdentity changed =
                new PipelineIdentity(
                        "ads", new UUID(1, 2), "other", Map.of("foreign.id", "[click, at]"));
        assertThatThrownBy(() -> ADS.checkSame(changed, "the state directory"))
                .isInstanceOf(ConfigException.class)
                .hasMessage(
                        "foreign.id was [click] and is now [click, at]; events already joined would be joined again. Restore the old value, or begin a new pipeline with another name, state and output directory");
        PipelineIdentity unknown =
                new PipelineIdentity("ads", new UUID(1, 2), "fingerprint", Map.of());
        assertThatThrownBy(() -> unknown.checkSame(changed, "the registry's pipeline"))
                .hasMessageStartingWith(
                        "id or timestamp of a stream is not what it was when Photon created the registry's pipeline; ");
    }
}
